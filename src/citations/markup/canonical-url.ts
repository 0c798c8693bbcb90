/**
 * The key by which two addresses are the same source; `undefined` for anything but an http or https address. Like a
 * browser it lowers scheme and host, writes the host in ASCII, and drops the default port and dot segments. It also
 * decodes unnecessary percent encoding and upper-cases the rest (RFC 3986, 6.2.2), and drops parameters that only track
 * ({@link isTracking}), an empty query, and fragments other than routes of an application (`#/…`, `#!…`). Scheme, user,
 * `www.`, the order of parameters and a trailing slash are kept, since they may matter.
 * @see https://url.spec.whatwg.org/
 * @see https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2
 */
export function canonicalUrl(url: string): string | undefined {
  const address = toCitableUrl(url)
  if (address === undefined) return undefined
  const { protocol, username, password, host, pathname, search, hash } = new URL(address)
  const user = username === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`
  const fragment = /^#[/!]/.test(hash) ? hash : ''
  return `${protocol}//${user}${host}${decodeUnreserved(pathname)}${decodeUnreserved(dropTracking(search))}${decodeUnreserved(fragment)}`
}

/**
 * An address as citations store it; `undefined` for anything but an http or https address. It stays as written, with the
 * scheme in lower case and with spaces, controls, invisible characters, quotes and angle brackets percent-encoded, so that
 * it cannot end early or hide anything when shown.
 */
export function toCitableUrl(written: string): string | undefined {
  const [, scheme, rest] = /^(https?):\/\/([^/\\?#][\s\S]*)$/i.exec(written) ?? []
  if (scheme === undefined || rest === undefined) return undefined
  const url = `${scheme.toLowerCase()}://${unsafe.test(rest) ? encodeUnsafe(rest) : rest}`
  return URL.canParse(url) ? url : undefined
}

/** The host of an address in ASCII without `www.`: the text of a link without words. */
export function toSiteName(url: string): string {
  return new URL(url).hostname.replace(/^www\./, '')
}

/** Tracking parameters: `utm_*` and the click ids of advertisers and mailers. */
function isTracking(parameter: string): boolean {
  return /^(?:utm_\w*|gclid|dclid|gbraid|wbraid|fbclid|msclkid|twclid|yclid|igshid|mc_cid|mc_eid)(?:=|$)/i.test(
    parameter,
  )
}

function dropTracking(search: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isTracking(parameter))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

const unsafe = /[\s\p{C}\p{Z}<>"`|\\^{}]/u

function encodeUnsafe(text: string): string {
  return text.toWellFormed().replace(new RegExp(unsafe, 'gu'), encodeURIComponent)
}

function decodeUnreserved(part: string): string {
  return part.replace(/%([\da-f]{2})/gi, (code, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return /[\w.~-]/.test(character) ? character : code.toUpperCase()
  })
}
