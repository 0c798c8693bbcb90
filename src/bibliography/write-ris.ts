import type { CslItem, CslName } from '../citations/source.ts'
import { loadCitationJs, type RisFields } from './citation-js.ts'
import { citationKeys } from './citation-keys.ts'
import { findIdentifiers } from './identifiers.ts'
import { isOtherAuthors } from './other-authors.ts'

/**
 * Writes works as RIS, in order. Each value is on one line, since most readers do not join continuation lines.
 * @see https://en.wikipedia.org/wiki/RIS_(file_format)
 */
export async function toRis(items: readonly CslItem[]): Promise<string> {
  if (items.length === 0) return ''
  const { risFields } = await loadCitationJs()
  const keys = citationKeys(items)
  const records = risFields(items.map(prepareForRis))
  return records
    .map((record, index) =>
      recordText({ ...record, ...splitPages(record), ...addFields(items[index]), ID: keys[index] }),
    )
    .join('')
}

/** RIS has neither particles nor rich text, and the mapping does not know preprints. */
function prepareForRis(item: CslItem): unknown {
  const { arxiv } = findIdentifiers(item)
  const withNames = Object.entries(item).map(([name, value]) =>
    Array.isArray(value) ? [name, value.map(toRisName)] : [name, plainText(value)],
  )
  const isPreprint = item.type === 'article' && item['container-title'] === undefined
  return {
    ...Object.fromEntries(withNames),
    ...(isPreprint ? { type: 'manuscript' } : {}),
    ...(arxiv === undefined || item.URL !== undefined
      ? {}
      : { URL: `https://arxiv.org/abs/${arxiv.id}` }),
  }
}

/** RIS has no term for omitted authors; most writers use "et al." as a name. */
function toRisName(name: CslName, index: number, names: readonly CslName[]): CslName {
  return isOtherAuthors(name, index, names) ? { literal: 'et al.' } : toLiteralName(name)
}

function toLiteralName(name: CslName): CslName {
  const { family, given, suffix, literal } = name
  const parts = [name['dropping-particle'], name['non-dropping-particle'], family]
  const whole = parts.filter((part) => part !== undefined).join(' ')
  return {
    ...(whole === '' ? { literal: literal ?? given ?? '' } : { family: whole }),
    ...(given === undefined || whole === '' ? {} : { given }),
    ...(suffix === undefined ? {} : { suffix }),
  }
}

function plainText(value: unknown): unknown {
  return typeof value === 'string'
    ? value.replace(/<\/?(?:i|b|sup|sub|span)(?: [^<>]*)?>/g, '')
    : value
}

/** Adds what the mapping leaves out for some types, and complete dates. */
function addFields(item: CslItem | undefined): RisFields {
  const [year, ...rest] = item?.issued?.['date-parts']?.[0] ?? []
  const [month = '', day = ''] = rest.map((part) => String(part).padStart(2, '0'))
  return {
    ...(item?.DOI === undefined ? {} : { DO: item.DOI }),
    ...(year === undefined ? {} : { PY: year, DA: `${year}/${month}/${day}/` }),
  }
}

/** First and last page are separate fields. */
function splitPages({ SP: pages }: RisFields): RisFields {
  const range = /^\s*([^\s-]+)\s*-+\s*([^\s-]+)\s*$/.exec(String(pages ?? ''))
  return range === null ? {} : { SP: range[1], EP: range[2] }
}

function recordText({ TY: type, ...fields }: RisFields): string {
  const lines = Object.entries(fields).flatMap(([tag, value]) =>
    [value ?? []].flat().map((one) => `${tag}  - ${String(one).replace(/\s+/g, ' ').trim()}`),
  )
  return [`TY  - ${String(type ?? 'GEN')}`, ...lines, 'ER  - ', ''].join('\r\n')
}
