import type { Json, JsonObject } from '../json.ts'

/** The mark of a failed call: some services have no other sign of it. */
const errorMark = 'Error: '

/**
 * A tool's result as a model reads it. Texts are given as they are, so that what a model copies from them is found again: text
 * alone for a text, plain JSON for a value without a line break, tab, quote or backslash in its texts, and otherwise a line
 * `name: value` for each field and `<name>` … `</name>` around what has several lines. No text can end the tag that it is in.
 */
export function formatResult(value: Json, isError = false): string {
  const text = (isError ? formatError(value) : formatValue(value)).toWellFormed()
  // Some services refuse a result without a word.
  return text.trim() === '' ? '(no output)' : text
}

/** `Error: ` with the message, the advice below it, and what else there is. */
function formatError(value: Json): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return `${errorMark}${formatValue(value)}`
  const { error, hint, code: _code, ...rest } = value as JsonObject
  if (typeof error !== 'string') return `${errorMark}${formatValue(value)}`
  const advice = typeof hint === 'string' ? [hint] : []
  const others = Object.keys(rest).length === 0 ? [] : [formatValue(rest)]
  return [`${errorMark}${error}`, ...advice, ...others].join('\n')
}

function formatValue(value: Json): string {
  if (typeof value === 'string') return value
  const json = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || !json.includes('\\')) return json
  return Array.isArray(value)
    ? value.map((item: Json) => formatField('item', item)).join('\n')
    : Object.entries(value)
        .map(([name, field]) => formatField(name, field as Json))
        .join('\n')
}

function formatField(name: string, value: Json): string {
  const text = formatValue(value)
  const isPlainName = fieldName.test(name)
  const isOneLine = !/[\n\r\u2028\u2029]/.test(text)
  const isOutline = typeof value === 'object' && JSON.stringify(value).includes('\\')
  if (isOneLine && !isOutline) return `${isPlainName ? name : JSON.stringify(name)}: ${text}`
  const tag = isPlainName ? name : 'field'
  const opening = isPlainName ? `<${tag}>` : `<${tag} name=${JSON.stringify(name)}>`
  return `${opening}\n${keepInside(text, tag)}\n</${tag}>`
}

const fieldName = /^[\w.-]{1,60}$/

/** The text with a backslash in closing tags of this name, so that it cannot end the element that it is in. */
export function keepInside(text: string, tag: string): string {
  return text.replaceAll(new RegExp(`<(/?${RegExp.escape(tag)})(?![\\w.-])`, 'gi'), '<\\$1')
}
