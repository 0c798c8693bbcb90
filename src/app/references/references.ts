import { resolve } from 'node:path'
import {
  type BibliographyFormat,
  type BibtexNote,
  formatBibliography,
  type Refusal,
  toBibtex,
  toRis,
} from '../../bibliography/bibliography.ts'
import type { CslItem } from '../../citations/source.ts'
import { readWhole } from '../../files/opened.ts'
import { ScholiumError } from '../../kernel/errors.ts'

/** The forms in which references are given out. */
export type ReferenceFormat = BibliographyFormat | 'bibtex' | 'ris' | 'csl'

/** How references are written. */
export interface ReferenceOptions {
  /**
   * `apa` (7th edition), `chicago` (author-date), `ieee`, `apa-arxiv`, or the path of a CSL file, which ends in `.csl` or has
   * a slash. Default `apa`.
   */
  readonly style?: string
  /** Default `text`. `bibtex`, `ris` and `csl` (CSL-JSON) have no style. */
  readonly format?: ReferenceFormat
}

/** A work of a list of references; `n` is its number in the answer that cites it. */
export type ReferenceItem = CslItem & { readonly n?: number }

/** What could not be read: an entry or a field of BibTeX, a work of CSL-JSON by its place (from 1), or, with only a reason, the whole file. */
export interface RefusedReference extends Refusal {
  readonly index?: number
}

/** Works to be written, with what was met on the way. */
export interface ReadReferences {
  readonly items: readonly ReferenceItem[]
  readonly refused: readonly RefusedReference[]
  /** What was read otherwise than it may have been meant. */
  readonly notes: readonly BibtexNote[]
}

/** References as they are to be handed out. */
export interface References extends ReadReferences {
  readonly text: string
}

/**
 * Writes works as a list of references. HTML is one element with a block for each work.
 * @throws `invalid_input` for a style that cannot be used or has no effect, `invalid_configuration` where the package for
 * styles is missing
 */
export async function writeReferences(
  references: readonly ReferenceItem[],
  { style, format = 'text' }: ReferenceOptions,
  folder: string,
): Promise<string> {
  const items = references.map(({ n: _, ...item }): CslItem => item)
  if (isData(format)) {
    if (style !== undefined) throw withoutEffect(format)
    if (format === 'bibtex') return toBibtex(items)
    return format === 'ris' ? toRis(items) : JSON.stringify(items, null, 2)
  }
  const numbers = references.flatMap(({ n }) => n ?? [])
  const entries = await formatBibliography(items, {
    style: await styleText(style ?? 'apa', folder),
    format,
    ...(numbers.length < items.length ? {} : { numbers }),
  })
  const texts = entries.map(({ text }) => text)
  return format === 'html' ? page(texts) : texts.join(format === 'markdown' ? '\n\n' : '\n')
}

function isData(format: ReferenceFormat): format is 'bibtex' | 'ris' | 'csl' {
  return format === 'bibtex' || format === 'ris' || format === 'csl'
}

function withoutEffect(format: ReferenceFormat): ScholiumError {
  return new ScholiumError('invalid_input', `A style has no effect on ${format}.`, {
    hint: 'Omit the style, or use the format text, markdown or html.',
  })
}

/** The names of classes are those that style sheets for CSL know. */
function page(entries: readonly string[]): string {
  const blocks = entries.map((entry) => `  <div class="csl-entry">${entry}</div>\n`)
  return blocks.length === 0 ? '' : `<div class="csl-bib-body">\n${blocks.join('')}</div>`
}

/**
 * The text of a CSL file, or the name of a style as it stands: only what ends in `.csl` or has a slash is a file.
 * @throws `invalid_input` for a file that cannot be read or is no XML
 */
export async function styleText(style: string, folder: string): Promise<string> {
  if (!/\.csl$|[/\\]/i.test(style)) {
    // Text that begins so would be taken for a style itself.
    return style.trimStart().startsWith('<') ? `"${style}"` : style
  }
  const text = await fileText(resolve(folder, style))
  if (/^\ufeff?\s*</.test(text)) return text
  throw unusable(`${style} is not a CSL style: it is not XML.`)
}

/** In bytes. */
const largestStyle = 10_000_000

async function fileText(path: string): Promise<string> {
  try {
    return (await readWhole(path, largestStyle)).toString('utf8')
  } catch (cause) {
    throw unusable(`The style ${path} cannot be read.`, cause)
  }
}

function unusable(message: string, cause?: unknown): ScholiumError {
  return new ScholiumError('invalid_input', message, {
    hint: 'Give a CSL file, or one of apa, chicago, ieee, apa-arxiv.',
    ...(cause === undefined ? {} : { cause }),
  })
}
