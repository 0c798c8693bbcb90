import * as z from 'zod'

/**
 * Any value as a list of texts, as models give lists: nested lists become one, what is null or blank goes, numbers and truth values
 * become text, an object the texts in it with its fields' order, and a bare text a list of one.
 */
export function normalizeTexts(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(normalizeTexts)
  const text = normalizeText(value)
  return text === '' ? [] : [text]
}

/** Any value as one text: of a list or an object the texts in it, with spaces between them; empty for null. */
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

/** Fields under which models put the sentence when they make an object of it; what else they put beside it is not the sentence. */
const sentenceFields = ['text', 'point', 'finding', 'statement', 'sentence', 'description', 'value']

function textValues(value: Readonly<Record<string, unknown>>): readonly unknown[] {
  const field = sentenceFields.find((name) => normalizeText(value[name]) !== '')
  return field === undefined ? Object.values(value) : [value[field]]
}

/** Any value as a list of objects of a form; what is none goes, a bare object is a list of one, a nested list becomes one. */
export function normalizeObjects(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap(normalizeObjects)
  if (typeof value === 'string') return value.trim() === '' ? [] : [value]
  return typeof value === 'object' && value !== null ? [value] : []
}

/** A list of texts, however a model writes one. */
export const textsSchema = z.preprocess(normalizeTexts, z.array(z.string()))

/** A text, however a model writes one. */
export const textSchema = z.preprocess(normalizeText, z.string())
