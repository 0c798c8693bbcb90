import { printable } from './printable.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes any text for use in an element or a quoted attribute; control characters are removed. */
export function escapeHtml(text: string): string {
  return printable(text.toWellFormed()).replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
}
