import { ScholiumError } from '../../kernel/errors.ts'
import { toPythonSettings } from '../config/app-settings.ts'
import type { Configuration } from '../config/configuration.ts'
import { AppPython } from '../python.ts'
import type { Check, Finding } from './finding.ts'

const code = 'import sys\nprint(sys.version.split()[0])\nsum(range(101))'

/** Checks Python for the expert: whether it is installed, starts and calculates. */
export function pythonCheck({ settings }: Configuration): Check {
  return {
    name: 'Python',
    area: 'python',
    async run(signal, tell) {
      const given = toPythonSettings(settings)
      if (given.enabled === false) return tell(found('ok', 'off: the expert does not run code'))
      const python = new AppPython(given)
      try {
        if (!python.isOffered(true)) return
      } catch (error) {
        if (!(error instanceof ScholiumError) || error.hint === undefined) throw error
        const text = 'not installed: the expert uses the calculator only'
        return tell({ ...found(given.enabled ? 'problem' : 'ok', text), hint: error.hint })
      }
      const startedAt = performance.now()
      try {
        const tool = await python.tool()
        const run = { signal, key: 'doctor', emit: () => {} }
        const { stdout, value } = (await tool.execute({ code }, run)) as Readonly<
          Record<string, unknown>
        >
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
        if (value !== 5050) return tell(found('problem', 'starts, but does not work'))
        const text = `Python ${String(stdout).trim()} starts in a sandbox without files or network (${seconds} s)`
        tell(found('ok', text))
      } finally {
        await python.close()
      }
    },
  }
}

function found(status: Finding['status'], text: string): Finding {
  return { area: 'python', status, text }
}
