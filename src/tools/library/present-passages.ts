import { formatPassages } from '../../citations/format-passages.ts'
import type { EvidenceLedger } from '../../citations/ledger.ts'
import type { ShownPassage } from '../../citations/role-requests.ts'
import type { PassageId } from '../../citations/source.ts'
import type { ToolResultPart } from '../../kernel/agent/message.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { formatResult } from '../../kernel/text/result-text.ts'
import type { FoundPassage, ListedSource } from './library-tools.ts'

/** How a conversation is shown passages. */
export interface Presentation {
  /** `text` for language models, `json` for engines that compute with the passages. */
  readonly form: 'text' | 'json'
  /** Passages beyond are left out. Default: none are. */
  readonly maxCharacters?: number
  /** What the conversation has been shown: a text names such a passage without repeating it. What is shown is added. */
  readonly shown?: Set<PassageId>
}

/**
 * A tool's result in which every passage stands under its source's number; the number is minted when it is first read. Results
 * without passages or titles are returned as they are.
 */
export function presentPassages(
  ledger: EvidenceLedger,
  result: ToolResultPart,
  { form, maxCharacters = Infinity, shown = new Set() }: Presentation,
): ToolResultPart {
  const { output, isError } = result
  if (isError === true || !isJsonObject(output)) return result
  const { passages: given, sources, ...rest } = output
  if (Array.isArray(given)) {
    const found = given as unknown as readonly FoundPassage[]
    const isShown = (passage: FoundPassage) => form === 'text' && shown.has(passage.passageId)
    const passages = firstThatFit(found, maxCharacters, isShown).map((passage) =>
      numberPassage(ledger, passage),
    )
    if (form === 'json') return { ...result, output: { ...output, passages } as unknown as Json }
    const repeated = passages.filter(isShown)
    for (const { passageId } of passages) shown.add(passageId)
    return { ...result, output: describePassages({ passages, repeated, output }, found.length) }
  }
  if (form === 'json' || !Array.isArray(sources) || rest.sourcesInAll === undefined) return result
  const listed = sources as unknown as readonly ListedSource[]
  return { ...result, output: describeSources(ledger, listed, Number(rest.sourcesInAll)) }
}

function numberPassage(ledger: EvidenceLedger, passage: FoundPassage): ShownPassage {
  const { citedAs: _bound, ...shown } = passage
  return { ...shown, n: ledger.read(passage).n }
}

/** Room for what stands around a passage. */
const aroundPassage = 150

/** The first passages that fit; at least one. Those that were shown before take no room. */
function firstThatFit(
  passages: readonly FoundPassage[],
  maxCharacters: number,
  isShown: (passage: FoundPassage) => boolean,
): readonly FoundPassage[] {
  let left = maxCharacters - aroundPassage
  const end = passages.findIndex((passage) => {
    if (!isShown(passage)) left -= passage.text.length + aroundPassage
    return left < 0
  })
  return end < 0 ? passages : passages.slice(0, Math.max(1, end))
}

/** Fields of results that say nothing, or nothing in addition to the passages. */
const saidOtherwise = ['passages', 'passagesLeft', 'isVerbatim', 'query', 'citation', 'title']

/** Passages of a result, those of them that were shown before, and the result itself. */
interface Described {
  readonly passages: readonly ShownPassage[]
  readonly repeated: readonly ShownPassage[]
  readonly output: JsonObject
}

function describePassages({ passages, repeated, output }: Described, found: number): string {
  const { isVerbatim, passagesLeft } = output
  const fresh = passages.filter((passage) => !repeated.includes(passage))
  const others = Object.entries(output).filter(([name]) => !saidOtherwise.includes(name))
  const verbatim = isVerbatim ? 'These words stand there exactly like this:' : noSuchWords
  const parts = [
    ...(typeof isVerbatim === 'boolean' ? [verbatim] : []),
    ...(passages.length === 0 ? ['There is no such passage.'] : []),
    ...(fresh.length === 0 ? [] : [formatPassages(fresh)]),
    ...(repeated.length === 0
      ? []
      : [`Shown to you above: ${repeated.map(namePassage).join(', ')}.`]),
    ...(others.length === 0 ? [] : [formatResult(Object.fromEntries(others))]),
    ...(passagesLeft === undefined
      ? describeLeftOut(found - passages.length)
      : describeRest(passages.at(-1), Number(passagesLeft) + found - passages.length)),
  ]
  return parts.join('\n\n')
}

function namePassage({ n, page, start }: ShownPassage): string {
  return `[${n}]${page === undefined ? '' : ` page ${page}`} at ${start}`
}

const noSuchWords = 'These words do not stand there exactly like this. The closest passage:'

function describeLeftOut(count: number): readonly string[] {
  if (count <= 0) return []
  return [`${count} more found; ask for fewer at once, or in one source.`]
}

function describeRest(last: ShownPassage | undefined, left: number): readonly string[] {
  if (last === undefined || left <= 0) return []
  const call = JSON.stringify({ citation: last.n, after: last.start })
  return [
    `${left} more ${left === 1 ? 'passage' : 'passages'} of it: read_source ${call} reads on.`,
  ]
}

/** Titles, one a line; with the numbers of the sources that have one already. */
function describeSources(
  { citations }: EvidenceLedger,
  sources: readonly ListedSource[],
  inAll: number,
): string {
  const numbers = new Map(citations.map(({ n, sourceId }) => [sourceId, n]))
  const lines = sources.map(({ sourceId, title, pageCount }) => {
    const n = numbers.get(sourceId)
    const pages = pageCount === undefined ? '' : ` (${pageCount} pages)`
    return `${n === undefined ? '-' : `[${n}]`} ${title.replaceAll(/\s+/g, ' ')}${pages}`
  })
  const left = inAll - sources.length
  const rest = left > 0 ? [`${left} more; give words of the titles wanted.`] : []
  return lines.length === 0 ? 'There is no such source.' : [...lines, ...rest].join('\n')
}
