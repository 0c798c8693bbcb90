import type { Expected, ExpectedCall } from './expectation.ts'
import { expectedOfInteraction, expectedOfResponse } from './expected-items.ts'
import { at, count, joined, last, list, parseInput, text } from './raw-json.ts'
import type { Wire } from './recordings.ts'

/** Reads what an answer of a provider says. */
export function expectedOf(wire: Wire, isStream: boolean, chunks: readonly unknown[]): Expected {
  switch (wire) {
    case 'anthropic':
      return isStream ? expectedOfAnthropicStream(chunks) : expectedOfAnthropicBody(chunks[0])
    case 'bedrock':
      return isStream ? expectedOfBedrockStream(chunks) : expectedOfBedrockBody(chunks[0])
    case 'google':
      return expectedOfGoogle(chunks)
    case 'google-interactions':
      return expectedOfInteraction(isStream, chunks)
    case 'openai-responses':
    case 'xai-responses':
      return expectedOfResponse(isStream, chunks)
    default:
      return expectedOfChat(chunks)
  }
}

const chatFinish: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool-calls',
  content_filter: 'content-filter',
  error: 'error',
}

/** OpenAI's chat completions and what took them over; the older text completions too. */
function expectedOfChat(chunks: readonly unknown[]): Expected {
  const messages = chunks.map((chunk) => at(chunk, 'choices', 0))
  const said = messages.map((choice) => at(choice, 'delta') ?? at(choice, 'message') ?? choice)
  const usage = last(chunks, (chunk) => at(chunk, 'usage') ?? at(chunk, 'x_groq', 'usage'))
  const reason = last(messages, (choice) => at(choice, 'finish_reason') as string)
  return {
    text: joined(said, (delta) => contentText(at(delta, 'content') ?? at(delta, 'text'))),
    toolCalls: chatCalls(said.flatMap((delta) => list(delta, 'tool_calls'))),
    finish: reason === undefined ? undefined : (chatFinish[reason] ?? 'other'),
    usage: usage && {
      input: count(usage, 'prompt_tokens'),
      // xAI counts its thoughts in addition to the completion, and only the total holds both.
      output: count(usage, 'total_tokens') - count(usage, 'prompt_tokens'),
    },
    hasError: chunks.some((chunk) => at(chunk, 'error') !== undefined),
  }
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return joined(list(content), (part) => (text(part, 'type') === 'text' ? text(part, 'text') : ''))
}

function chatCalls(deltas: readonly unknown[]): readonly ExpectedCall[] {
  const calls = new Map<unknown, { name: string; input: string }>()
  for (const [position, delta] of deltas.entries()) {
    const key = at(delta, 'index') ?? `whole ${position}`
    const known = calls.get(key) ?? { name: '', input: '' }
    calls.set(key, {
      name: known.name + text(delta, 'function', 'name'),
      input: known.input + text(delta, 'function', 'arguments'),
    })
  }
  return [...calls.values()].map(({ name, input }) => ({ name, input: parseInput(input) }))
}

const anthropicFinish: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  refusal: 'content-filter',
  compaction: 'other',
}

/** Several messages in one recording are the service's own turns; the last one ends the answer. */
function expectedOfAnthropicStream(chunks: readonly unknown[]): Expected {
  const starts = chunks.flatMap((chunk, index) => (at(chunk, 'message') ? [index] : []))
  const messages = starts.map((start, index) => chunks.slice(start, starts[index + 1]))
  const ending = messages.at(-1) ?? []
  const usage = {
    ...(at(ending[0], 'message', 'usage') as object | undefined),
    ...(last(ending, (chunk) => at(chunk, 'usage')) as object | undefined),
  }
  const isWhole = ending.some((chunk) => text(chunk, 'type') === 'message_stop')
  const reason = last(ending, (chunk) => at(chunk, 'delta', 'stop_reason') as string)
  return {
    // A summary that the service made of the conversation is text as well.
    text: joined(chunks, (chunk) => text(chunk, 'delta', 'text') + text(chunk, 'delta', 'content')),
    toolCalls: messages.flatMap(anthropicCalls),
    finish: isWhole && reason !== undefined ? (anthropicFinish[reason] ?? 'other') : undefined,
    usage: starts.length === 0 ? undefined : anthropicUsage(usage),
    hasError: chunks.some((chunk) => text(chunk, 'type') === 'error'),
  }
}

function anthropicCalls(message: readonly unknown[]): readonly ExpectedCall[] {
  const whole = list(message[0], 'message', 'content')
    .filter((block) => text(block, 'type') === 'tool_use')
    .map((block) => ({ name: text(block, 'name'), input: at(block, 'input') }))
  const begun = message
    .filter((chunk) => text(chunk, 'content_block', 'type') === 'tool_use')
    .map((chunk) => {
      const own = message.filter((delta) => at(delta, 'index') === at(chunk, 'index'))
      const input = joined(own, (delta) => text(delta, 'delta', 'partial_json'))
      const given = at(chunk, 'content_block', 'input')
      const name = text(chunk, 'content_block', 'name')
      return { name, input: input === '' ? given : parseInput(input) }
    })
  return [...whole, ...begun]
}

