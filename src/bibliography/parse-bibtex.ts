import type { CslItem } from '../citations/source.ts'
import { ScholiumError } from '../kernel/errors.ts'
import { protectLongNames, toBibtexItem } from './bibtex-item.ts'
import { type BibtexNote, type Refusal, type ScannedEntry, scanBibtex } from './bibtex-scan.ts'
import { type BibtexEntry, type CitationJs, loadCitationJs } from './citation-js.ts'
import { readText } from './csl-item.ts'
import { parseTexAddress, replaceUnknownCommands } from './tex-commands.ts'

type Fields = readonly (readonly [string, string])[]

/** The contents of a BibTeX file. */
export interface ParsedBibtex {
  readonly items: readonly CslItem[]
  /** Entries, or single fields of entries, that could not be read, each with its reason. */
  readonly refused: readonly Refusal[]
  /** Notes on things that may have been misread, such as an undefined `@string` name. */
  readonly notes: readonly BibtexNote[]
}

/** Maximum file size in characters. */
const maxFileChars = 10_000_000

/** Maximum length of a list of names in characters: parsing is quadratic in the words of a name. */
const maxNamesChars = 20_000

/** Full month names, which many files have without braces. */
const monthNames: Readonly<Record<string, string>> = {
  january: '01',
  february: '02',
  march: '03',
  april: '04',
  june: '06',
  july: '07',
  august: '08',
  september: '09',
  october: '10',
  november: '11',
  december: '12',
}

/** Fields that are not TeX, although many files escape them as if they were. */
const addresses = new Set(['doi', 'url', 'eprint'])

const nameFields = /author|editor|translator|annotator|commentator|introduction|afterword|holder/

/** Maximum length of a chain of inheriting entries. */
const maxParents = 8

/**
 * Parses a BibTeX or BibLaTeX file into CSL-JSON, with the entries' keys as ids. An unreadable entry or field does not affect the
 * others; each is listed in `refused` with its reason. An entry without a key gets its line as id.
 * @throws {@link ScholiumError} `invalid_input` for a file of more than 10 million characters
 */
export async function parseBibtex(text: string): Promise<ParsedBibtex> {
  if (text.length > maxFileChars) {
    throw new ScholiumError(
      'invalid_input',
      `The BibTeX file has ${text.length} characters; the maximum is ${maxFileChars}.`,
      { hint: 'Split the file.' },
    )
  }
  const library = await loadCitationJs()
  const { entries, refused, notes } = scanBibtex(text.replace(/^\ufeff/, ''), {
    ...library.strings,
    ...monthNames,
  })
  const reader = new EntryReader(library, entries)
  const items = entries.flatMap((entry) => reader.item(entry) ?? [])
  return {
    items,
    refused: [...refused, ...reader.refused].sort(compareLines),
    notes: [...notes, ...reader.notes].sort(compareLines),
  }
}

function compareLines(one: { readonly line?: number }, other: { readonly line?: number }): number {
  return (one.line ?? 0) - (other.line ?? 0)
}

class EntryReader {
  readonly refused: Refusal[] = []
  readonly notes: BibtexNote[] = []
  readonly #library: CitationJs
  readonly #reported = new Set<string>()
  readonly #byKey = new Map<string, ScannedEntry>()

  constructor(library: CitationJs, entries: readonly ScannedEntry[]) {
    this.#library = library
    for (const entry of entries) {
      if (!this.#byKey.has(entry.key)) this.#byKey.set(entry.key, entry)
    }
  }

  item(entry: ScannedEntry): CslItem | undefined {
    const { key, line, fields } = entry
    const first = this.#byKey.get(key)
    if (key !== '' && first !== undefined && first !== entry) {
      return this.#refuse(entry, `the key is already used by the entry on line ${first.line}`)
    }
    if (fields.size === 0) return this.#refuse(entry, 'the entry has no field')
    const id = key === '' ? `line-${line}` : key
    let csl = this.#csl(this.#family(entry, (member) => this.#short(member)))
    if (typeof csl === 'string')
      csl = this.#csl(this.#family(entry, (member) => this.#sound(member)))
    if (typeof csl === 'string') return this.#refuse(entry, csl)
    const addon = this.#plain(fields.get('titleaddon'))
    return { ...toBibtexItem(csl, id, { fields, addon }), 'citation-key': id }
  }

  /** A TeX value as plain text, converted like a title. */
  #plain(value: string | undefined): string | undefined {
    if (value === undefined) return undefined
    const csl = this.#csl([
      { type: 'misc', label: 'entry0', properties: { title: this.#readable(value) } },
    ])
    return typeof csl === 'string' ? undefined : readText(csl.title)
  }

