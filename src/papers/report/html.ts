import { printable } from '../../citations/markup/printable.ts'

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
  const written = parts.map((part, index) => part + markupOf(values[index] ?? null))
  return new Html(written.join(''))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function markupOf(value: HtmlValue): string {
  if (value === null) return ''
  if (value instanceof Html) return value.markup
  if (typeof value === 'object') return value.map(markupOf).join('')
  const text = printable(String(value).toWellFormed())
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)
}