function expectedOfAnthropicBody(body: unknown): Expected {
  const content = list(body, 'content')
  const uses = content.filter((block) => text(block, 'type') === 'tool_use')
  return {
    text: joined(content, (block) =>
      text(block, 'type') === 'text' ? text(block, 'text') : compactionText(block),
    ),
    toolCalls: uses.map((use) => ({ name: text(use, 'name'), input: at(use, 'input') })),
    finish: anthropicFinish[text(body, 'stop_reason')] ?? 'other',
    usage: anthropicUsage(at(body, 'usage')),
    hasError: false,
  }
}

function compactionText(block: unknown): string {
  return text(block, 'type') === 'compaction' ? text(block, 'content') : ''
}

/** A compaction is billed in addition to the answer; the whole is then in `iterations`. */
function anthropicUsage(usage: unknown) {
  const parts = list(usage, 'iterations')
  const isCompacted = parts.some((part) => text(part, 'type') === 'compaction')
  const sum = (...names: readonly string[]) =>
    (isCompacted ? parts : [usage])
      .flatMap((part) => names.map((name) => count(part, name)))
      .reduce((total, tokens) => total + tokens, 0)
  return {
    input: sum('input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'),
    output: sum('output_tokens'),
  }
}

const bedrockFinish: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool-calls',
  max_tokens: 'length',
  content_filtered: 'content-filter',
}

function expectedOfBedrockStream(chunks: readonly unknown[]): Expected {
  const deltas = chunks.map((chunk) => at(chunk, 'contentBlockDelta')).filter(Boolean)
  const starts = chunks.map((chunk) => at(chunk, 'contentBlockStart')).filter(Boolean)
  const uses = starts.filter((start) => at(start, 'start', 'toolUse') !== undefined)
  const usage = last(chunks, (chunk) => at(chunk, 'metadata', 'usage'))
  const reason = last(chunks, (chunk) => at(chunk, 'messageStop', 'stopReason') as string)
  return {
    text: joined(deltas, (delta) => text(delta, 'delta', 'text')),
    toolCalls: uses.map((use) => {
      const index = at(use, 'contentBlockIndex')
      const own = deltas.filter((delta) => at(delta, 'contentBlockIndex') === index)
      const input = joined(own, (delta) => text(delta, 'delta', 'toolUse', 'input'))
      return { name: text(use, 'start', 'toolUse', 'name'), input: parseInput(input) }
    }),
    finish: reason === undefined ? undefined : (bedrockFinish[reason] ?? 'other'),
    usage: usage && { input: count(usage, 'inputTokens'), output: count(usage, 'outputTokens') },
    hasError: false,
  }
}

function expectedOfBedrockBody(body: unknown): Expected {
  const content = list(body, 'output', 'message', 'content')
  const uses = content.flatMap((block) => at(block, 'toolUse') ?? [])
  return {
    text: joined(content, (block) => text(block, 'text')),
    toolCalls: uses.map((use) => ({ name: text(use, 'name'), input: at(use, 'input') })),
    finish: bedrockFinish[text(body, 'stopReason')] ?? 'other',
    usage: {
      input: count(body, 'usage', 'inputTokens'),
      output: count(body, 'usage', 'outputTokens'),
    },
    hasError: false,
  }
}

const googleFinish: Readonly<Record<string, string>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  MALFORMED_FUNCTION_CALL: 'error',
}

function expectedOfGoogle(chunks: readonly unknown[]): Expected {
  const parts = chunks.flatMap((chunk) => list(chunk, 'candidates', 0, 'content', 'parts'))
  const said = parts.filter((part) => at(part, 'thought') !== true)
  const usage = last(chunks, (chunk) => at(chunk, 'usageMetadata'))
  const reason = last(chunks, (chunk) => at(chunk, 'candidates', 0, 'finishReason') as string)
  const toolCalls = googleCalls(parts.flatMap((part) => at(part, 'functionCall') ?? []))
  const named = reason === undefined ? undefined : (googleFinish[reason] ?? 'other')
  return {
    text: joined(said, (part) => text(part, 'text')),
    toolCalls,
    finish: named === 'stop' && toolCalls.length > 0 ? 'tool-calls' : named,
    usage: usage && {
      input: count(usage, 'promptTokenCount') + count(usage, 'toolUsePromptTokenCount'),
      output: count(usage, 'candidatesTokenCount') + count(usage, 'thoughtsTokenCount'),
    },
    hasError: false,
  }
}

/** Calls, also those whose arguments come in bits with the path at which each stands. */
function googleCalls(calls: readonly unknown[]): readonly ExpectedCall[] {
  const whole: { name: string; input: Record<string, unknown> }[] = []
  for (const call of calls) {
    if (text(call, 'name') !== '')
      whole.push({ name: text(call, 'name'), input: (at(call, 'args') ?? {}) as never })
    for (const bit of list(call, 'partialArgs')) addBit(whole.at(-1)?.input ?? {}, bit)
  }
  return whole
}

function addBit(input: object, bit: unknown): void {
  const path = [...text(bit, 'jsonPath').matchAll(/[^.$[\]]+/g)].map(([key]) => key)
  const inner = path.slice(0, -1).reduce<Record<string, unknown>>(
    (parent, key, index) => {
      parent[key] ??= /^\d+$/.test(path[index + 1] ?? '') ? [] : {}
      return parent[key] as Record<string, unknown>
    },
    input as Record<string, unknown>,
  )
  const key = path.at(-1) as string
  const added = at(bit, 'stringValue')
  inner[key] = typeof added === 'string' ? text(inner, key) + added : at(bit, 'numberValue')
}
