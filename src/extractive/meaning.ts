import { mentions } from './definition.ts'
import type { Sentence } from './evidence.ts'
import type { Word } from './words.ts'

const namingPattern =
  /\b(?:stands? for|short for|abbreviat\w+|acronym|in full)\b|\b(?:is|are|was|were) (?:\w+ )?called [^,]{1,60}, for\b/i

/** Whether a sentence says what a name means or is short for. */
export function isNaming(text: string): boolean {
  return namingPattern.test(text)
}

const surest = 1
const sure = 0.95
const maxGapChars = 40

/** How well a sentence gives the long form or the meaning of the topic: 0 not at all, 1 in so many words. */
export function meaningFit(
  sentence: Sentence,
  topic: readonly Word[],
  isTopicNear: boolean,
): number {
  const { text } = sentence
  const found = mentions(sentence, topic)
  const best = found.map(({ start, end }) => fitAt(text.slice(0, start), text.slice(end), topic))
  if (Math.max(0, ...best) > 0) return Math.max(...best)
  const naming = namingPattern.exec(text)
  if (naming === null) return 0
  if (found.length === 0) return isTopicNear && refersToName.test(text) ? 0.9 : 0
  const isClose = found.some(({ end }) => end < naming.index && naming.index - end < maxGapChars)
  return isClose ? 0.8 : 0
}

const refersToName = /^(?:the|it|its|this|these)\b/i
const means =
  /^["”]?(?:,[^,]{1,60},)?\s+(?:means|stands? for|is short for|refers? to|is an? (?:abbreviation|acronym))/i

/** The same for one mention of the topic, by what stands before and after it. */
function fitAt(before: string, after: string, topic: readonly Word[]): number {
  if (means.test(after)) return surest
  if (/^,? (?:short )?for ["“]?\p{L}/u.test(after)) return sure
  const longForms = [
    /(?:,? or|\() ?["“]?$/.test(before) ? before : undefined,
    /^,? or ["“]([^"”]+)/.exec(after)?.[1],
    /^ \(([^)]+)\)/.exec(after)?.[1],
  ]
  return longForms.some((form) => form !== undefined && isLongForm(form, topic)) ? sure : 0
}

/** Whether the last words before an abbreviation begin with its letters. */
function isLongForm(text: string, topic: readonly Word[]): boolean {
  const letters = topic.map(({ plain }) => plain).join('')
  if (letters.length < 2 || letters.length > 12) return false
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const last = words.filter((word) => word !== '' && word !== 'or').slice(-letters.length)
  const matched = last.filter((word, index) => word.startsWith(letters[index] as string)).length
  return matched >= Math.max(2, letters.length - 1)
}
