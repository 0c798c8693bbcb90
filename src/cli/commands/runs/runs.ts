import { ScholiumError } from '../../../kernel/errors.ts'
import type { RunRecord } from '../../../kernel/run/run-store.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { renderTable } from '../../render/table.ts'
import { oneLine } from '../../render/text.ts'

/** `scholium runs list`. */
export const runRunsList: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { options, terminal, format } = invocation
    const limit = options.whole('limit', 1)
    const runs = await app.listRuns({ limit: limit ?? usualRuns })
    const more =
      runs.length < (limit ?? usualRuns)
        ? 0
        : (await app.listRuns({ limit: all })).length - runs.length
    const moreLine = `… and ${more} more (--limit N)`
    if (more > 0 && limit === undefined && format !== 'text') terminal.tell(moreLine)
    printResult(invocation, runs, () => {
      if (runs.length === 0)
        return terminal.asTyped(
          'There are no runs yet. Ask something: scholium ask "What is CRISPR?"',
        )
      const { columns } = terminal.stdout
      const isNarrow = columns !== undefined && columns < 80
      const rows = inFamilies(runs).map(({ run, branch }) => {
        const { createdAt, status, workflow, title } = run
        const from =
          run.parent === undefined || branch !== '' ? '' : `fork of ${run.parent.runId}: `
        const question = `${from}${oneLine(title)}`
        const runId = `${branch}${run.runId}`
        return isNarrow
          ? [runId, status, question]
          : [runId, localTime(createdAt), status, workflow, question]
      })
      const header = isNarrow
        ? ['RUN', 'STATUS', 'QUESTION']
        : ['RUN', 'WHEN', 'STATUS', 'WORKFLOW', 'QUESTION']
      return [...renderTable(header, rows, columns), ...(more > 0 ? [moreLine] : [])].join('\n')
    })
    return 0
  })

const usualRuns = 50
const all = Number.MAX_SAFE_INTEGER

interface Relative {
  readonly run: RunRecord
  /** The branch of the tree drawn before it; empty unless it is a fork of a listed run. */
  readonly branch: string
}

/** Runs with their forks below them, oldest first. A fork whose parent is not listed stands alone. */
function inFamilies(runs: readonly RunRecord[]): readonly Relative[] {
  const listed = new Set(runs.map(({ runId }) => runId))
  const forks = Map.groupBy(runs, ({ parent }) => parent?.runId ?? '')
  const below = (parent: RunRecord, indent: string): readonly Relative[] => {
    const children = (forks.get(parent.runId) ?? []).toReversed()
    return children.flatMap((run, index) => {
      const isLast = index === children.length - 1
      const rest = below(run, `${indent}${isLast ? '  ' : '│ '}`)
      return [{ run, branch: `${indent}${isLast ? '└ ' : '├ '}` }, ...rest]
    })
  }
  return runs
    .filter(({ parent }) => parent === undefined || !listed.has(parent.runId))
    .flatMap((run) => [{ run, branch: '' }, ...below(run, '')])
}

/** `scholium runs remove`. */
export const runRunsRemove: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const asked: string[] = []
    for (const run of invocation.words) asked.push((await app.showRun(run)).runId)
    const family = forksFirst(asked, await app.listRuns({ limit: all }))
    const forks = family.filter((runId) => !asked.includes(runId))
    if (forks.length > 0) throw hasForks(asked, forks, family)
    const removed: string[] = []
    for (const runId of family) removed.push(await app.removeRun(runId))
    printResult(
      invocation,
      { removed },
      () => `${count(removed.length, 'run')} removed: ${removed.join(', ')}`,
    )
    return 0
  })

/** Runs with all their forks in an order in which they can be removed: forks before their parents. */
function forksFirst(runIds: readonly string[], runs: readonly RunRecord[]): readonly string[] {
  const forks = Map.groupBy(runs, ({ parent }) => parent?.runId ?? '')
  const below = (runId: string): readonly string[] => [
    ...(forks.get(runId) ?? []).flatMap((fork) => below(fork.runId)),
    runId,
  ]
  return [...new Set(runIds.flatMap(below))]
}

function hasForks(
  asked: readonly string[],
  forks: readonly string[],
  family: readonly string[],
): ScholiumError {
  const one = asked.length === 1
  return new ScholiumError(
    'run_busy',
    `${one ? `Run ${asked[0]} is` : 'These runs are'} needed by ${count(forks.length, 'fork')}; nothing was removed.`,
    {
      hint: `To remove ${forks.length === 1 ? 'it' : 'them'} too: scholium runs remove ${family.join(' ')}`,
      details: { forks: [...forks] },
    },
  )
}

/** A time in the person's time zone: `2026-11-20 14:03`. */
export function localTime(timeMs: number): string {
  const time = new Date(timeMs)
  const two = (number: number) => String(number).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}
