import { printable } from '../../citations/markup/printable.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Any text as the content of an element or of a quoted attribute: questions, answers and ids come from anywhere. */
export function escapeHtml(text: string): string {
  return printable(text.toWellFormed()).replace(/[&<>"']/g, (sign) => entities[sign] ?? '')
}
