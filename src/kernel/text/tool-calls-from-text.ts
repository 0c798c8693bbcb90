import type { Json } from '../json.ts'
import { blankThoughts } from './thought-json.ts'
import type { CallBlock, CallRecognizer, TextTool } from './tool-call-block.ts'
import { brokenBlock } from './tool-call-broken.ts'
import { elementBlocks } from './tool-call-elements.ts'
import { envelopeBlocks, envelopeToken, harmonyBlocks } from './tool-call-envelope.ts'
import { jsonBlocks } from './tool-call-json.ts'
import { labelledBlocks } from './tool-call-labels.ts'
import { isIntended } from './tool-call-prose.ts'
import { pythonicBlocks, toolCodeBlocks } from './tool-call-pythonic.ts'
import {
  type CodeFence,
  codeFences,
  createCoverage,
  findQuotedSpans,
  mayHoldCall,
} from './tool-call-quotes.ts'

/** A tool call that a model printed in its text. */
export interface TextToolCall {
  readonly toolName: string
  /** As printed, not validated against the tool's schema: an object, or a string if the model gave only that. */
  readonly input: Json
  /** The span of the call, including its fence or tags; calls in one list or fence share it. UTF-16 code units. */
  readonly start: number
  readonly end: number
  /** Whether only its shape identifies it as a call, without tokens, tags or labels. Quoted text may look the same. */
  readonly isShapeOnly: boolean
  /** Whether it is or may be cut off, or is unreadable: it is never executed, and `input` may be only its text. */
  readonly isBroken?: true
}

/** The calls in a text in order, and the text without them. */
export interface TextToolCalls {
  readonly calls: readonly TextToolCall[]
  /** The text around the calls, trimmed; the whole text if there is no call. */
  readonly rest: string
}

/** A block with its position: `start` and `end` include its fence. */
interface PlacedBlock extends CallBlock {
  readonly isFenced: boolean
}

/** Blocks with nothing between them, which are all intended as calls or all not. */
interface Cluster {
  readonly start: number
  readonly end: number
  readonly blocks: readonly PlacedBlock[]
}

const recognizers: readonly CallRecognizer[] = [
  envelopeBlocks,
  (text, tools) => elementBlocks(text, tools),
  harmonyBlocks,
  labelledBlocks,
  toolCodeBlocks,
  pythonicBlocks,
  jsonBlocks,
]

/**
 * Parses tool calls that a model wrote into its text because its server does not convert them: JSON, bare or fenced; the tags and
 * tokens of the models' own formats; the labels of ReAct; and Python notation. A call that is repeated in another place or format
 * is found once. Takes linear time.
 *
 * Only calls of `tools` count, and only if they are intended: not in quotes, inline code, thoughts, results or code of another
 * language, not as an example, and not if the surrounding text talks about the call. A list that names an unknown tool is not a
 * call at all. The tools' schemas decide how unquoted values are read, and what counts as a call if only its shape identifies it.
 * A call with malformed or cut-off arguments is broken. `isCut`: the model was stopped, so a call that nothing follows is broken
 * too, since it may be incomplete.
 */
export function toolCallsFromText(
  written: string,
  tools: readonly TextTool[],
  isCut = false,
): TextToolCalls {
  const text = blankThoughts(written)
  const table = new Map(tools.map((tool) => [tool.name, tool]))
  const read = outermost(recognizers.flatMap((recognize) => recognize(text, table)))
  const broken = brokenBlock(text, table, read.at(-1)?.end ?? 0, isCut)
  const found = broken === undefined ? read : [...read, broken]
  const meant = clusters(place(text, found), text).filter(({ start, end, blocks }) => {
    const [first, last] = [blocks[0] as PlacedBlock, blocks.at(-1) as PlacedBlock]
    return isIntended(text, { start, end, first, last })
  })
  const calls = withoutEchoes(meant).flatMap(({ start, end, format, calls: printed, isBroken }) => {
    const isShapeOnly = format === 'json' || format === 'pythonic'
    return printed.map((call) => ({
      ...call,
      start,
      end,
      isShapeOnly,
      ...(isBroken && { isBroken }),
    }))
  })
  const isLast = text.slice(meant.at(-1)?.end ?? 0).trim() === ''
  return {
    calls: isCut && isLast ? withBrokenEnd(calls) : calls,
    rest: calls.length === 0 ? written : withoutClusters(written, meant),
  }
}

/** Marks the last call as broken: the text was cut off after it. */
export function withBrokenEnd(calls: readonly TextToolCall[]): readonly TextToolCall[] {
  return calls.map((call, index) =>
    index === calls.length - 1 ? { ...call, isBroken: true } : call,
  )
}

