import * as z from 'zod'
import { splitSentences } from '../../../claims/language/sentences.ts'
import type { Json } from '../../../kernel/json.ts'
import { readContentWords } from '../../../retrieval/words.ts'
import { type ToolAction, unusedParam } from '../action.ts'
import { readMarkdown } from './markdown-parts.ts'
import { toolAction } from './tool-action.ts'

const byWords = 'references are matched by the words that they share'

/** Works on texts. */
export function textActions(): readonly ToolAction[] {
  return [citeAction(), markdownAction()]
}

function citeAction(): ToolAction {
  return toolAction({
    name: 'text.insert_citations',
    description:
      'Puts a mark [n] at the sentence that fits each reference best, by the words that they share, and a list of references at the end. Headings, code, the abstract and the conclusions get no marks. It says where a reference fits, not that the sentence is true.',
    input: z.strictObject({
      text: z
        .string()
        .max(1_000_000)
        .describe('The text in Markdown, at most 1,000,000 characters.'),
      references: z
        .array(z.string().trim().min(1).max(5_000))
        .max(500)
        .default([])
        .describe('The references, as they are to be listed; at most 500.'),
      model: unusedParam(byWords),
      api_key: unusedParam(byWords),
      base_url: unusedParam(byWords),
    }),
    effect: 'pure',
    result:
      '{text, cited_text, references_section, citation_map: {n: reference}, uncited: references that fit no sentence, success}',
    async execute({ text, references }): Promise<Json> {
      const { text: citedText, cited, uncited } = insertCitations(text, references)
      const lines = cited.map(({ n, reference }) => `${n}. ${reference.replaceAll(/\s+/g, ' ')}`)
      const section = lines.length === 0 ? '' : `## References\n\n${lines.join('\n')}`
      return {
        text: section === '' ? citedText : `${citedText.trimEnd()}\n\n${section}\n`,
        cited_text: citedText,
        references_section: section,
        citation_map: Object.fromEntries(cited.map(({ n, reference }) => [String(n), reference])),
        uncited,
        success: true,
      }
    },
  })
}

function markdownAction(): ToolAction {
  const parts = ['title', 'sections', 'variables', 'frontmatter', 'tasks'] as const
  return toolAction({
    name: 'markdown.parse',
    description:
      'Takes a text in Markdown apart: its title, sections, tasks, template variables and front matter.',
    input: z.strictObject({
      content: z.string().max(2_000_000).describe('The text, at most 2,000,000 characters.'),
      extract: z.array(z.enum(parts)).optional().describe('Which parts; all by default.'),
    }),
    effect: 'pure',
    result:
      '{title, sections: [{id, section_type, content, order_idx, variables, level, language}], variables, frontmatter, tasks: [{text, checked, indent, ac_refs, line_number}], success}, or {error, success: false, error_type}',
    async execute({ content, extract = parts }): Promise<Json> {
      const read = await readMarkdown(content)
      if ('error' in read) return read
      const chosen = parts
        .filter((part) => extract.includes(part))
        .map((part) => [part, read[part] ?? null])
      return { ...Object.fromEntries(chosen), success: true }
    },
  })
}

/** A text with marks, and what its numbers stand for. */
interface CitedText {
  readonly text: string
  /** In the order of their first mark. */
  readonly cited: readonly { readonly n: number; readonly reference: string }[]
  /** References that fit no sentence. */
  readonly uncited: readonly string[]
}

/** A sentence that may be cited at. */
interface Place {
  readonly start: number
  readonly end: number
  readonly words: ReadonlySet<string>
}

/** How many words a sentence and a reference must share. */
const minShared = 2
/** Sections whose sentences are not cited at. */
const uncitedSections =
  /^(?:abstract|summary|conclusions?|references|bibliography|works cited|literature)\b/i

/**
 * Puts a mark `[n]` at the sentence that fits each reference best, by the words that they share: rare ones count for more.
 * References that share fewer than two words with each sentence get none. Numbers go on after those that the text has.
 */
export function insertCitations(text: string, references: readonly string[]): CitedText {
  const places = placesIn(text)
  const weights = weightsOf(places)
  const found = references.map((reference) => ({
    reference,
    place: bestPlace(reference, places, weights),
  }))
  const cited = found
    .flatMap(({ reference, place }) => (place === undefined ? [] : [{ reference, place }]))
    .sort((one, other) => one.place.start - other.place.start)
  const first = highestNumber(text) + 1
  const marked = cited.map((one, index) => ({ ...one, n: first + index }))
  return {
    text: withMarks(text, marked),
    cited: marked.map(({ n, reference }) => ({ n, reference })),
    uncited: found.flatMap(({ reference, place }) => (place === undefined ? [reference] : [])),
  }
}

function placesIn(text: string): readonly Place[] {
  const hidden = hiddenSpans(text)
  return splitSentences(text)
    .filter(({ start, end }) => !/^\s{0,3}#{1,6}\s/.test(text.slice(start, end)))
    .filter(({ start, end }) => !hidden.some((span) => start < span.end && end > span.start))
    .map((span) => ({
      ...span,
      words: new Set(readContentWords(text.slice(span.start, span.end))),
    }))
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Code, and sections that are not cited at. */
function hiddenSpans(text: string): readonly Span[] {
  const code = [
    ...text.matchAll(/^ {0,3}(```|~~~)[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|(?![\s\S]))/gm),
  ]
  const spans: Span[] = code.map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
  }))
  const headings = [...text.matchAll(/^ {0,3}(#{1,6})[ \t]+([^\n]+)$/gm)].map(
    ({ index, 1: marks = '', 2: title = '' }) => ({ start: index, level: marks.length, title }),
  )
  for (const [index, { start, level, title }] of headings.entries()) {
    if (!uncitedSections.test(title.replace(/^[\d.\s*_]+/, ''))) continue
    const next = headings.slice(index + 1).find((heading) => heading.level <= level)
    spans.push({ start, end: next?.start ?? text.length })
  }
  return spans
}

function weightsOf(places: readonly Place[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const { words } of places)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + places.length / (counts.get(word) ?? 1))
}

function bestPlace(
  reference: string,
  places: readonly Place[],
  weightOf: (word: string) => number,
): Place | undefined {
  const words = [...new Set(readContentWords(reference))]
  let best: { readonly place: Place; readonly score: number } | undefined
  for (const place of places) {
    const shared = words.filter((word) => place.words.has(word))
    if (shared.length < minShared) continue
    const score =
      shared.reduce((sum, word) => sum + weightOf(word), 0) / Math.sqrt(place.words.size)
    if (best === undefined || score > best.score) best = { place, score }
  }
  return best?.place
}

function highestNumber(text: string): number {
  const marks = [...text.matchAll(/\[(\d{1,4})\](?![(:])/g)].map(({ 1: n }) => Number(n))
  return marks.reduce((most, n) => Math.max(most, n), 0)
}

function withMarks(
  text: string,
  marked: readonly { readonly n: number; readonly place: Place }[],
): string {
  const byEnd = new Map<number, number[]>()
  for (const { n, place } of marked) byEnd.set(place.end, [...(byEnd.get(place.end) ?? []), n])
  let result = ''
  let from = 0
  for (const [end, numbers] of [...byEnd].sort(([one], [other]) => one - other)) {
    const stop = /[.!?…。！？]+["'”’»)\]*_]*$/.exec(text.slice(from, end))?.[0].length ?? 0
    const marks = numbers.map((n) => `[${n}]`).join('')
    result += `${text.slice(from, end - stop)} ${marks}${text.slice(end - stop, end)}`
    from = end
  }
  return result + text.slice(from)
}
