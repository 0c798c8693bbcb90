import type { FallbackVerbosity } from './settings.ts'
import type { RefusedCall } from './state.ts'

/** What a request came to that ended without an answer. */
export interface Unanswered {
  readonly why: 'max_steps' | 'limit'
  /** What the person can be told of the limit. */
  readonly detail: string
  readonly request: string
  readonly modelCalls: number
  readonly maxSteps: number
  readonly toolCalls: Readonly<Record<string, number>>
  readonly filesRead: readonly string[]
  readonly filesChanged: readonly string[]
  readonly commands: readonly string[]
  readonly refused: readonly RefusedCall[]
  /** What the model said last beside its calls. */
  readonly lastWords: string
}

const mostListed = { minimal: 0, normal: 8, detailed: 40 } as const

/**
 * The answer that code writes for a request that reached its limit without one: how far it came, what happened, which files and
 * commands, what to do next.
 */
export function fallbackAnswer(ended: Unanswered, verbosity: FallbackVerbosity): string {
  const parts =
    verbosity === 'minimal'
      ? [headOf(ended), changedLine(ended)]
      : [
          headOf(ended),
          happened(ended),
          list('Files changed', ended.filesChanged, verbosity),
          list('Commands run', ended.commands, verbosity),
          ...(verbosity === 'detailed' ? [list('Files read', ended.filesRead, verbosity)] : []),
          list(
            'Not allowed',
            ended.refused.map(({ title }) => title),
            verbosity,
          ),
          ...(verbosity === 'detailed' && ended.lastWords !== ''
            ? [
                `What was said last:\n\n> ${ended.lastWords.slice(0, 1_000).replaceAll('\n', '\n> ')}`,
              ]
            : []),
          nextSteps(ended),
        ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function headOf({ why, modelCalls, maxSteps, detail }: Unanswered): string {
  if (why === 'limit') return `Stopped before there was an answer: ${detail}`
  return `Stopped before there was an answer: ${modelCalls} of ${maxSteps} model calls were made.`
}

function happened({ toolCalls, request }: Unanswered): string {
  const counts = Object.entries(toolCalls).map(([name, count]) => `${name} ${count}×`)
  const asked = request.replaceAll(/\s+/g, ' ').slice(0, 120)
  const what = counts.length === 0 ? 'no tool was used' : counts.join(', ')
  return `Asked: ${asked}\nDone: ${what}`
}

function changedLine({ filesChanged, commands }: Unanswered): string {
  return `${count(filesChanged.length, 'file')} changed, ${count(commands.length, 'command')} run.`
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

function list(title: string, items: readonly string[], verbosity: FallbackVerbosity): string {
  if (items.length === 0) return ''
  const shown = items.slice(0, mostListed[verbosity]).map((item) => `- ${item.split('\n')[0]}`)
  const more = items.length - shown.length
  return [`${title}:`, ...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

function nextSteps({ why, maxSteps, filesChanged }: Unanswered): string {
  const more =
    why === 'limit'
      ? 'Give the run a higher limit and go on.'
      : `Say "go on" to give it ${maxSteps} more calls, or ask for less at once.`
  const look =
    filesChanged.length === 0 ? '' : '\n- Look at the changed files, or take them back with /undo.'
  return `Next:\n- ${more}${look}`
}
