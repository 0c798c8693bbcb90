import { type Hash, hashJson } from '../kernel/json.ts'
import type {
  dateVariables,
  nameVariables,
  numberVariables,
  textVariables,
} from './csl-variables.ts'

/** A source's id: the SHA-256 of its bytes as they were read, so a changed file is another source. */
export type SourceId = Hash
/** A passage's id: `<first 16 digits of the source id>:<start>-<end>`. */
export type PassageId = string & { readonly __brand: 'PassageId' }

/** A person by the parts of the name, or an organisation as `literal`. */
export type CslName = {
  readonly family?: string
  readonly given?: string
  readonly literal?: string
  readonly suffix?: string
  /** A particle dropped together with the given name: the "van" of "Ludwig van Beethoven". */
  readonly 'dropping-particle'?: string
  /** A particle that stays with the family name: the "de" of "de Gaulle". */
  readonly 'non-dropping-particle'?: string
}

/** A day, month, year or range of two as `date-parts` (year, month 1–12, day 1–31); anything else as `literal`. */
export type CslDate = {
  readonly 'date-parts'?: readonly (readonly number[])[]
  readonly literal?: string
  /** 1–4: spring to winter. */
  readonly season?: number
  /** Whether the date is approximate. */
  readonly circa?: boolean
}

/**
 * A work in CSL-JSON, the form in which works are recorded: JSON only, the variables of CSL 1.0.2.
 * @see https://docs.citationstyles.org/en/stable/specification.html#appendix-iv-variables
 */
export type CslItem = {
  readonly id: string
  readonly type: string
} & { readonly [name in (typeof textVariables)[number]]?: string } & {
  readonly [name in (typeof numberVariables)[number]]?: string | number
} & { readonly [name in (typeof nameVariables)[number]]?: readonly CslName[] } & {
  readonly [name in (typeof dateVariables)[number]]?: CslDate
}

/** Something that was read, kept as a snapshot under the hash of its content. */
export type Source = {
  readonly id: SourceId
  readonly kind:
    | 'pdf'
    | 'markdown'
    | 'text'
    | 'html'
    | 'docx'
    | 'xlsx'
    | 'pptx'
    | 'epub'
    | 'csv'
    | 'image'
  readonly title: string
  /** Where it was read: an absolute path for files. */
  readonly path?: string
  /** Where on the web it was read. */
  readonly url?: string
  readonly sizeBytes: number
  readonly pageCount?: number
  readonly csl: CslItem
}

/**
 * A hash of how a source is cited: its title, address or file name, and reference. It ties them to the text that was read.
 * Folders are left out, since bundles do not contain them.
 */
export function hashCitation({ id, title, path, url, csl }: Source): Hash {
  const name = url ?? path?.split(/[\\/]/).at(-1) ?? null
  return hashJson({ id, title, name, csl })
}

/** A span of a source's text. `start` and `end` count UTF-16 code units in the snapshot's text; `text` is exactly that slice. */
export type Passage = {
  readonly id: PassageId
  readonly sourceId: SourceId
  readonly start: number
  readonly end: number
  /** From 1; only for sources with pages. A passage never crosses a page. */
  readonly page?: number
  /** The nearest heading above, for sources with headings. */
  readonly section?: string
  readonly text: string
}

/** The id of a span of a source. */
export function passageId(sourceId: SourceId, start: number, end: number): PassageId {
  return `${sourceId.slice(0, 16)}:${start}-${end}` as PassageId
}
