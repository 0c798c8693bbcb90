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
 * Stores a message: its texts and tool results with marks of local numbers, and in `citations` the index's number for
 * each. Addresses get numbers of the index. Numbers without an address refer to the index's sources if a user or a model
 * wrote them; in prompts and tool results they stay unchanged. A message with `citations` is already stored.
 *
 * @param keptTools tools whose results stay unchanged
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

/** Assigns local numbers to what the texts of one message cite. */
class MessageStore {
  /** The index's number for each local number. */
  private readonly locals = new Map<number, number>()
  private readonly index: CitationIndex
  /** How many numbers existed before; only those can be referred to. */
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

  /** A tool's text, including JSON, which may contain escaped addresses. */
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

/** The index's number for a cited entry. */
function mint(index: CitationIndex, { url, n, label, note }: CitedEntry): number {
  if (url === undefined) return n as number
  return index.add({
    url,
    ...(label === undefined ? {} : { title: label }),
    ...(note === undefined ? {} : { metadata: { note } }),
  }).n
}

/** Renumbers a stored text. A mark without a number was only quoted; it is escaped, so that it never cites anything. */
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
 * Renders a message for a model: the index's numbers, and no addresses outside code. Messages not stored yet are read like
 * {@link storeMessage} does, including addresses in JSON that a model wrote and addresses that only a browser recognizes.
 * Unusable addresses become "(address)".
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

/** Renumbers a message, or what is stored of it, after its branch's index was merged into another. */
export function renumberCitations<Cited extends { readonly citations?: readonly number[] }>(
  cited: Cited,
  numbers: ReadonlyMap<number, number>,
): Cited {
  const { citations } = cited
  if (citations === undefined) return cited
  return { ...cited, citations: citations.map((n) => numbers.get(n) ?? n) }
}

/** Applies `change` to each string of a value, including member names; two names that become the same stay two members. */
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

/** A message in a run's state: the hash of its stored content, and the global citation number of each local one. JSON only. */
export type MessageReference = {
  readonly hash: Hash
  /** Absent for a message without numbers. */
  readonly citations?: readonly number[]
}

/** Keeps messages in the run with what they cite; returns the form for the state. */
export function keepCitedMessages(
  context: RunContext,
  messages: readonly Message[],
): readonly MessageReference[] {
  const hashes = context.keepMessages(messages)
  return messages.map(({ citations }, index) => ({
    hash: hashes[index] as Hash,
    ...(citations === undefined ? {} : { citations }),
  }))
}

/** Loads messages kept in the run, with what they cite. @throws `step_missing` */
export async function loadCitedMessages(
  context: RunContext,
  kept: readonly MessageReference[],
): Promise<readonly Message[]> {
  const messages = await context.loadMessages(kept.map(({ hash }) => hash))
  return messages.map((message, index) => {
    const { citations } = kept[index] as MessageReference
    return citations === undefined ? message : { ...message, citations }
  })
}
