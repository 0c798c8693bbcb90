import type { CslItem } from '../../../citations/source.ts'
import type { Hash } from '../../../kernel/json.ts'
import { findElement, textContent } from '../../xml.ts'
import type { PackageParts } from './package-parts.ts'

/** The properties of an Office document. */
export interface CoreProperties {
  readonly title?: string
  readonly authors: readonly string[]
  readonly issued?: CslItem['issued']
  readonly language?: string
  readonly abstract?: string
}

/** Default titles given by programs. */
const emptyTitle =
  /^(?:untitled|(?:power ?point )?presentation\d*|document\d*|book\d*|microsoft (?:word|office)\b.*|slide \d+|.*\.(?:docx?|xlsx?|pptx?|dotx?|potx?))$/i

/** Reads the non-empty properties of an Office document. */
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

/** Programs without a date write the start of 1601, 1900 or 1970. */
const unknownUntilYear = 1_970

/** The day of an ISO date, if its year is after `afterYear`. */
export function toIssued(written: string, afterYear = unknownUntilYear): CslItem['issued'] {
  const parts = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?/.exec(written)?.slice(1)
  const numbers = (parts ?? []).filter((part) => part !== undefined).map(Number)
  const [year = 0] = numbers
  return year > afterYear ? { 'date-parts': [numbers] } : undefined
}
