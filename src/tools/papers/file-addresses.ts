import { identifiersOf } from '../../citations/bibliography/identifiers.ts'
import { canonicalUrl } from '../../citations/markup/canonical-url.ts'
import type { Paper } from './paper.ts'

/** Where a paper's file may be had. */
export interface FileAddress {
  readonly address: string
  /** Under which what is there is remembered: the same for the same file, whatever its address is. */
  readonly keys: readonly string[]
}

/**
 * The addresses of a paper's file in the order in which they are tried: the one that its place gave, then arXiv's own.
 * @param arxivBaseUrl where programs fetch from arXiv, without a slash at its end
 */
export function fileAddresses(
  { pdfUrl, arxivId }: Pick<Paper, 'pdfUrl' | 'arxivId'>,
  arxivBaseUrl: string,
): readonly FileAddress[] {
  const canonical = arxivId === undefined ? [] : [`${arxivBaseUrl}/pdf/${arxivId}`]
  const given = pdfUrl === undefined ? [] : [pdfUrl]
  return [...new Set([...given, ...canonical])].map((address) => ({
    address,
    keys: keysOf(address, arxivId),
  }))
}

/** An address by itself, and by the id of arXiv and its version where that is what it leads to. */
function keysOf(address: string, arxivId: string | undefined): readonly string[] {
  const own = canonicalUrl(address) ?? address
  const { arxiv } = identifiersOf({ id: '', type: 'article', URL: address })
  const version = arxiv?.version === undefined ? undefined : `arxiv:${arxiv.id}v${arxiv.version}`
  // A mirror has other hosts and the same path.
  const isMirror = arxivId !== undefined && /v\d+$/.test(arxivId) && own.endsWith(`/pdf/${arxivId}`)
  return [...new Set([own, version, isMirror ? `arxiv:${arxivId}` : undefined])].filter(
    (key) => key !== undefined,
  )
}

/** The name of who is at an address, for people. */
export function hostTitle(address: string): string {
  const host = new URL(address).hostname.replace(/^www\./, '')
  return /(?:^|\.)arxiv\.org$/.test(host) ? 'arXiv' : host
}
