import { envelopeToken } from './tool-call-envelope.ts'

const speaker =
  '<\\|(?:start_header_id|im_start|start)\\|>assistant(?:<\\|end_header_id\\|>)?|<start_of_turn>model'
const specialToken = `${speaker}|<[|｜][^<>|｜\\s]{1,40}[|｜]>|</?s>|<end_of_turn>|${envelopeToken.source}`
const tokensAhead = new RegExp(`^(?:${specialToken})\\s*`, 'i')
// What ends thoughts is kept, so that they are not taken for words before a call.
const tokensBehind = new RegExp(`(?!<\\|end(?:_thinking)?\\|>)(?:${specialToken})\\s*$`, 'i')

/** Where the words before `end` end: the special tokens of models between them and `end` say nothing. */
export function skipTokensBack(text: string, end: number): number {
  for (let position = end; ; ) {
    const near = text.slice(Math.max(0, position - 100), position).trimEnd()
    const token = /(?:[>\]]|assistant|model)$/.test(near) ? tokensBehind.exec(near) : null
    if (token === null) return position
    position = Math.max(0, position - 100) + token.index
  }
}

/** Where the words behind `start` begin. */
export function skipTokensAhead(text: string, start: number): number {
  for (let position = start; ; ) {
    while (/\s/.test(text[position] ?? '')) position++
    const token = tokensAhead.exec(text.slice(position, position + 100))
    if (token === null) return position
    position += token[0].length
  }
}
