import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { cslItemFrom } from '../citations/bibliography/csl-item.ts'
import {
  type BibliographyFormat,
  formatBibliography,
  parseBibtex,
  type Refusal,
  toBibtex,
  toRis,
} from '../citations/bibliography/index.ts'
import type { CslItem } from '../citations/source.ts'
import { ScholiumError } from '../kernel/errors.ts'

/** The forms in which references are given out. */
export const referenceFormats = ['text', 'markdown', 'html', 'bibtex', 'ris', 'csl'] as const
export type ReferenceFormat = (typeof referenceFormats)[number]

/** How references are written. */
export interface ReferenceOptions {
  /** `apa` (7th edition), `chicago` (author-date), `ieee`, `apa-arxiv`, or the path of a CSL file. Default `apa`. */
  readonly style?: string
  /** Default `text`. `bibtex`, `ris` and `csl` (CSL-JSON) have no style. */
  readonly format?: ReferenceFormat
}

/** References as they are to be handed out. */
export interface References {
  readonly items: readonly CslItem[]
  readonly text: string
  /** Entries of a file that could not be read. */
  readonly refused: readonly Refusal[]
}

/** Whether a word names a file of references: a BibTeX file or CSL-JSON. */
export function isReferenceFile(from: string, folder: string): boolean {
  return /\.(?:bib|bibtex|json)$/i.test(from) && existsSync(resolve(folder, from))
}

/** The works of a BibTeX or CSL-JSON file. @throws `invalid_input` for one that cannot be read */
export async function readReferences(path: string): Promise<Pick<References, 'items' | 'refused'>> {
  if (statSync(path).size > largestFile) {
    throw new ScholiumError('invalid_input', `${path} is larger than ${largestFile} bytes.`, {
      hint: 'Split the file.',
    })
  }
  const text = readFileSync(path, 'utf8')
  if (!/\.json$/i.test(path)) return parseBibtex(text)
  return { items: cslItemsOf(text, path), refused: [] }
}

/** In bytes. */
const largestFile = 20_000_000

function cslItemsOf(text: string, path: string): readonly CslItem[] {
  try {
    const records: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (Array.isArray(records) && records.every((record) => isRecord(record)))
      return records.map((record, index) => cslItemFrom(record, String(record.id ?? index + 1)))
  } catch {
    // Told below: what is no JSON is no CSL-JSON either.
  }
  throw new ScholiumError('invalid_input', `${path} is no CSL-JSON: that is a list of works.`, {
    hint: 'Export it as CSL-JSON, or as BibTeX with a name that ends in .bib.',
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Writes works as a list of references.
 * @throws `invalid_input` for a style that cannot be used, `invalid_configuration` where the package for styles is missing
 */
export async function writeReferences(
  items: readonly CslItem[],
  { style = 'apa', format = 'text' }: ReferenceOptions,
  folder: string,
): Promise<string> {
  if (format === 'bibtex') return toBibtex(items)
  if (format === 'ris') return toRis(items)
  if (format === 'csl') return JSON.stringify(items, null, 2)
  const entries = await formatBibliography(items, { style: styleText(style, folder), format })
  return entries.map(({ text }) => text).join(between[format])
}

const between: Readonly<Record<BibliographyFormat, string>> = {
  text: '\n',
  markdown: '\n\n',
  html: '\n',
}

/** The text of a CSL file, or the name of a style. */
function styleText(style: string, folder: string): string {
  const path = resolve(folder, style)
  return /\.csl$/i.test(style) || (existsSync(path) && statSync(path).isFile())
    ? fileText(path)
    : style
}

function fileText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ScholiumError('invalid_input', `The style ${path} cannot be read.`, {
      hint: 'Name a CSL file, or one of apa, chicago, ieee, apa-arxiv.',
      cause,
    })
  }
}
