import type { FallbackVerbosity } from './settings.ts'
import type { RefusedCall } from './state.ts'

/** A request that ended without an answer. */
export interface UnansweredRequest {
  readonly why: 'max_steps' | 'limit'
  /** Explanation of the limit for the person. */
  readonly detail: string
  readonly request: string
  readonly modelCalls: number
  readonly maxSteps: number
  readonly toolCalls: Readonly<Record<string, number>>
  readonly filesRead: readonly string[]
  readonly filesChanged: readonly string[]
  readonly commands: readonly string[]
  readonly refused: readonly RefusedCall[]
  /** The model's last text other than tool calls. */
  readonly lastWords: string
}

const maxListed = { minimal: 0, normal: 8, detailed: 40 } as const

/**
 * Renders the answer for a request that hit a limit: how far it got, what was done, which files and commands were
 * touched, and what to do next.
 */
export function renderFallbackAnswer(
  ended: UnansweredRequest,
  verbosity: FallbackVerbosity,
): string {
  const parts =
    verbosity === 'minimal'
      ? [renderHead(ended), renderChangeCounts(ended)]
      : [
          renderHead(ended),
          renderActivity(ended),
          renderList('Files changed', ended.filesChanged, verbosity),
          renderList('Commands run', ended.commands, verbosity),
          ...(verbosity === 'detailed'
            ? [renderList('Files read', ended.filesRead, verbosity)]
            : []),
          renderList(
            'Not allowed',
            ended.refused.map(({ title }) => title),
            verbosity,
          ),
          ...(verbosity === 'detailed' && ended.lastWords !== ''
            ? [`Last message:\n\n> ${ended.lastWords.slice(0, 1_000).replaceAll('\n', '\n> ')}`]
            : []),
          renderNextSteps(ended),
        ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function renderHead({ why, modelCalls, maxSteps, detail }: UnansweredRequest): string {
  if (why === 'limit') return `Stopped before there was an answer: ${detail}`
  return `Stopped before there was an answer: ${modelCalls} of ${maxSteps} model calls were made.`
}

function renderActivity({ toolCalls, request }: UnansweredRequest): string {
  const counts = Object.entries(toolCalls).map(([name, count]) => `${name} ${count}×`)
  const asked = request.replaceAll(/\s+/g, ' ').slice(0, 120)
  const what = counts.length === 0 ? 'no tool was used' : counts.join(', ')
  return `Asked: ${asked}\nDone: ${what}`
}

function renderChangeCounts({ filesChanged, commands }: UnansweredRequest): string {
  return `${formatCount(filesChanged.length, 'file')} changed, ${formatCount(commands.length, 'command')} run.`
}

function formatCount(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

function renderList(title: string, items: readonly string[], verbosity: FallbackVerbosity): string {
  if (items.length === 0) return ''
  const shown = items.slice(0, maxListed[verbosity]).map((item) => `- ${item.split('\n')[0]}`)
  const more = items.length - shown.length
  return [`${title}:`, ...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')
}

function renderNextSteps({ why, maxSteps, filesChanged }: UnansweredRequest): string {
  const more =
    why === 'limit'
      ? 'Raise the limit of the run and continue.'
      : `Say "continue" to allow ${maxSteps} more calls, or ask for less at once.`
  const look =
    filesChanged.length === 0 ? '' : '\n- Review the changed files, or revert them with /undo.'
  return `Next:\n- ${more}${look}`
}
