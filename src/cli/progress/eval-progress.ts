import { type EvalProgress, formatCost, formatRate } from '../../app.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { printLine } from '../render/print.ts'
import { cut, oneLine } from '../render/text.ts'
import { blockOn } from './live-block.ts'
import { progressForm } from './progress.ts'

/** Shows the progress of an evaluation. */
export interface ShownEval {
  hear(progress: EvalProgress): void
  end(): void
}

/** The progress of an evaluation: one redrawn line on a terminal, some lines elsewhere, or one JSON line per result. */
export function createEvalProgress(invocation: Invocation): ShownEval {
  const { terminal } = invocation
  switch (progressForm(invocation)) {
    case 'live': {
      const block = blockOn(terminal)
      return {
        hear: (progress) => {
          const failure = failureLine(progress)
          if (failure !== undefined) block.insert(cut(failure, block.columns))
          block.draw([cut(progressLine(progress), block.columns)])
        },
        end: () => block.release(),
      }
    }
    case 'lines':
      return { hear: linesTo((line) => terminal.tell(line)), end: () => {} }
    case 'stream':
      return {
        hear: ({ result }) => {
          if (result !== undefined) printLine(terminal, { type: 'question', ...result })
        },
        end: () => {},
      }
    case 'none':
      return { hear: () => {}, end: () => {} }
  }
}

/** Maximum number of progress lines for any number of questions; failures get additional ones. */
const mostLines = 20

function linesTo(tell: (line: string) => void): ShownEval['hear'] {
  let isBegun = false
  return (progress) => {
    const { result, done, total, doneBefore } = progress
    if (!isBegun && doneBefore > 0)
      tell(`Continuing: ${doneBefore} of ${total} are already finished.`)
    isBegun = true
    const failure = failureLine(progress)
    if (failure !== undefined) tell(failure)
    const every = Math.max(1, Math.ceil(total / mostLines))
    if (result !== undefined && (done % every === 0 || done === total)) tell(progressLine(progress))
  }
}

function failureLine({ result }: EvalProgress): string | undefined {
  if (result === undefined || result.status !== 'failed') return undefined
  return oneLine(`Question ${result.id} failed: ${result.error?.message ?? result.stopReason}`)
}

/** "12/200 · exact match 25.0 % (9–53) · $0.0000 · now: q13, q14". */
function progressLine({ done, total, exactMatch, cost, running }: EvalProgress): string {
  const now = running.length === 0 || done === total ? [] : [`now: ${running.join(', ')}`]
  const match = exactMatch === null ? [] : [`exact match ${formatRate(exactMatch)}`]
  const paid = done === 0 ? [] : [formatCost(cost)]
  return oneLine([`${done}/${total}`, ...match, ...paid, ...now].join(' · '))
}
