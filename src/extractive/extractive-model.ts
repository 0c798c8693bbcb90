import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import type { Calculation } from './question/calculation.ts'
import {
  offeredTools,
  type RoleRequest,
  readRoleRequest,
  readToolOutcomes,
} from './role-request.ts'
import { analyze } from './roles/analyzer.ts'
import { critique } from './roles/critic.ts'
import { answerAsExpert } from './roles/expert.ts'
import { finalize } from './roles/finalizer.ts'
import { plan } from './roles/planner.ts'
import { answerQuickly } from './roles/quick.ts'
import { research } from './roles/researcher.ts'
import { synthesize } from './roles/synthesizer.ts'

/**
 * Creates the built-in engine, which is not a language model. It plans by splitting the question, quotes
 * sentences that searches found, calls the calculator, and checks by fixed rules. It reads
 * `providerOptions.scholium = { role, input }`, tool results and the names of the offered tools, never the
 * text of the prompts. The same call always gives the same answer. It costs nothing and counts no tokens.
 *
 * Calls throw `invalid_input` when the role or its input is missing.
 */
export function createExtractiveModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'scholium',
    modelId: 'extractive',
    supportedUrls: {},
    doGenerate: async (options) => generate(options),
    doStream: async (options) => ({ stream: toStream(generate(options)) }),
  }
}

const noUsage: LanguageModelV4Usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

interface ToolCall {
  readonly tool: string
  readonly input: object
}

/** A role's move: tool calls, or its answer as an object. */
type Move = { readonly calls: readonly ToolCall[] } | { readonly answer: object }

function generate(options: LanguageModelV4CallOptions): LanguageModelV4GenerateResult {
  const move = chooseMove(readRoleRequest(options), options)
  if ('answer' in move)
    return toResult([{ type: 'text', text: JSON.stringify(move.answer) }], 'stop')
  const earlier = options.prompt
    .flatMap((message) => (message.role === 'assistant' ? message.content : []))
    .filter(({ type }) => type === 'tool-call')
  const content = move.calls.map(
    ({ tool, input }, index): LanguageModelV4Content => ({
      type: 'tool-call',
      toolCallId: `call-${earlier.length + index + 1}`,
      toolName: tool,
      input: JSON.stringify(input),
    }),
  )
  return toResult(content, 'tool-calls')
}

function toResult(
  content: LanguageModelV4Content[],
  unified: LanguageModelV4FinishReason['unified'],
): LanguageModelV4GenerateResult {
  return { content, finishReason: { unified, raw: undefined }, usage: noUsage, warnings: [] }
}

function chooseMove(call: RoleRequest, options: LanguageModelV4CallOptions): Move {
  switch (call.role) {
    case 'planner':
      return {
        answer: plan(call.input, options.prompt.filter(({ role }) => role === 'assistant').length),
      }
    case 'researcher': {
      const [outcomes, offered] = [readToolOutcomes(options), offeredTools(options)]
      // Who researches with a calculator answers the question alone.
      const move = offered.has('calculate')
        ? answerQuickly(call.input, outcomes, offered)
        : research(call.input, outcomes, offered)
      if ('answer' in move) return move
      if ('calls' in move) return { calls: move.calls.map(toToolCall) }
      const isSearch = 'search' in move
      return {
        calls: [
          isSearch
            ? { tool: 'search_library', input: move.search }
            : { tool: 'read_source', input: move.read },
        ],
      }
    }
    case 'expert': {
      const move = answerAsExpert(call.input, readToolOutcomes(options), offeredTools(options))
      return 'answer' in move ? move : { calls: move.calls.map(toToolCall) }
    }
    case 'critic':
      return { answer: critique(call.input) }
    case 'finalizer':
      return { answer: finalize(call.input) }
    case 'analyzer':
      return { answer: analyze(call.input) }
    case 'synthesizer':
      return { answer: synthesize(call.input) }
  }
}

function toToolCall({ tool, ...input }: Calculation): ToolCall {
  return { tool, input }
}

/** The same content as a stream, each text as one part. */
function toStream({
  content,
  finishReason,
  usage,
}: LanguageModelV4GenerateResult): ReadableStream<LanguageModelV4StreamPart> {
  const parts = content.flatMap((item, index): LanguageModelV4StreamPart[] => {
    if (item.type !== 'text')
      return [item as Extract<LanguageModelV4Content, { type: 'tool-call' }>]
    const id = `text-${index + 1}`
    return [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta: item.text },
      { type: 'text-end', id },
    ]
  })
  return ReadableStream.from<LanguageModelV4StreamPart>([
    { type: 'stream-start', warnings: [] },
    ...parts,
    { type: 'finish', finishReason, usage },
  ])
}
