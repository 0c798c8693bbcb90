import type { CallBlock } from './tool-call-block.ts'

/** A fenced code block, marks included; `content` is what stands between them. */
export interface CodeFence {
  readonly start: number
  readonly end: number
  readonly contentStart: number
  readonly contentEnd: number
  /** Lower case, empty when the fence names none. */
  readonly language: string
}

/** A half-open stretch of text. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

const jsonFences = new Set(['', 'json', 'jsonc', 'json5', 'xml'])
const callFences = new Set([
  'tool_call',
  'tool_calls',
  'tool_code',
  'tool',
  'function_call',
  'function_calls',
])

/** Whether a call of this format may stand in the fence: in its own language or in one made for calls. */
export function mayHoldCall(fence: CodeFence, format: CallBlock['format']): boolean {
  return callFences.has(fence.language) || (format !== 'pythonic' && jsonFences.has(fence.language))
}

/** The code fences of a text, in order. One that is never closed ends with the text. */
export function codeFences(text: string): readonly CodeFence[] {
  const fences: CodeFence[] = []
  const mark = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+.-]*)([^\n]*)$/gm
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [line, run = '', language = '', rest = ''] = found
    const lineEnd = found.index + line.length
    const contentStart = lineEnd - rest.length
    const closeOnLine = rest.lastIndexOf(run)
    if (closeOnLine > 0 && rest.slice(closeOnLine + run.length).trim() === '') {
      const contentEnd = contentStart + closeOnLine
      fences.push({
        start: found.index,
        end: lineEnd,
        contentStart,
        contentEnd,
        language: language.toLowerCase(),
      })
      continue
    }
    const close = new RegExp(`^[ \\t]*${run}+[ \\t]*$`, 'gm')
    close.lastIndex = lineEnd
    const closing = close.exec(text)
    const contentEnd = closing?.index ?? text.length
    const end = closing === null ? text.length : closing.index + closing[0].length
    fences.push({
      start: found.index,
      end,
      contentStart,
      contentEnd,
      language: language.toLowerCase(),
    })
    mark.lastIndex = end
  }
  return fences
}

/** Stretches in which nothing is ever meant as a call: block quotes, inline code, a model's thoughts. */
export function quotedStretches(text: string): readonly Stretch[] {
  const patterns = [
    /^[ \t]*>.*$/gm,
    /(?<!`)(`{1,2})(?!`)[^\n]*?[^`\n]\1(?!`)/g,
    /<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi,
  ]
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: whole }) => ({
      start: index,
      end: index + whole.length,
    })),
  )
}

/** Gives the stretch that covers a position, if any; must be asked for positions in ascending order. */
export function coverage<Found extends Stretch>(
  stretches: readonly Found[],
): (position: number) => Found | undefined {
  const sorted = stretches.toSorted((a, b) => a.start - b.start)
  let index = 0
  return (position) => {
    while ((sorted[index]?.end ?? position + 1) <= position) index++
    const next = sorted[index]
    return next !== undefined && next.start <= position ? next : undefined
  }
}

const examples = [
  /\b(?:example|e\.g\.|for instance|such as|sample|template|format|syntax|schema|signature|looks? like|like (?:this|so)|how (?:to|you|it|one)|instructions?)\b/i,
  /^\s*(?:user|human|question|q)\s*:/i,
]
const narration = [
  /\b(?:you|one|users?|someone|people|they|models?|assistants?|it) (?:could|would|might|can|may|should|must|need to|have to|will)\b/i,
  /\b(?:I|we) (?:could|would|might)\b/i,
  /^\W*to (?:call|use|invoke|run|search|query)\b/i,
  /\b(?:do not|don't|never|must not|should not|shouldn't|will not|won't|cannot|can't|avoid|instead of|rather than) (?:\w+ )?(?:call|us|invok|runn?|writ|emit|send|print|search)/i,
  /\b(?:wrong|incorrect|invalid|bad|mistaken)\b/i,
]
const report =
  /\b(?:called|used|ran|sent|wrote|written|printed|emitted|returned|received|found|saw|reads?|contains?|says?|said|shows?|shown|states?|logged|replied|answered|quotes?|according|definition|defined|documentation|docs|log)\b/i
const decision =
  /\b(?:let me|let's|let us|I'll|I will|I am going to|I'm going to|I need to|I must|I should|I have to|we need to|calling|invoking|executing|now)\b/i
const intent =
  /\b(?:I|I'm|we|here(?:'s| is| are)|using|running|action|call|tools?|functions?|(?:tool|function)[ _-]?calls?)\b/i

/**
 * Whether the words before a call lead up to it rather than tell of it. What stands on the call's own line, or ends
 * with a colon, introduces the call, so for a call that only its shape gives away it must also show intent.
 */
export function leadsToCall(before: string, isMarked: boolean): boolean {
  const line = before.slice(before.lastIndexOf('\n') + 1).trim()
  const sentence = lastSentence(before)
  if (sentence === '') return true
  const isStatement = line === '' && /[.!?]["')]?$/.test(sentence)
  if (narration.some((pattern) => pattern.test(sentence))) return false
  if (!isStatement && examples.some((pattern) => pattern.test(sentence))) return false
  const isDecision = decision.test(sentence)
  if (!isStatement && !isDecision && report.test(sentence)) return false
  const introduces = line !== '' || sentence.endsWith(':')
  return isMarked || isDecision || !introduces || intent.test(sentence)
}

const endTokens = /^(?:\s|<\|?\/?[\w]+\|?>|<\/s>)+/
const aboutCall = [
  /^(?:this|that|these|those|the above|above|here|in this|in the above|where|which|it|note|as you can see|as shown|you)\b/i,
  /^the (?:call|tool|function|json|object|request|snippet|command|code|output|response|arguments?|parameters?|query|example)\b/i,
  /\b(?:example|syntax|format|snippet|json|arguments?|parameters?|(?:tool|function) calls?|the call)\b/i,
]
const waiting =
  /^(?:I(?:'ll| will| am|'m)|let me|let's|waiting|please wait|once|after|when|then|now)\b(?!.*\b(?:would|could|example)\b)/i

/** Whether what stands behind a call leaves it standing: nothing, or words that do not talk about it. */
export function leavesCall(after: string, isMarked: boolean): boolean {
  const line = after.split('\n', 1)[0] ?? ''
  if (!isMarked && line.replace(endTokens, '').trim() !== '') return false
  const text = after.replace(endTokens, '').trim()
  const sentence = text.slice(0, 300).split(/(?<=[.!?])\s|\n/, 1)[0] ?? ''
  if (sentence === '' || waiting.test(sentence)) return true
  if (/^[a-z,;.)]/.test(sentence)) return false
  return !aboutCall.some((pattern) => pattern.test(sentence))
}

function lastSentence(before: string): string {
  const text =
    before
      .slice(-400)
      .split(/<\/think(?:ing)?>/)
      .at(-1) ?? ''
  const sentences = text.trim().split(/(?<=[.!?])\s+|\n+/)
  return sentences.at(-1)?.trim() ?? ''
}
