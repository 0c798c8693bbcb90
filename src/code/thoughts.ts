import { type Message, messageText } from '../kernel/agent/message.ts'
import { findJson } from '../kernel/text/json-from-text.ts'

/** A message's text and thoughts, without its tool calls. */
export interface SeparatedText {
  /** Each once, in order. */
  readonly thoughts: readonly string[]
  /** The text without JSON objects that hold only a thought. */
  readonly text: string
}

/**
 * Separates a message's thoughts: those in the model's reasoning channel, and those written into its text as JSON with
 * a `thought`, possibly over several lines.
 */
export function separateThoughts(message: Message): SeparatedText {
  const own = message.parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
  const written = messageText(message)
  const found = findJson(written).flatMap(({ value, start, end }) => {
    const thought = readThought(value)
    return thought === undefined ? [] : [{ thought, start, end, isAlone: isOnlyThought(value) }]
  })
  const all = [...own, ...found.map(({ thought }) => thought)].map((text) => text.trim())
  const thoughts = [...new Set(all.filter((text) => text !== ''))]
  const text = cutSpans(
    written,
    found.filter(({ isAlone }) => isAlone),
  )
  return { thoughts, text }
}

function readThought(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { thought } = value as { thought?: unknown }
  return typeof thought === 'string' ? thought : undefined
}

function isOnlyThought(value: unknown): boolean {
  return Object.keys(value as object).length === 1
}

function cutSpans(text: string, spans: readonly { start: number; end: number }[]): string {
  const kept = spans.reduceRight((left, { start, end }) => {
    const [before, after] = [left.slice(0, start), left.slice(end)]
    return `${before.replace(/(?:```(?:json)?\s*)$/i, '')}${/```(?:json)?\s*$/i.test(before) ? after.replace(/^\s*```/, '') : after}`
  }, text)
  return kept.replaceAll(/\n{3,}/g, '\n\n').trim()
}
