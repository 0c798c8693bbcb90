import type { CslItem } from '../../../citations/source.ts'
import type { Hash } from '../../../kernel/json.ts'
import { findElement, textContent } from '../../xml.ts'
import type { PackageParts } from './package-parts.ts'

/** What the properties of an Office document say of it. */
export interface CoreProperties {
  readonly title?: string
  readonly authors: readonly string[]
  readonly issued?: CslItem['issued']
  readonly language?: string
  readonly abstract?: string
}

/** Titles that programs give by themselves. */
const emptyTitle =
  /^(?:untitled|(?:power ?point )?presentation\d*|document\d*|book\d*|microsoft (?:word|office)\b.*|slide \d+|.*\.(?:docx?|xlsx?|pptx?|dotx?|potx?))$/i

/** The properties of an Office document, as far as they say something. */
export async function readCoreProperties(parts: PackageParts): Promise<CoreProperties> {
  const links = await parts.relationships('')
  const name = links.find(({ type }) => type === 'core-properties')?.target ?? 'docProps/core.xml'
  const all = await parts.xml(name)
  const value = (key: string) => textContent(findElement(all, key)).replace(/\s+/g, ' ').trim()
  const title = value('title')
  const abstract = value('description')
  const language = value('language')
  const issued = toIssued(value('created')) ?? toIssued(value('modified'))
  return {
    authors: value('creator')
      .split(/\s*;\s*/)
      .filter((author) => author !== ''),
    ...(title === '' || emptyTitle.test(title) ? {} : { title }),
    ...(issued === undefined ? {} : { issued }),
    ...(language === '' ? {} : { language }),
    ...(abstract === '' ? {} : { abstract }),
  }
}

/** A document's CSL-JSON. */
export function toCsl(
  id: Hash,
  type: string,
  title: string,
  { authors, issued, language, abstract }: CoreProperties,
): CslItem {
  const author = authors.map((literal) => ({ literal }))
  return {
    id,
    type,
    title,
    ...(author.length === 0 ? {} : { author }),
    ...(issued === undefined ? {} : { issued }),
    ...(language === undefined ? {} : { language }),
    ...(abstract === undefined ? {} : { abstract }),
  }
}

/** The last year that a program may write that knows no date: the starts of 1601, 1900 and 1970. */
const unknownUntilYear = 1_970

/** The day of a date in ISO form, if its year is later than `afterYear`. */
export function toIssued(written: string, afterYear = unknownUntilYear): CslItem['issued'] {
  const parts = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(written)?.slice(1)
  const numbers = (parts ?? []).filter((part) => part !== undefined).map(Number)
  const [year = 0] = numbers
  return year > afterYear ? { 'date-parts': [numbers] } : undefined
}
