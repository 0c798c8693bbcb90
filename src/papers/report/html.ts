import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { printable } from '../../citations/markup/printable.ts'
import type { PaperEntry } from '../result.ts'

/** Markup that was made here, and no text from elsewhere. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

/** What can stand in a template: a text is escaped, markup is not, of a list each, and nothing of null. */
export type HtmlValue = Html | string | number | null | readonly HtmlValue[]

/** A template whose values cannot become markup, in elements as in quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const written = parts.map((part, index) => part + toMarkup(values[index] ?? null))
  return new Html(written.join(''))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function toMarkup(value: HtmlValue): string {
  if (value === null) return ''
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(toMarkup).join('')
  const text = printable(String(value).toWellFormed())
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}

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
