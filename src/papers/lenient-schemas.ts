import * as z from 'zod'

/**
 * Any value as a list of texts, as models write lists: nested lists are flattened, null and blank values dropped,
 * numbers and booleans converted, objects replaced by their texts, and a single text becomes a list of one.
 */
export function normalizeTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(normalizeTexts)
  const text = normalizeText(value)
  return text === '' ? [] : [text]
}

/** Any value as one text: the texts in a list or object joined with spaces; empty for null. */
export function normalizeText(value: unknown): string {
  if (typeof value === 'string') return value.toWellFormed().trim()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'object' || value === null) return ''
  const inside = Array.isArray(value)
    ? value
    : textValues(value as Readonly<Record<string, unknown>>)
  return inside
    .map(normalizeText)
    .filter((text) => text !== '')
    .join(' ')
}

/** Field names under which models put the sentence when they write an object; the other fields are not part of it. */
const sentenceFields = ['text', 'point', 'finding', 'statement', 'sentence', 'description', 'value']

function textValues(value: Readonly<Record<string, unknown>>): readonly unknown[] {
  const field = sentenceFields.find((name) => normalizeText(value[name]) !== '')
  return field === undefined ? Object.values(value) : [value[field]]
}

/**
 * Any value as a list of objects: other values are dropped, a single object becomes a list of one, nested lists are
 * flattened.
 */
export function normalizeObjects(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(normalizeObjects)
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  return typeof value === 'object' && value !== null ? [value] : []
}

/** A list of texts in any form that models write. */
export const textsSchema = z.preprocess(normalizeTexts, z.array(z.string()))

/** A text in any form that models write. */
export const textSchema = z.preprocess(normalizeText, z.string())
