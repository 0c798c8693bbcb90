import { identifiersOf } from '../../bibliography/identifiers.ts'
import { canonicalUrl } from '../../citations/markup/canonical-url.ts'
import type { Paper } from './paper.ts'

/** Where a paper's file may be had. */
export interface FileAddress {
  readonly address: string
  /** Under which what is there is remembered: the same for the same file, whatever its address is. */
  readonly keys: readonly string[]
}

/**
 * The addresses of a paper's file in the order in which they are tried: of what arXiv has its own first, since a copy elsewhere may
 * be another version.
 * @param arxivBaseUrl where programs fetch from arXiv, without a slash at its end
 */
export function fileAddresses(
  { pdfUrl, arxivId }: Pick<Paper, 'pdfUrl' | 'arxivId'>,
  arxivBaseUrl: string,
): readonly FileAddress[] {
  const canonical = arxivId === undefined ? [] : [`${arxivBaseUrl}/pdf/${arxivId}`]
  const given = pdfUrl === undefined ? [] : [pdfUrl]
  return [...new Set([...canonical, ...given])].map((address) => ({
    address,
    keys: keysOf(address, arxivBaseUrl),
  }))
}

/**
 * An address by itself, and by the id of arXiv and its version where that is what arXiv has there. A copy anywhere else stands for
 * itself alone, whatever its address says: it may be another text.
 */
function keysOf(address: string, arxivBaseUrl: string): readonly string[] {
  const own = canonicalUrl(address) ?? address
  if (!isAtArxiv(address, arxivBaseUrl)) return [own]
  const path = new URL(address).pathname
  const { arxiv } = identifiersOf({ id: '', type: 'article', URL: `https://arxiv.org${path}` })
  return arxiv?.version === undefined ? [own] : [own, `arxiv:${arxiv.id}v${arxiv.version}`]
}

function isAtArxiv(address: string, arxivBaseUrl: string): boolean {
  if (!URL.canParse(address)) return false
  const { origin, protocol, host, pathname } = new URL(address)
  const isOwn = protocol === 'https:' && /^(?:[a-z]+\.)?arxiv\.org$/.test(host)
  const isBase = URL.canParse(arxivBaseUrl) && origin === new URL(arxivBaseUrl).origin
  return (isOwn || isBase) && /^\/pdf\//.test(pathname)
}

/** The name of who is at an address, for people. */
export function hostTitle(address: string): string {
  const host = new URL(address).hostname.replace(/^www\./, '')
  return /(?:^|\.)arxiv\.org$/.test(host) ? 'arXiv' : host
}
