/**
 * The key by which two addresses are one source; `undefined` for what is no http or https address. Like a browser it
 * lowers scheme and host, writes the host in ASCII, and drops the default port and dot segments. Beyond that it decodes
 * what needs no percent encoding and writes the rest in capitals (RFC 3986, 6.2.2), drops parameters that only track
 * ({@link isTracking}), an empty query, and the fragment unless it names a page of an application (`#/…`, `#!…`).
 * Scheme, user, `www.`, the order of parameters and a slash at the end of a path stay: there they may differ.
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
 * An address as citations keep it, or `undefined` for what is no http or https address: as it was written, with its scheme
 * in small letters, and with spaces, controls, invisible characters, quotes and angle brackets percent-encoded, so that
 * it cannot end early or hide anything wherever it is shown.
 */
export function toCitableUrl(written: string): string | undefined {
  const [, scheme, rest] = /^(https?):\/\/([^/\\?#][\s\S]*)$/i.exec(written) ?? []
  if (scheme === undefined || rest === undefined) return undefined
  const url = `${scheme.toLowerCase()}://${unsafe.test(rest) ? encodeUnsafe(rest) : rest}`
  return URL.canParse(url) ? url : undefined
}

/** The host of an address without `www.`, in ASCII: what a link is called that has no words. */
export function toSiteName(url: string): string {
  return new URL(url).hostname.replace(/^www\./, '')
}

/** Parameters that say where a reader came from: `utm_*` and the click ids of advertisers and mailers. */
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