  /** Refuses once per field, however many entries inherit it. */
  #refuse({ key, line }: ScannedEntry, reason: string, field?: string): undefined {
    const place = `${line} ${field}`
    if (field !== undefined && this.#reported.has(place)) return
    this.#reported.add(place)
    this.refused.push({
      ...(key === '' ? {} : { key }),
      ...(field === undefined ? {} : { field }),
      reason,
      line,
    })
  }

  /** The entry and the entries it inherits from, under generated names: Citation.js looks keys up in plain objects. */
  #family(entry: ScannedEntry, read: (member: ScannedEntry) => Fields): readonly BibtexEntry[] {
    const members: ScannedEntry[] = []
    let member: ScannedEntry | undefined = entry
    while (member !== undefined && !members.includes(member) && members.length < maxParents) {
      members.push(member)
      member = this.#byKey.get(member.fields.get('crossref')?.trim() ?? '')
    }
    return members.map((one, index) => ({
      type: one.type,
      label: `entry${index}`,
      properties: {
        ...Object.fromEntries(read(one)),
        ...(index + 1 < members.length ? { crossref: `entry${index + 1}` } : {}),
      },
    }))
  }

  #short(entry: ScannedEntry): Fields {
    const isTooLong = ([field, value]: readonly [string, string]) =>
      nameFields.test(field) && value.length > maxNamesChars
    for (const [field] of this.#own(entry).filter(isTooLong)) {
      this.#refuse(entry, `the names have more than ${maxNamesChars} characters`, field)
    }
    return this.#own(entry).filter((field) => !isTooLong(field))
  }

  /** The fields that can be converted; each is tried by itself. */
  #sound(entry: ScannedEntry): Fields {
    const { type } = entry
    return this.#own(entry).filter(([field, value]) => {
      if (nameFields.test(field) && value.length > maxNamesChars) return false
      const csl = this.#csl([{ type, label: 'entry0', properties: { [field]: value } }])
      if (typeof csl === 'string') this.#refuse(entry, csl, field)
      return typeof csl !== 'string'
    })
  }

  #own(entry: ScannedEntry): Fields {
    return [...entry.fields]
      .filter(([field, value]) => !['crossref', '__proto__'].includes(field) && value.trim() !== '')
      .map(([field, value]) => [field, this.#value(entry, field, value)])
  }

  #value(entry: ScannedEntry, field: string, value: string): string {
    if (addresses.has(field)) return parseTexAddress(value)
    const text = this.#readable(value)
    if (!nameFields.test(field) || text.length > maxNamesChars) return text
    const { names, overlong } = protectLongNames(text)
    for (const name of overlong) this.#note(entry, field, name)
    return names
  }

  #readable(value: string): string {
    return replaceUnknownCommands(value, this.#library.knowsCommand)
  }

  /** Notes each name once, though a field may be read several times. */
  #note({ key, line }: ScannedEntry, field: string, name: string): void {
    const place = `${line} ${field} ${name}`
    if (this.#reported.has(place)) return
    this.#reported.add(place)
    const text = `"${name.slice(0, 60)}" has more than two commas and was kept as one name`
    this.notes.push({ ...(key === '' ? {} : { key }), field, line, text })
  }

  #csl(family: readonly BibtexEntry[]): Readonly<Record<string, unknown>> | string {
    try {
      return this.#library.cslOfBibtex(family)[0] ?? 'the entry has no usable fields'
    } catch (thrown) {
      return describeError(thrown)
    }
  }
}

function describeError(thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  if (thrown instanceof RangeError) return 'the value is nested too deeply'
  return `its TeX cannot be read: ${(message.split('\n')[0] ?? '').slice(0, 200)}`
}
