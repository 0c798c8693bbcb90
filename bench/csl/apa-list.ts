import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getDocumentProxy } from 'unpdf'
import { formatBibliography } from '../../src/bibliography/format-bibliography.ts'
import { parseBibtex } from '../../src/bibliography/parse-bibtex.ts'

/** One reference as biblatex-apa typesets it and as we write it. */
export interface ApaEntry {
  readonly key: string
  readonly type: string
  readonly expected: string
  readonly found: string
  /** From 0 to 1: 1 less the edits between the two, as part of the longer; white space and hyphens do not count. */
  readonly similarity: number
  /** The same, capitals and small letters taken for equal. */
  readonly similarityOfWords: number
}

/** Every reference of the list in the PDF whose key is in the `.bib` file; of some sections of the manual where they are named. */
export async function apaEntries(
  folder: string,
  sections?: readonly string[],
): Promise<readonly ApaEntry[]> {
  const expected = await typesetList(join(folder, 'reference.pdf'))
  const { items } = await parseBibtex(
    readFileSync(join(folder, 'biblatex-apa-test-references.bib'), 'utf8'),
  )
  const listed = items.filter(
    ({ id }) => expected.has(id) && (sections === undefined || sections.includes(sectionOf(id))),
  )
  const found = new Map<string, string>()
  // Each section of the PDF has a list of its own: letters behind years are given within it.
  for (const section of new Set(listed.map(({ id }) => sectionOf(id)))) {
    const works = listed.filter(({ id }) => sectionOf(id) === section)
    const references = await formatBibliography(works, { style: 'apa' })
    for (const { id, text } of references) found.set(id, text)
  }
  return listed.map(({ id, type }) => {
    const [one, other] = [expected.get(id) ?? '', found.get(id) ?? '']
    const texts = [plain(one), plain(other)] as const
    const words = [plain(one.toLowerCase()), plain(other.toLowerCase())] as const
    return {
      key: id,
      type,
      expected: one,
      found: other,
      similarity: similarity(...texts),
      similarityOfWords: similarity(...words),
    }
  })
}

function sectionOf(key: string): string {
  return key.split(':')[0] ?? ''
}

interface TextItem {
  readonly str: string
  readonly transform: readonly number[]
}

/** Keys stand in the left margin next to an entry's first line; its other lines are indented. */
const MARGIN_X = 60
const INDENT_X = 110

async function typesetList(path: string): Promise<ReadonlyMap<string, string>> {
  const file = await getDocumentProxy(new Uint8Array(readFileSync(path)))
  const entries = new Map<string, string>()
  let key: string | undefined
  for (let number = 1; number <= file.numPages; number++) {
    const { items } = await (await file.getPage(number)).getTextContent()
    for (const { label, x, text } of linesOf(items as unknown as readonly TextItem[])) {
      if (label !== undefined) key = label
      else if (x < INDENT_X) key = undefined
      if (key !== undefined) entries.set(key, `${entries.get(key) ?? ''}\n${text}`)
    }
  }
  return new Map([...entries].map(([name, text]) => [name, joined(text)]))
}

interface Line {
  readonly label: string | undefined
  readonly x: number
  readonly text: string
}

function linesOf(items: readonly TextItem[]): readonly Line[] {
  const lines = new Map<number, TextItem[]>()
  for (const item of items) {
    const y = Math.round(item.transform[5] ?? 0)
    if (item.str !== '') lines.set(y, [...(lines.get(y) ?? []), item])
  }
  return [...lines]
    .sort(([one], [other]) => other - one)
    .map(([, parts]) => {
      const xOf = ({ transform }: TextItem) => transform[4] ?? 0
      const sorted = [...parts].sort((one, other) => xOf(one) - xOf(other))
      const labels = sorted.filter((part) => xOf(part) < MARGIN_X && !part.str.startsWith('\\'))
      const body = sorted.filter((part) => !labels.includes(part))
      const label = labels
        .map(({ str }) => str)
        .join('')
        .trim()
      const first = body[0]
      return {
        label: label === '' || first === undefined ? undefined : label,
        x: first === undefined ? 0 : xOf(first),
        text: body.map(({ str }) => str).join(''),
      }
    })
    .filter(({ text }) => text.trim() !== '' && !/^\d+$/.test(text.trim()))
}

/** Lines joined; a hyphen at a line's end may be a word's own, so hyphens are not compared. */
function joined(text: string): string {
  return text.trim().replace(/-\n/g, '-').replace(/\n/g, ' ').replace(/\s+/g, ' ')
}

function plain(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
    .replace(/…/g, '...')
    .replace(/[\s\-‐]+/g, '')
}

/** @see https://en.wikipedia.org/wiki/Levenshtein_distance */
function similarity(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    for (let k = 1; k <= other.length; k += 1) {
      const change = (row[k - 1] ?? 0) + (one[i - 1] === other[k - 1] ? 0 : 1)
      next.push(Math.min(change, (row[k] ?? 0) + 1, (next[k - 1] ?? 0) + 1))
    }
    row = next
  }
  return 1 - (row[other.length] ?? 0) / Math.max(1, one.length, other.length)
}