/** The blocks that are not inside another, in order; JSON within a tag is found by both recognizers. */
function outermost(blocks: readonly CallBlock[]): readonly CallBlock[] {
  let end = 0
  return blocks
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((block) => {
      if (block.start < end) return false
      end = block.end
      return true
    })
}

/** The blocks in positions where a call can be intended. A fence counts only if it contains nothing but calls. */
function place(text: string, blocks: readonly CallBlock[]): readonly PlacedBlock[] {
  const fenceAt = createCoverage(codeFences(text, blocks))
  const quoteAt = createCoverage(findQuotedSpans(text))
  const fenced = Map.groupBy(blocks, ({ start }) => fenceAt(start))
  return [...fenced]
    .flatMap(([fence, inside]): readonly PlacedBlock[] => {
      if (fence === undefined) return inside.map((block) => ({ ...block, isFenced: false }))
      const { start, end } = fence
      const isCall =
        inside.every(({ format }) => mayHoldCall(fence, format)) && isOnly(inside, text, fence)
      return isCall ? inside.map((block) => ({ ...block, start, end, isFenced: true })) : []
    })
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start }) => quoteAt(start) === undefined)
}

function isOnly(blocks: readonly CallBlock[], text: string, fence: CodeFence): boolean {
  let position = fence.contentStart
  const gaps = blocks.map(({ start, end }) => {
    const gap = text.slice(position, start)
    position = end
    return gap
  })
  return [...gaps, text.slice(position, fence.contentEnd)].every(isGap)
}

function clusters(blocks: readonly PlacedBlock[], text: string): readonly Cluster[] {
  const all: { start: number; end: number; blocks: PlacedBlock[] }[] = []
  for (const block of blocks) {
    const previous = all.at(-1)
    const { start } = block
    if (previous !== undefined && isGap(text.slice(previous.end, Math.max(previous.end, start)))) {
      previous.blocks.push(block)
      previous.end = skipTokensAhead(text, block.end)
    } else {
      const end = skipTokensAhead(text, block.end)
      all.push({ start: skipTokensBack(text, start), end, blocks: [block] })
    }
  }
  return all
}

function isGap(between: string): boolean {
  return /^[\s,;]*(?:(?:and|then|also|plus|&)\b[\s,:;]*){0,2}$/.test(between)
}

/** Drops repetitions in another place or format; repetitions within one list are intended. */
function withoutEchoes(meant: readonly Cluster[]): readonly CallBlock[] {
  const printed = new Map<string, string>()
  return meant.flatMap(({ blocks }, cluster) =>
    blocks.map((block) => {
      const place = `${cluster} ${block.format}`
      const calls = block.calls.filter((call) => {
        const key = JSON.stringify([call.toolName, sorted(call.input)])
        if (!printed.has(key)) printed.set(key, place)
        return printed.get(key) === place
      })
      return { ...block, calls }
    }),
  )
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => sorted(item))
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item as Json)]))
}

function withoutClusters(text: string, meant: readonly Cluster[]): string {
  let position = 0
  const kept = meant.map(({ start, end }) => {
    const before = text.slice(position, start)
    position = end
    return before
  })
  return [...kept, text.slice(position)]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}

const speaker =
  '<\\|(?:start_header_id|im_start|start)\\|>assistant(?:<\\|end_header_id\\|>)?|<start_of_turn>model'
const specialToken = `${speaker}|<[|｜][^<>|｜\\s]{1,40}[|｜]>|</?s>|<end_of_turn>|${envelopeToken.source}`
const tokensAhead = new RegExp(`^(?:${specialToken})\\s*`, 'i')
// Tokens that end thoughts are kept, so that the thoughts do not count as words before a call.
const tokensBehind = new RegExp(`(?!<\\|end(?:_thinking)?\\|>)(?:${specialToken})\\s*$`, 'i')

/** Braces alone on their line, or before a call on its line: models that double the braces of templates print them. */
const strayBraces = /(?<=^|\n)[ \t]*[{}]{1,2}$/

/** The end of the words before `end`, skipping special tokens between them. */
function skipTokensBack(text: string, end: number): number {
  for (let position = end; ; ) {
    const near = text.slice(Math.max(0, position - 100), position).trimEnd()
    const token =
      strayBraces.exec(near) ??
      (/(?:[>\]]|assistant|model)$/.test(near) ? tokensBehind.exec(near) : null)
    if (token === null) return position
    position = Math.max(0, position - 100) + token.index
  }
}

/** The beginning of the words after `start`. */
function skipTokensAhead(text: string, start: number): number {
  for (let position = start; ; ) {
    while (/\s/.test(text[position] ?? '')) position++
    const ahead = text.slice(position, position + 100)
    const token = tokensAhead.exec(ahead) ?? /^\}{1,2}(?=\s*$)/.exec(ahead)
    if (token === null) return position
    position += token[0].length
  }
}
