import { findBaseUrl, type LookupAccess } from '../access.ts'
import { failure, type LookupFailure } from '../outcome.ts'
import { parseJsonAnswer, sendForSuccess } from '../send.ts'
import { isRecord, toLine } from '../values.ts'

/** A record in the action API's response. */
export type WikiRecord = Readonly<Record<string, unknown>>

/**
 * Sends a request to a Wikipedia's action API, whose errors come with status 200.
 * @see https://www.mediawiki.org/wiki/API:Etiquette
 * @see https://www.mediawiki.org/wiki/API:Errors_and_warnings
 */
export async function requestWikipedia(
  access: LookupAccess,
  language: string,
  parameters: Readonly<Record<string, string>>,
): Promise<{ readonly answer: WikiRecord; readonly site: string } | LookupFailure> {
  const base = findBaseUrl(access, 'wikipedia')
  if (typeof base !== 'string') return base
  if (!/^[a-z]{2,12}(?:-[a-z0-9]{1,12}){0,3}$/.test(language)) {
    return failure('wikipedia', 'refused', `There is no Wikipedia in "${language}".`, {
      hint: 'Give a language code such as "en" or "zh-yue".',
    })
  }
  const site = base.replace('{language}', language)
  const query = new URLSearchParams({ action: 'query', format: 'json', ...parameters })
  const got = await sendForSuccess(access, 'wikipedia', {
    url: `${site}/w/api.php?${query}`,
    accept: 'application/json',
  })
  if ('reason' in got) return got
  const read = parseJsonAnswer('wikipedia', got)
  if ('reason' in read) return read
  const said = parseAnswer(read.json)
  return 'reason' in said ? said : { ...said, site }
}

/** The content of a parsed response, or the error that it is. */
export function parseAnswer(json: unknown): { readonly answer: WikiRecord } | LookupFailure {
  if (!isRecord(json))
    return failure('wikipedia', 'malformed', 'The response is not a JSON object.')
  if (!isRecord(json.error)) return { answer: json }
  const code = toLine(json.error.code) ?? 'unknown'
  const said = toLine(json.error.info) ?? code
  const isBusy = /^(?:maxlag|ratelimited|readonly)$|^internal_api_error/.test(code)
  const reason = code === 'ratelimited' ? 'rate_limited' : isBusy ? 'server_error' : 'refused'
  return failure('wikipedia', reason, `Wikipedia: ${said} (${code})`)
}

/** An article's address, in Wikipedia's own form. */
export function articleUrl(site: string, title: string): string {
  const name = encodeURIComponent(title.replaceAll(' ', '_'))
  return `${site}/wiki/${name.replace(/%(?:2C|3A|2F|3B|40|24|21|2A|28|29)/g, decodeURIComponent)}`
}
