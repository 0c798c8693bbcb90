import type { Message, Part } from '../../kernel/agent/message.ts'
import type { Hash, Json } from '../../kernel/json.ts'
import type { RunContext } from '../../kernel/run/run-context.ts'
import type { CitedEntry } from '../markup/cited-text.ts'
import { replaceLeftovers } from '../markup/leftover-addresses.ts'
import { parseCitations } from '../markup/parse-citations.ts'
import { renderForModel, writeStored } from '../markup/stored-text.ts'
import type { CitationIndex } from '../numbers/citation-index.ts'
import { mapAddressStrings, mapProse } from './prose.ts'

/**
 * The message as it is kept: marks with local numbers in its texts and its tools' results, and in `citations` the index's number
 * for each. Addresses get numbers of the index. Numbers without an address stand for the index's sources where a user or a
 * model writes them; in prompts and in what tools bring they stay as they are. A message that has `citations` is kept already.
 *
 * @param keptTools tools whose results stay as they are
 */
export function storeMessage(
  message: Message,
  index: CitationIndex,
  keptTools: ReadonlySet<string> = noTools,
): Message {
  if (message.citations !== undefined) return message
  const isSpeech = message.role === 'user' || message.role === 'assistant'
  const store = new MessageStore(index, isSpeech)
  const parts = message.parts.map((part): Part => {
    if (part.type === 'text')
      return { ...part, text: mapProse(part.text, (prose) => store.text(prose)) }
    if (part.type !== 'tool-result' || keptTools.has(part.toolName)) return part
    return { ...part, output: mapStrings(part.output, (value) => store.output(value)) }
  })
  return { ...message, parts, citations: store.citations }
}

const noTools: ReadonlySet<string> = new Set()

/** Gives local numbers to what the texts of one message cite. */
class MessageStore {
  /** The index's number for each local one, in the order of these. */
  private readonly locals = new Map<number, number>()
  private readonly index: CitationIndex
  /** How many numbers there were before: only those can be meant. */
  private readonly known: number

  constructor(index: CitationIndex, isSpeech: boolean) {
    this.index = index
    this.known = isSpeech ? index.size : 0
  }

  get citations(): readonly number[] {
    return [...this.locals.keys()]
  }

  text(text: string): string {
    const parsed = parseCitations(text, (n) => n >= 1 && n <= this.known)
    const locals = parsed.entries.map((entry) => this.localOf(mint(this.index, entry)))
    return renumber(parsed.text, locals)
  }

  /** A tool's text, in which also JSON is read: there addresses may be written with escapes. */
  output(text: string): string {
    return mapProse(
      text,
      (prose) => this.text(prose),
      (json) => mapAddressStrings(json, (value) => this.text(value)),
    )
  }

  private localOf(n: number): number {
    const local = this.locals.get(n) ?? this.locals.size + 1
    this.locals.set(n, local)
    return local
  }
}

/** The number of the index for what a text cites. */
function mint(index: CitationIndex, { url, n, label, note }: CitedEntry): number {
  if (url === undefined) return n as number
  return index.add({
    url,
    ...(label === undefined ? {} : { title: label }),
    ...(note === undefined ? {} : { metadata: { note } }),
  }).n
}

/** A stored text with other numbers. A mark beyond them was only quoted: it is escaped, so that it never stands for anything. */
function renumber(text: string, numbers: readonly number[]): string {
  return writeStored(text, Number.POSITIVE_INFINITY, {
    mark: ({ kind, n, words }) => {
      const number = numbers[n - 1]
      if (kind === 'attribute') return number === undefined ? `idx=${n}` : `idx="${number}"`
      const mark = number === undefined ? `\\[!CITE_${n}!]` : `[!CITE_${number}!]`
      return kind === 'link' ? `[${words}]${mark}` : mark
    },
  })
}

/**
 * The message as a model sees it: the index's numbers and no address outside of code. What is not kept yet is read as
 * {@link storeMessage} does; so are addresses in JSON that a model wrote, and what is an address only for a browser. What nobody
 * could open is "(address)".
 */
export function messageForModel(
  message: Message,
  index: CitationIndex,
  keptTools: ReadonlySet<string> = noTools,
): Message {
  const { citations, ...stored } = storeMessage(message, index, keptTools)
  const numbers = citations ?? []
  const rendered = (text: string) => replaceLeftoversIn(renderForModel(text, numbers), index)
  const inOutput = (text: string) =>
    mapProse(text, rendered, (json) => mapAddressStrings(json, rendered))
  const parts = stored.parts.map((part): Part => {
    if (part.type === 'text') return { ...part, text: textForModel(part.text, rendered, index) }
    if (part.type !== 'tool-result' || keptTools.has(part.toolName)) return part
    return { ...part, output: mapStrings(part.output, inOutput) }
  })
  return { ...stored, parts }
}

function textForModel(
  text: string,
  rendered: (prose: string) => string,
  index: CitationIndex,
): string {
  const inJson = (value: string) => {
    const { text: marked, entries } = parseCitations(value, (n) => index.entry(n) !== undefined)
    const numbers = entries.map((entry) => mint(index, entry))
    return replaceLeftoversIn(renderForModel(marked, numbers), index)
  }
  return mapProse(text, rendered, (json) => mapAddressStrings(json, inJson))
}

function replaceLeftoversIn(text: string, index: CitationIndex): string {
  return replaceLeftovers(text, (url) =>
    url === undefined ? '(address)' : `[!CITE_${mint(index, { url })}!]`,
  )
}

/** A message, or what is kept of it, with other numbers: for one from a branch whose index was merged into another. */
export function renumberCitations<Cited extends { readonly citations?: readonly number[] }>(
  cited: Cited,
  numbers: ReadonlyMap<number, number>,
): Cited {
  const { citations } = cited
  if (citations === undefined) return cited
  return { ...cited, citations: citations.map((n) => numbers.get(n) ?? n) }
}

/** A value with `change` done to each of its strings, the names of members too; two that become one name stay two members. */
function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item: Json) => mapStrings(item, change))
  const members = new Map<string, Json>()
  for (const [key, member = null] of Object.entries(value)) {
    const changed = change(key)
    const name = members.has(changed) ? `${changed} (${members.size + 1})` : changed
    members.set(name, mapStrings(member, change))
  }
  return Object.fromEntries(members)
}

/** A message of a run's state: where its content is kept, and the index's number for each of its local ones. JSON only. */
export type KeptMessage = {
  readonly hash: Hash
  /** Absent for a message that was not numbered. */
  readonly citations?: readonly number[]
}

/** Keeps messages in the run with what they cite; a state then holds this. */
export function keepCitedMessages(
  context: RunContext,
  messages: readonly Message[],
): readonly KeptMessage[] {
  const hashes = context.keepMessages(messages)
  return messages.map(({ citations }, index) => ({
    hash: hashes[index] as Hash,
    ...(citations === undefined ? {} : { citations }),
  }))
}

/** Messages that were kept in the run, with what they cite. @throws `step_missing` */
export async function loadCitedMessages(
  context: RunContext,
  kept: readonly KeptMessage[],
): Promise<readonly Message[]> {
  const messages = await context.loadMessages(kept.map(({ hash }) => hash))
  return messages.map((message, index) => {
    const { citations } = kept[index] as KeptMessage
    return citations === undefined ? message : { ...message, citations }
  })
}
