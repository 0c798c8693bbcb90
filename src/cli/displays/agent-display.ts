import type { AgentAnswer } from '../../app.ts'
import type { Json } from '../../kernel/json.ts'
import type { EventOf, LiveEvent, RunEvent, Usage } from '../../kernel/run/event.ts'
import { asObject } from '../render/as-object.ts'
import { oneLine, printable } from '../render/text.ts'
import type { Terminal } from '../terminal.ts'
import type { WorkflowDisplay } from './workflow-display.ts'

/** The result of an agent file: its output, else the last state key by key. A single text is printed as it is. */
function renderAgent({ output, state }: AgentAnswer): string {
  if (output !== undefined) return printable(renderValue(output))
  const keys = Object.entries(state)
  if (keys.length === 0) return '(the state is empty)'
  return printable(keys.map(([key, value = null]) => renderMember(key, value)).join('\n'))
}

/** The result of a recorded run of an agent file, and why it stopped early if it did. */
function renderAgentRun(result: AgentAnswer): string {
  const ends = result.gaps.map((gap) => `${describeEnd(gap)}: ${printable(gap.detail)}`)
  return [renderAgent(result), ...(ends.length === 0 ? [] : ['', ...ends])].join('\n')
}

function describeEnd({ kind }: AgentAnswer['gaps'][number]): string {
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

/** Says why an agent's run stopped early or what it lacks, and what to do. */
function tellAgentEnd({ terminal }: { readonly terminal: Terminal }, result: AgentAnswer): void {
  const { stopReason, failure, runId, gaps } = result
  const { paint } = terminal.stderr
  for (const gap of gaps) {
    const what =
      stopReason === 'error' ? paint.red('Failed:') : paint.yellow(`${describeEnd(gap)}:`)
    terminal.tell(`${what} ${printable(gap.detail)}`)
  }
  if (failure?.hint !== undefined) terminal.tell(terminal.asTyped(oneLine(failure.hint)))
  // The hint of a limit says how to continue.
  if (stopReason !== 'error') return
  const again =
    failure?.retryable === true
      ? `Then resume with: scholium resume ${runId}`
      : `To see every step: scholium runs show ${runId}`
  terminal.tell(terminal.asTyped(again))
}

/** Whether an event says why an agent file failed, which is reported once, at its end. */
function isAgentFailure(event: LiveEvent): boolean {
  return (
    !('transient' in event) &&
    event.type === 'notice' &&
    event.data.level === 'error' &&
    event.key.endsWith('/failed')
  )
}

/** The progress line of an event of an agent's run; `undefined` if it is of no interest. */
export function describeAgentEvent(event: LiveEvent): string | undefined {
  const node = formatNode(event.key)
  if (event.type === 'progress') {
    if (event.data.output !== undefined)
      return said(node, `printed ${firstLine(event.data.output)}`)
    return event.data.state === 'started' && isTop(event.key) ? `${node} …` : undefined
  }
  if (event.type === 'step.failed' || event.type === 'step.outcome_unknown') {
    const { failure } = event.data
    return failure === undefined ? undefined : said(node, `failed: ${failure.message}`)
  }
  if (event.type !== 'step.done') return undefined
  const { usage } = event.data
  if (usage !== undefined) return said(node, modelSaid(event, usage))
  const action = calledAction(event.key)
  return action === '' ? undefined : said(node, describeAction(action, event))
}

/** The action of a step's key: `file.read` for `agent/load[1]/file.read/call`, or nothing. */
function calledAction(key: string): string {
  return /\/([^/]+)\/call$/.exec(key)?.[1]?.replace(/^tool\[\d+\]:/, '') ?? ''
}

/** The node of a key, with its turn if not the first: `draft`, `draft (2)`. */
function formatNode(key: string): string {
  const [, name = '', turn = '1'] = /^agent\/([^/[]+)(?:\[(\d+)\])?/.exec(key) ?? []
  return turn === '1' ? name : `${name} (${turn})`
}

function isTop(key: string): boolean {
  return key.split('/').length === 2
}

function said(node: string, text: string): string {
  return node === '' ? text : `${node}: ${text}`
}

function modelSaid({ output }: RunEvent, { inputTokens, outputTokens }: Usage): string {
  const { model } = asObject(output)
  const who = typeof model === 'string' ? model : 'the model'
  return `${who} answered, ${inputTokens + outputTokens} tokens`
}

/** An action with its arguments if short, and the error it returned, if any. */
function describeAction(action: string, { data, output }: EventOf<'step.done'>): string {
  const { input } = asObject(data.input)
  const { path, query, url } = asObject(input)
  const what = [path, query, url].find((value) => typeof value === 'string')
  const { error } = asObject(output)
  const failed = typeof error === 'string' ? `: ${error}` : ''
  return `${action}${what === undefined ? '' : ` ${what}`}${failed}`
}

function firstLine(text: string): string {
  const [first = '', ...others] = text.trim().split('\n')
  return others.length === 0 ? first : `${first} …`
}

/** How runs of agent files are shown. */
export const agentDisplay: WorkflowDisplay<AgentAnswer> = {
  titleLabel: 'Agent',
  hasAuthoredNodes: true,
  describe: describeAgentEvent,
  isToldElsewhere: isAgentFailure,
  render: renderAgentRun,
  renderOutput: renderAgent,
  tellEnd: tellAgentEnd,
}
