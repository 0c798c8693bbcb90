import type { ForkPoint, ForkRequest, Right } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { Json } from '../../../kernel/json.ts'
import type { RunEvent } from '../../../kernel/run/event.ts'
import { type OpenApp, withApp } from '../../arguments/app-settings.ts'
import { askingForGrants } from '../../arguments/ask-grants.ts'
import { readGrants } from '../../arguments/grant-options.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { jsonOrText } from '../../arguments/run-input.ts'
import { executeRun } from '../../execute-run.ts'
import { oneLine } from '../../render/text.ts'
import { stepNamed } from './step-named.ts'

/** `scholium fork`. */
export const runFork: RunCommand = async (invocation) => {
  const { options, words } = invocation
  const { readAskDefaults } = await import('../../../app.ts')
  const at = stepNamed(options)
  const question = options.filled('question')
  const changes = options.texts('set').map(parseChange)
  const request: ForkRequest = {
    changes,
    ...(at === undefined ? {} : { at }),
    ...(question === undefined ? {} : { question }),
  }
  return withApp(
    invocation,
    (app, configuration) => {
      const grants = readGrants(options, readAskDefaults(configuration).web)
      return driveFork(invocation, app, { run: words[0] ?? '', request, grants })
    },
    'changed',
  )
}

/** A requested fork. */
interface AskedFork {
  /** The run to fork. */
  readonly run: string
  readonly request: ForkRequest
  readonly grants: readonly Right[]
}

/** Executes a fork, says where it diverges from its parent, and returns the exit code. */
export async function driveFork(
  invocation: Invocation,
  app: OpenApp,
  { run, request, grants }: AskedFork,
): Promise<number> {
  const { terminal, options } = invocation
  const { place } = await app.stateAt(run, request.at)
  const { workflow } = await app.showRun(run)
  const history: RunEvent[] = []
  for await (const event of app.events(run, { types: ['node.done'] }))
    if (event.seq <= place.seq) history.push(event)
  const tell = (fork: ForkPoint) => {
    if (options.has('quiet')) return
    terminal.tell(describeFork(fork))
    for (const remark of fork.remarks) terminal.tell(`Note: ${oneLine(remark)}`)
  }
  return executeRun({
    invocation,
    history,
    workflow,
    drive: async (execution) => {
      const { answer } = await askingForGrants(grants, execution.answer, (granted) =>
        app.fork(run, request, { ...execution, grants: granted, onFork: tell }),
      )
      return answer
    },
  })
}

function describeFork({ runId, parentId, boundary, at }: ForkPoint): string {
  return at === ''
    ? `Run ${runId} continues from ${boundary.includes('/') ? `${parentId} after ${boundary}` : `the beginning of ${parentId}`}.`
    : `Run ${runId} continues from ${parentId} after ${boundary}: ${at} and everything after it is redone.`
}

/** Parses a change `path=value`; the value is JSON if it parses, else text. @throws `invalid_input` for another form */
function parseChange(text: string): { readonly path: string; readonly value: Json } {
  const [, path, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (path === undefined || value === undefined) {
    throw new ScholiumError('invalid_input', `Invalid value for --set: "${text}".`, {
      hint: 'Write path=value, such as --set control.retryLimit=2 or --set \'plan.researchSteps[0]="caffeine half-life"\'.',
    })
  }
  return { path: path.trim(), value: jsonOrText(value) }
}
