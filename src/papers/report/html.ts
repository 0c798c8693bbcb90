import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { escapeHtml } from '../../citations/markup/escape-html.ts'
import type { PaperEntry } from '../result.ts'

/** Trusted markup. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

/** What a template accepts: texts are escaped, markup is not, lists are joined, null is empty. */
export type HtmlValue = Html | string | number | null | readonly HtmlValue[]

/** A template whose values cannot become markup, neither in elements nor in quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const written = parts.map((part, index) => part + toMarkup(values[index] ?? null))
  return new Html(written.join(''))
}

function toMarkup(value: HtmlValue): string {
  if (value === null) return ''
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(toMarkup).join('')
  return escapeHtml(String(value))
}

/** An address that a browser may follow: http or https, without user name and password; else `undefined`. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined
  const { protocol, username, password, href } = new URL(address)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  return isWeb && username === '' && password === '' ? href : undefined
}

/** The address of a paper's file, or of one of its pages: on the web, or relative to the report. */
export function fileLink(
  { pdfUrl, path }: Pick<PaperEntry, 'pdfUrl' | 'path'>,
  page?: number,
): string | undefined {
  const file = path === undefined ? safeLink(pdfUrl) : pathLink(path)
  return file === undefined || page === undefined
    ? file
    : `${file.replace(/#.*$/, '')}#page=${page}`
}

/** A path may contain any character; in an address none of them has a special meaning. */
function pathLink(path: string): string {
  if (isAbsolute(path)) return pathToFileURL(path).href
  const parts = path.split('/').map((part) => encodeURIComponent(part))
  return path.startsWith('.') ? parts.join('/') : `./${parts.join('/')}`
}
