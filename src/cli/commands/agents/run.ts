import { withApp } from '../../arguments/app-settings.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import type { GivenOptions } from '../../arguments/option.ts'
import { readInput } from '../../arguments/run-input.ts'
import { executeRun } from '../../execute-run.ts'

/** `scholium run`. */
export const runRun: RunCommand = async (given) => {
  const { words, options } = given
  const invocation = options.has('stream') ? { ...given, format: 'stream-json' as const } : given
  const [file = '', ...pairs] = words
  const input = await readInput([...options.texts('input'), ...pairs], given.terminal)
  const { readAskDefaults } = await import('../../../app.ts')
  return withApp(
    invocation,
    (app, configuration) => {
      const { web = false } = readAskDefaults(configuration)
      const request = { ...toRequest(options), web }
      return executeRun({
        invocation,
        workflow: 'agent',
        drive: (execution) => app.runAgent(file, input, { ...request, ...execution }),
      })
    },
    'new',
  )
}

function toRequest(options: GivenOptions) {
  const workspace = options.filled('workspace')
  const memory = options.filled('memory')
  return {
    overlays: options.texts('overlay'),
    environment: options.texts('env'),
    secrets: options.texts('secret'),
    allow: options.texts('allow'),
    allowedOrigins: options.texts('allow-origin'),
    interruptBefore: options.texts('interrupt-before'),
    interruptAfter: options.texts('interrupt-after'),
    ...(workspace === undefined ? {} : { workspace }),
    ...(memory === undefined ? {} : { memory }),
  }
}
