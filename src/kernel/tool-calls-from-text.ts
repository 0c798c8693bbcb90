import type { Json } from './json.ts'
import type { CallBlock, CallRecognizer } from './tool-call-block.ts'
import { jsonBlocks } from './tool-call-json.ts'
import { functionBlocks, mistralBlocks, pythonTagBlocks, tagBlocks } from './tool-call-markup.ts'
import {
  type CodeFence,
  codeFences,
  coverage,
  leadsToCall,
  leavesCall,
  mayHoldCall,
  quotedStretches,
} from './tool-call-prose.ts'
import { pythonicBlocks } from './tool-call-pythonic.ts'

/** A tool call that a model printed in its text. */
export interface TextToolCall {
  readonly toolName: string
  /** As printed, not yet checked against the tool's schema; an object, or a string where the model gave only that. */
  readonly input: Json
  /** The stretch that holds the call, with its fence or tags; calls of one list or fence share it. UTF-16 code units. */
  readonly start: number
  readonly end: number
}

/** The calls of a text in order, and the text without them. */
export interface TextToolCalls {
  readonly calls: readonly TextToolCall[]
  /** What the model said beside its calls, trimmed. The whole text when there is no call. */
  readonly rest: string
}

/** A block where it stands: `start` and `end` take in its fence. */
interface PlacedBlock extends CallBlock {
  readonly isFenced: boolean
}

const recognizers: readonly CallRecognizer[] = [
  tagBlocks,
  functionBlocks,
  pythonTagBlocks,
  mistralBlocks,
  pythonicBlocks,
  jsonBlocks,
]

/**
 * The tool calls that a model wrote into its text because its server does not turn them into structured ones: JSON,
 * bare or fenced, the tags of Hermes, Llama and Mistral, and Python's notation. Each is found once.
 *
 * Only calls of `toolNames` count, and only where a call is meant: not in block quotes, inline code, thoughts or code
 * of another language, not as an example, and not where the text before or after talks about the call. A list that
 * names one unknown tool is no call at all.
 */
export function toolCallsFromText(text: string, toolNames: readonly string[]): TextToolCalls {
  const names = new Set(toolNames)
  const found = outermost(recognizers.flatMap((recognize) => recognize(text, names)))
  const meant = clusters(place(text, found), text).filter((cluster) => isMeant(cluster, text))
  const calls = meant
    .flat()
    .flatMap(({ start, end, calls: printed }) => printed.map((call) => ({ ...call, start, end })))
  return { calls, rest: calls.length === 0 ? text : withoutClusters(text, meant) }
}

/** The blocks that lie in no other one, in order: JSON within a tag was found by both recognizers. */
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

/** The blocks that stand where a call can be meant. A fence counts only when it holds nothing but calls. */
function place(text: string, blocks: readonly CallBlock[]): readonly PlacedBlock[] {
  const fenceAt = coverage(codeFences(text))
  const quoteAt = coverage(quotedStretches(text))
  const fenced = Map.groupBy(blocks, ({ start }) => fenceAt(start))
  return [...fenced]
    .flatMap(([fence, inside]): readonly PlacedBlock[] => {
      if (fence === undefined) {
        const free = inside.filter(({ start }) => quoteAt(start) === undefined)
        return free.map((block) => ({ ...block, isFenced: false }))
      }
      const { start, end } = fence
      const isCall =
        inside.every(({ format }) => mayHoldCall(fence, format)) && isOnly(inside, text, fence)
      return isCall ? inside.map((block) => ({ ...block, start, end, isFenced: true })) : []
    })
    .toSorted((a, b) => a.start - b.start)
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

/** Neighbouring blocks with nothing between them, together: they are meant or not meant as one. */
function clusters(
  blocks: readonly PlacedBlock[],
  text: string,
): readonly (readonly PlacedBlock[])[] {
  const all: PlacedBlock[][] = []
  for (const block of blocks) {
    const previous = all.at(-1)?.at(-1)
    const isNext = previous !== undefined && isGap(text.slice(previous.end, block.start))
    if (isNext) all.at(-1)?.push(block)
    else all.push([block])
  }
  return all
}

function isGap(between: string): boolean {
  return /^[\s,;]*$/.test(between)
}

function isMeant(cluster: readonly PlacedBlock[], text: string): boolean {
  const [first, last] = [cluster[0], cluster.at(-1)]
  if (first === undefined || last === undefined) return false
  const before = text.slice(0, first.start)
  const after = text.slice(last.end)
  if (first.format === 'pythonic' && !first.isFenced && !/(?:^|\n)[ \t]*$/.test(before))
    return false
  return (
    leadsToCall(before, first.format === 'marked') && leavesCall(after, last.format === 'marked')
  )
}

function withoutClusters(text: string, meant: readonly (readonly PlacedBlock[])[]): string {
  let position = 0
  const kept = meant.map((cluster) => {
    const before = text.slice(position, cluster[0]?.start)
    position = cluster.at(-1)?.end ?? position
    return before
  })
  return [...kept, text.slice(position)]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}
