import { nameVariables } from '../citations/csl-variables.ts'
import type { CslItem, CslName } from '../citations/source.ts'
import { toCslItem } from './csl-item.ts'
import { otherAuthors } from './other-authors.ts'
import { parseTexAddress } from './tex-commands.ts'

/** What the Citation.js mapping to CSL-JSON ignores in an entry. */
export interface EntryRest {
  /** All fields, in TeX. */
  readonly fields: ReadonlyMap<string, string>
  /** `titleaddon`, as plain text. */
  readonly addon: string | undefined
}

/** Completes a work that Citation.js mapped to CSL-JSON with what the mapping leaves in BibTeX form. */
export function toBibtexItem(
  csl: Readonly<Record<string, unknown>>,
  id: string,
  { fields, addon }: EntryRest,
): CslItem {
  const joined = Object.entries(csl).map(([name, value]) => [name, joinTexts(value)])
  const item = toCslItem(Object.fromEntries(joined), id)
  const { genre, ...others } = item
  const day = item.issued ?? item['event-date']
  const work = {
    ...others,
    ...readGenre(item, fields, addon),
    ...cleanTex(item),
    ...readMagazine(item, fields),
    // A talk is dated by the day it was given.
    ...(day === undefined ? {} : { issued: day }),
  }
  return addArchive(work, fields)
}

/** Joins several publishers or places into one text. */
function joinTexts(value: unknown): unknown {
  const isList = Array.isArray(value) && value.every((part) => typeof part === 'string')
  return isList ? value.join('; ') : value
}

/** Removes leftover TeX and publication states, and turns names with a single part (organisations) into literal names. */
function cleanTex(item: CslItem): Partial<CslItem> {
  const parts: { [name: string]: unknown } = {}
  // Braces protect the case of letters in BibTeX; nothing here changes case, so they go.
  const title = item.title?.replace(/<span class="nocase">(.*?)<\/span>/g, '$1')
  if (title !== undefined) parts.title = title
  if (item.page !== undefined) parts.page = String(item.page).replace(/[–—]|-{2,}/g, '-')
  if (item.DOI !== undefined) parts.DOI = bareDoi(item.DOI)
  if (item.status !== undefined) parts.status = states.get(item.status) ?? item.status
  for (const variable of nameVariables) {
    const names = item[variable]
    if (names !== undefined) parts[variable] = names.map(toLiteralName).map(replaceEtAl)
  }
  return parts
}

function bareDoi(doi: string): string {
  return doi.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)/i, '')
}

function toLiteralName(name: CslName): CslName {
  const { family } = name
  return family !== undefined && Object.keys(name).length === 1 ? { literal: family } : name
}

/** Some files write "et al." as a name. */
function replaceEtAl(name: CslName, index: number, names: readonly CslName[]): CslName {
  const { literal, family, 'non-dropping-particle': particle } = name
  const whole = literal ?? `${particle} ${family}`
  return index > 0 && index === names.length - 1 && /^et al\.?$/i.test(whole) ? otherAuthors : name
}

/** BibLaTeX's terms for publication states. */
const states: ReadonlyMap<string, string> = new Map([
  ['inpress', 'in press'],
  ['inpreparation', 'in preparation'],
  ['forthcoming', 'forthcoming'],
  ['prepublished', 'advance online publication'],
])

/** BibLaTeX's terms for kinds of works. */
const genres: ReadonlyMap<string, string> = new Map([
  ['bathesis', "Bachelor's thesis"],
  ['mathesis', "Master's thesis"],
  ['mastersthesis', "Master's thesis"],
  ['phdthesis', 'Doctoral dissertation'],
  ['candthesis', 'Candidate thesis'],
  ['techreport', 'Technical report'],
  ['resreport', 'Research report'],
  ['software', 'Computer software'],
  ['tvepisode', 'TV series episode'],
])

/** The kind of work: the entry's type or subtype, or an addition to its title ("[Editorial]"). */
function readGenre(
  { genre, type }: CslItem,
  fields: EntryRest['fields'],
  addon: string | undefined,
): Partial<CslItem> {
  const isOfArticle = type.startsWith('article') && fields.get('entrysubtype')?.trim() === genre
  const named = isOfArticle ? undefined : genre
  const kind = named === undefined ? addon : (genres.get(named) ?? named)
  return kind === undefined ? {} : { genre: kind }
}

