import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PaperEntry } from '../result.ts'

/** An address as a browser may follow it: only http and https, without a name and password; else `undefined`. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const { protocol, username, password, href } = new URL(address)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && username === '' && password === '' ? href : undefined
}

/** The address of a paper's file, of one of its pages where one is named: on the web, or beside the report. */
export function fileLink(
  { pdfUrl, path }: Pick<PaperEntry, 'pdfUrl' | 'path'>,
  page?: number,
): string | undefined {
  const file = path === undefined ? safeLink(pdfUrl) : pathLink(path)
  return file === undefined || page === undefined
    ? file
    : `${file.replace(/#.*$/, '')}#page=${page}`
}

/** A path may hold any sign; as an address none of them means anything. */
function pathLink(path: string): string {
  if (isAbsolute(path)) return pathToFileURL(path).href
  const parts = path.split('/').map((part) => encodeURIComponent(part))
  return path.startsWith('.') ? parts.join('/') : `./${parts.join('/')}`
}
