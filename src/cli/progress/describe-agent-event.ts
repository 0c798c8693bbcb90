import type { EventOf, LiveEvent, RunEvent, Usage } from '../../kernel/run/event.ts'
import { asObject } from '../render/as-object.ts'

/** Whether an event says why an agent file failed, which is told once, at its end. */
export function isAgentFailure(event: LiveEvent): boolean {
  return (
    !('transient' in event) &&
    event.type === 'notice' &&
    event.data.level === 'error' &&
    event.key.endsWith('/failed')
  )
}

/** What an event of an agent's run says to a person who follows it, or `undefined` where it says nothing of interest. */
export function describeAgentEvent(event: LiveEvent): string | undefined {
  const node = nodeOf(event.key)
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

/** The action whose step a key is: `file.read` for `agent/load[1]/file.read/call`, or nothing. */
export function calledAction(key: string): string {
  return /\/([^/]+)\/call$/.exec(key)?.[1]?.replace(/^tool\[\d+\]:/, '') ?? ''
}

/** The node of the graph that a key lies in, with its turn from the second on: `draft`, `draft (2)`. */
function nodeOf(key: string): string {
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

/** An action with what it was done with, where that is short; what it gave as an error is said. */
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
