import type { AgentAnswer } from '../../app.ts'
import type { Json } from '../../kernel/json.ts'
import type { Terminal } from '../terminal.ts'
import { oneLine, printable } from './text.ts'

/** What an agent file gave, for people: its output, else the last state key by key. A text alone stands as it is. */
export function renderAgent({ output, state }: AgentAnswer): string {
  if (output !== undefined) return printable(renderValue(output))
  const keys = Object.entries(state)
  if (keys.length === 0) return '(the state is empty)'
  return printable(keys.map(([key, value = null]) => renderMember(key, value)).join('\n'))
}

/** What a recorded run of an agent file came to: what it gave, and why it stopped where that was not at its end. */
export function renderAgentRun(result: AgentAnswer): string {
  const ends = result.gaps.map((gap) => `${endOf(gap)}: ${printable(gap.detail)}`)
  return [renderAgent(result), ...(ends.length === 0 ? [] : ['', ...ends])].join('\n')
}

function endOf({ kind }: AgentAnswer['gaps'][number]): string {
  return kind === 'cut_off' ? 'Incomplete' : 'Stopped'
}

function renderValue(value: Json): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, null, 2)
}

function renderMember(key: string, value: Json): string {
  const text = renderValue(value)
  if (!text.includes('\n')) return `${key}: ${text}`
  const isText = typeof value === 'string'
  return `${key}:${isText ? '\n' : ' '}${isText ? indented(text) : text}`
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n')
}

/** Says why an agent's run did not come to its end, or what it lacks, and what to do. */
export function tellAgentEnd(
  { terminal }: { readonly terminal: Terminal },
  result: AgentAnswer,
): void {
  const { stopReason, failure, runId, gaps } = result
  const { paint } = terminal.stderr
  for (const gap of gaps) {
    const what = stopReason === 'error' ? paint.red('Failed:') : paint.yellow(`${endOf(gap)}:`)
    terminal.tell(`${what} ${printable(gap.detail)}`)
  }
  if (failure?.hint !== undefined) terminal.tell(terminal.asTyped(oneLine(failure.hint)))
  // The hint of a limit says how to go on.
  if (stopReason !== 'error') return
  const again =
    failure?.retryable === true
      ? `Then resume with: scholium resume ${runId}`
      : `To see every step: scholium runs show ${runId}`
  terminal.tell(terminal.asTyped(again))
}