/** BibLaTeX marks magazines and newspapers by subtype; their references include the day. */
function readMagazine({ type }: CslItem, fields: EntryRest['fields']): Partial<CslItem> {
  const subtype = fields.get('entrysubtype')?.trim().toLowerCase()
  if (type !== 'article-journal' || subtype === undefined) return {}
  if (subtype === 'newspaper') return { type: 'article-newspaper' }
  return subtype === 'magazine' || subtype === 'nonacademic' ? { type: 'article-magazine' } : {}
}

/**
 * Adds the number in an archive; the mapping knows only PubMed. It identifies a preprint; for a work published elsewhere it is
 * only a second location.
 */
function addArchive(item: CslItem, fields: EntryRest['fields']): CslItem {
  const eprint = readEprint(fields)
  if (eprint === undefined) return item
  const number = `arXiv:${eprint}`
  const section = parseTexAddress(fields.get('eprintclass') ?? fields.get('primaryclass') ?? '')
  const collection = section === '' ? {} : { archive_collection: section }
  const { 'container-title': container, volume, issue, ...others } = item
  const isPreprint =
    item.type === 'document' ||
    item.type === 'webpage' ||
    (item.type === 'article-journal' && [container, volume, issue].every(isArxivName))
  if (!isPreprint) return { ...item, archive: 'arXiv', archive_location: number, ...collection }
  const publisher = item.publisher ?? 'arXiv'
  return { ...others, type: 'article', number, publisher, archive: 'arXiv', ...collection }
}

/** The arXiv number, without the prefix. */
function readEprint(fields: EntryRest['fields']): string | undefined {
  const eprint = parseTexAddress(fields.get('eprint') ?? '')
  const archive = parseTexAddress(fields.get('eprinttype') ?? fields.get('archiveprefix') ?? '')
  if (eprint !== '' && /^arxiv$/i.test(archive)) return eprint.replace(/^arxiv:\s*/i, '')
  return /^arxiv:\s*([\w./-]+)$/i.exec(parseTexAddress(fields.get('number') ?? ''))?.[1]
}

/** Whether a journal, volume or issue only repeats the archive number: `arXiv preprint arXiv:2101.00001`, `CoRR`. */
function isArxivName(text: string | number = ''): boolean {
  const words = String(text)
    .toLowerCase()
    .replace(/arxiv:\S+|\babs\/\S+|\[[^\]]{0,40}\]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return /^(?:arxiv(?: org)?|corr)? ?(?:e ?prints?|preprints?)?$/.test(words)
}

/** A list of names that can be parsed, and the names in it that would lose parts. */
interface ProtectedNames {
  readonly names: string
  readonly overlong: readonly string[]
}

/**
 * Puts braces around every name with more than two commas. BibTeX allows at most "von Last, Jr, First"; a name with more commas
 * is usually several people and is kept verbatim.
 */
export function protectLongNames(list: string): ProtectedNames {
  if (list.split(',').length <= 3) return { names: list, overlong: [] }
  const overlong: string[] = []
  const kept = splitNames(list.replace(/\s+/g, ' ')).map(({ name, commas }) => {
    if (commas <= 2) return name
    overlong.push(name.trim())
    return `{${name.trim()}}`
  })
  return { names: kept.join(' and '), overlong }
}

/** The names between `and`s, and their commas, both counted outside braces. */
function splitNames(names: string): readonly { readonly name: string; readonly commas: number }[] {
  const found: { name: string; commas: number }[] = []
  let [start, depth, commas] = [0, 0, 0]
  for (const { 0: sign, index } of names.matchAll(/\\.|[{},]| and(?= )/gi)) {
    if (sign === '{') depth += 1
    else if (sign === '}') depth -= 1
    else if (depth > 0) continue
    else if (sign === ',') commas += 1
    else if (!sign.startsWith('\\')) {
      found.push({ name: names.slice(start, index), commas })
      start = index + sign.length
      commas = 0
    }
  }
  return [...found, { name: names.slice(start), commas }]
}
