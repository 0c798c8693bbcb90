import type { Message } from '../kernel/agent/message.ts'
import { imagesOf } from '../kernel/limits/image-tokens.ts'
import { loadTokenCounter } from '../team/count-tokens.ts'

const known = new WeakMap<Message, Promise<number>>()
/** What a message has beside its words: its role and the marks of its parts. */
const marksTokens = 8
const imageTokens = 1_600

/** About how many tokens a message has; counted once for each. */
export function countMessageTokens(message: Message): Promise<number> {
  const counted = known.get(message) ?? count(message)
  known.set(message, counted)
  return counted
}

async function count(message: Message): Promise<number> {
  const text = message.parts.map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text
    if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`
    if (part.type !== 'tool-result') return ''
    return typeof part.output === 'string' ? part.output : JSON.stringify(part.output)
  })
  const images = imagesOf([message]).length * imageTokens
  const countTokens = await loadTokenCounter()
  return countTokens(text.join('\n')) + marksTokens + images
}
