import type { Message, Part } from '../../src/kernel/agent/message.ts'

/** A conversation after something happened to it. */
export interface Damaged {
  readonly what: string
  readonly messages: readonly Message[]
}

/** Everything that can happen to a conversation, at every point of it. */
export function* damages(messages: readonly Message[]): Generator<Damaged> {
  yield { what: 'whole', messages }
  yield* cuts(messages)
  yield* losses(messages)
  yield* repetitions(messages)
  yield* misplacements(messages)
}

/** The beginning up to each boundary, each part and each character; and the end from each part on. */
function* cuts(messages: readonly Message[]): Generator<Damaged> {
  for (const [index, message] of messages.entries()) {
    const before = messages.slice(0, index)
    const after = messages.slice(index + 1)
    yield { what: `before message ${index}`, messages: before }
    for (const [place, part] of message.parts.entries()) {
      const head = { ...message, parts: message.parts.slice(0, place) }
      const tail = { ...message, parts: message.parts.slice(place) }
      yield { what: `before part ${index}.${place}`, messages: [...before, head] }
      yield { what: `from part ${index}.${place}`, messages: [tail, ...after] }
      for (const [at, torn] of tornParts(part).entries())
        yield {
          what: `inside part ${index}.${place} at ${at}`,
          messages: [...before, { ...head, parts: [...head.parts, torn] }],
        }
    }
  }
}

/** A part as a stream that breaks off leaves it: text of each length, arguments of each length, no signature yet. */
function tornParts(part: Part): readonly Part[] {
  if (part.type === 'text') return prefixes(part.text).map((text) => ({ ...part, text }))
  if (part.type === 'reasoning')
    return prefixes(part.text).map((text) => ({ type: 'reasoning', text }))
  if (part.type !== 'tool-call') return []
  return prefixes(JSON.stringify(part.input)).map((input) => ({ ...part, input }))
}

function prefixes(text: string): readonly string[] {
  return Array.from({ length: text.length }, (_, length) => text.slice(0, length))
}

function* losses(messages: readonly Message[]): Generator<Damaged> {
  for (const [index, message] of messages.entries()) {
    yield { what: `without message ${index}`, messages: messages.toSpliced(index, 1) }
    for (const place of message.parts.keys())
      yield {
        what: `without part ${index}.${place}`,
        messages: messages.with(index, { ...message, parts: message.parts.toSpliced(place, 1) }),
      }
  }
  yield { what: 'without results', messages: messages.filter(({ role }) => role !== 'tool') }
  yield { what: 'without questions', messages: messages.filter(({ role }) => role !== 'user') }
  yield { what: 'without answers', messages: messages.filter(({ role }) => role !== 'assistant') }
}

function* repetitions(messages: readonly Message[]): Generator<Damaged> {
  for (const [index, message] of messages.entries()) {
    const other = { ...message, id: `${message.id}-again` }
    yield { what: `message ${index} twice`, messages: messages.toSpliced(index, 0, message) }
    yield { what: `message ${index} again`, messages: messages.toSpliced(index, 0, other) }
    yield { what: `message ${index} again at the end`, messages: [...messages, other] }
    for (const [place, part] of message.parts.entries())
      yield {
        what: `part ${index}.${place} twice`,
        messages: messages.with(index, {
          ...message,
          parts: message.parts.toSpliced(place, 0, part),
        }),
      }
  }
}

function* misplacements(messages: readonly Message[]): Generator<Damaged> {
  for (const [index, message] of messages.entries()) {
    const rest = messages.toSpliced(index, 1)
    yield { what: `message ${index} last`, messages: [...rest, message] }
    yield { what: `message ${index} first`, messages: [message, ...rest] }
    yield {
      what: `parts of message ${index} turned round`,
      messages: messages.with(index, { ...message, parts: message.parts.toReversed() }),
    }
    yield {
      what: `message ${index} under the id of the one before`,
      messages: messages.with(index, { ...message, id: messages[index - 1]?.id ?? message.id }),
    }
  }
  yield { what: 'turned round', messages: messages.toReversed() }
}
