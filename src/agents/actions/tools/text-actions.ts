import * as z from 'zod'
import { splitSentences } from '../../../claims/language/sentences.ts'
import type { Json } from '../../../kernel/json.ts'
import { readContentWords } from '../../../retrieval/words.ts'
import { ignoredParam, type ToolAction } from '../action.ts'
import { readMarkdown } from './markdown-parts.ts'
import { defineToolAction } from './tool-action.ts'

const byWords = 'references are matched by shared words'

/** Works on texts. */
export function textActions(): readonly ToolAction[] {
  return [citeAction(), markdownAction()]
}

function citeAction(): ToolAction {
  return defineToolAction({
    name: 'text.insert_citations',
    description:
      'Adds a mark [n] to the sentence that best matches each reference by shared words, and a reference list at the end. Headings, code, abstract and conclusions get no marks. A mark shows where a reference fits, not that the sentence is true.',
    input: z.strictObject({
      text: z
        .string()
        .max(1_000_000)
        .describe('The text in Markdown, at most 1,000,000 characters.'),
      references: z
        .array(z.string().trim().min(1).max(5_000))
        .max(500)
        .default([])
        .describe('The references as they should be listed; at most 500.'),
      model: ignoredParam(byWords),
      api_key: ignoredParam(byWords),
      base_url: ignoredParam(byWords),
    }),
    effect: 'pure',
    result:
      '{text, cited_text, references_section, citation_map: {n: reference}, uncited: references that match no sentence, success}',
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
  return defineToolAction({
    name: 'markdown.parse',
    description: 'Parses Markdown: title, sections, tasks, template variables and front matter.',
    input: z.strictObject({
      content: z.string().max(2_000_000).describe('The text, at most 2,000,000 characters.'),
      extract: z.array(z.enum(parts)).optional().describe('Parts to return; all by default.'),
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

/** A text with citation marks, and the references of its numbers. */
interface CitedText {
  readonly text: string
  /** In order of their first mark. */
  readonly cited: readonly { readonly n: number; readonly reference: string }[]
  /** References that match no sentence. */
  readonly uncited: readonly string[]
}

/** A sentence that may be cited. */
interface Place {
  readonly start: number
  readonly end: number
  readonly words: ReadonlySet<string>
}

/** Number of words that a sentence and a reference must share. */
const minShared = 2
/** Sections whose sentences are not cited. */
const uncitedSections =
  /^(?:abstract|summary|conclusions?|references|bibliography|works cited|literature)\b/i

/**
 * Adds a mark `[n]` to the sentence that matches each reference best by shared words, weighting rare words more.
 * References that share fewer than two words with every sentence get none. Numbers continue after existing ones.
 */
export function insertCitations(text: string, references: readonly string[]): CitedText {
  const places = findPlaces(text)
  const weights = computeWeights(places)
  const found = references.map((reference) => ({
    reference,
    place: findBestPlace(reference, places, weights),
  }))
  const cited = found
    .flatMap(({ reference, place }) => (place === undefined ? [] : [{ reference, place }]))
    .sort((one, other) => one.place.start - other.place.start)
  const first = findHighestNumber(text) + 1
  const marked = cited.map((one, index) => ({ ...one, n: first + index }))
  return {
    text: insertMarks(text, marked),
    cited: marked.map(({ n, reference }) => ({ n, reference })),
    uncited: found.flatMap(({ reference, place }) => (place === undefined ? [reference] : [])),
  }
}

function findPlaces(text: string): readonly Place[] {
  const hidden = findHiddenSpans(text)
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

/** Code, and sections that are not cited. */
function findHiddenSpans(text: string): readonly Span[] {
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

function computeWeights(places: readonly Place[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const { words } of places)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return (word) => Math.log(1 + places.length / (counts.get(word) ?? 1))
}

function findBestPlace(
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

function findHighestNumber(text: string): number {
  const marks = [...text.matchAll(/\[(\d{1,4})\](?![(:])/g)].map(({ 1: n }) => Number(n))
  return marks.reduce((most, n) => Math.max(most, n), 0)
}

function insertMarks(
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
