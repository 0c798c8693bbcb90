import { canonicalJson, type Hash, sha256 } from '../json.ts'
import { collectImages } from '../limits/image-tokens.ts'
import type { Message } from './message.ts'

/** The hash by which the log knows a message: of what a model is shown, not of ids and times. */
export function messageHash(message: Message): Hash {
  return computeDigest(message).hash
}

/** An upper bound of a message's tokens without its pictures: a token is at least one byte of UTF-8. */
export function maxMessageTokens(message: Message): number {
  return computeDigest(message).sizeBytes
}

interface Digest {
  readonly hash: Hash
  readonly sizeBytes: number
}

const digests = new WeakMap<Message, Digest>()

function computeDigest(message: Message): Digest {
  const known = digests.get(message)
  if (known !== undefined) return known
  const content = messageContent(message)
  const pictures = collectImages([message]).reduce((sum, { data }) => sum + data.length, 0)
  const digest = { hash: sha256(content), sizeBytes: Buffer.byteLength(content) - pictures }
  digests.set(message, digest)
  return digest
}

/** The text under which a message is kept: what a model is shown of it. */
export function messageContent(message: Message): string {
  return canonicalJson({ role: message.role, parts: message.parts })
}

/**
 * A message in the form in which the log returns it, so that a model is sent the same text each time and prompt caches of
 * services stay valid.
 */
export function toLoggedForm(message: Message): Message {
  if (message.parts.every(({ type }) => type === 'text')) return message
  return { ...message, ...(JSON.parse(messageContent(message)) as Pick<Message, 'parts'>) }
}
