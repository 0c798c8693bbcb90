import { isNestedDeeper, type Json, maxJsonDepth } from '../../kernel/json.ts'

/**
 * The value of a text on the command line: as JSON where it is some, else the text; so too a number that would lose digits, and what
 * is nested too deep.
 */
export function jsonOrText(text: string): Json {
  if (isNestedDeeper(text, maxJsonDepth)) return text
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return text
  }
  return typeof value === 'number' && !keepsDigits(text, value) ? text : value
}

/** A number of JavaScript keeps 15 digits whatever they are. */
const sureDigits = 15

function keepsDigits(text: string, value: number): boolean {
  const digits = (/[\d.]+/.exec(text)?.[0] ?? '').replace('.', '').replace(/^0+/, '')
  if (!Number.isFinite(value) || (value === 0 && digits.replaceAll('0', '') !== '')) return false
  return digits.length <= sureDigits || String(value) === text.trim()
}
