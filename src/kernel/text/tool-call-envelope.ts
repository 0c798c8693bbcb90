import type { CallBlock, PrintedCall, ToolTable } from './tool-call-block.ts'
import { findNamedTool } from './tool-call-block.ts'
import { elementBlocks, readArgumentPairs } from './tool-call-elements.ts'
import { type CallRun, readJsonCalls, wholeJsonCalls } from './tool-call-json.ts'
import { readInput } from './tool-call-parameters.ts'
import { wholePythonicCalls } from './tool-call-pythonic.ts'

/**
 * The tokens that enclose calls: Hermes, Qwen, Granite, Phi, Jamba, MiniMax, LFM2, FunctionGemma, Kimi and DeepSeek (`tool_call`
 * and `function_call` in many spellings), Command R, InternLM, LM Studio, Mistral, Llama 3.
 */
export const envelopeToken =
  /<\/?[|｜]?\/?(?:[\w-]{1,20}[:_]|DSML｜)?(?:tool[_▁]?calls?|function[_▁]?calls?)(?:[_▁](?:section_)?(?:start|begin|end))?[|｜]?>|<\|(?:START|END)_ACTION\|>|<\|action_(?:start|end)\|>(?:<\|plugin\|>)?|\[(?:END_)?TOOL_REQUEST\]|\[\/?TOOL_CALLS\]|<\|python_tag\|>|\bfunctools(?=\[)/gi
/** The {@link envelopeToken}s that close a call. */
export const closingToken = /^[<[][|｜]?(?:\/|end_)|[_▁]end[|｜]?>$/i
/** What separates a call's name from its JSON in the formats of Mistral, DeepSeek, Kimi and FunctionGemma. */
const nameHead =
  /^\s*(?:function<｜tool▁sep｜>|call:)?([\w.-]+)(?::\d{1,4})?\s{0,4}(?:\[CALL_ID\]\w{1,40})?(?:\[ARGS\]|<｜tool▁sep｜>|<\|tool_call_argument_begin\|>)?\s{0,4}(?:```(?:json)?\s{0,4})?(?=\{)/
/** The beginning of a gpt-oss call, with the tool's name. */
export const harmonyHead =
  /(?:<\|start\|>assistant)?(?:<\|channel\|>\w{1,20})?\s?to=functions\.([\w.-]+)(?:<\|channel\|>\w{1,20})?\s?(?:<\|constrain\|>)?\s?\w{0,10}<\|message\|>/g

/** Calls between tokens; without a closing token, only those that are complete in themselves. */
export function envelopeBlocks(text: string, tools: ToolTable): readonly CallBlock[] {
  const tokens = [...text.matchAll(envelopeToken)]
  const blocks: CallBlock[] = []
  let done = 0
  for (const [index, token] of tokens.entries()) {
    if (token.index < done || closingToken.test(token[0])) continue
    const next = tokens[index + 1]
    const start = token.index + token[0].length
    const content = text.slice(start, next?.index)
    const isClosed = next !== undefined && closingToken.test(next[0])
    const calls = isClosed ? wholeCalls(content, tools) : undefined
    const run = calls === undefined ? firstCalls(content, tools) : { calls, end: content.length }
    if (run === undefined) continue
    const close = calls === undefined ? '' : (next?.[0] ?? '')
    done = start + run.end + close.length
    blocks.push({ start: token.index, end: done, calls: run.calls, format: 'marked' })
  }
  return blocks
}

/** `<|channel|>commentary to=functions.name …<|message|>{…}` (gpt-oss). */
export function harmonyBlocks(text: string, tools: ToolTable): readonly CallBlock[] {
  const heads = [...text.matchAll(harmonyHead)]
  return heads.flatMap((head, index) => {
    const start = head.index + head[0].length
    const tool = findNamedTool(head[1] ?? '', tools)
    const read = readInput(text.slice(start, heads[index + 1]?.index))
    if (tool === undefined || read === undefined) return []
    const calls = [{ toolName: tool.name, input: read.input }]
    return [{ start: head.index, end: start + read.end, calls, format: 'marked' as const }]
  })
}

/** The calls in the text between an opening and a closing token, in any notation. */
function wholeCalls(content: string, tools: ToolTable): readonly PrintedCall[] | undefined {
  const elements = elementBlocks(content, tools, true).flatMap(({ calls }) => calls)
  if (elements.length > 0) return elements
  const json = wholeJsonCalls(content, tools)
  if (json !== undefined) return json
  if (content.includes('<arg_key>')) {
    const call = readArgumentPairs(content, tools)
    return call === undefined ? undefined : [call]
  }
  const named = readNamed(content, tools)
  return named?.calls ?? wholePythonicCalls(content, tools)
}

/** The quotation marks of Gemma's and FunctionGemma's calls. */
const gemmaQuotes = /<\|"\|>([\s\S]*?)<\|"\|>|<escape>([^<]*)<escape>/g

function quoted(_whole: string, text: string | undefined, escaped = ''): string {
  return JSON.stringify(text ?? escaped)
}

/** The calls at the beginning of a text, whatever follows them. */
function firstCalls(content: string, tools: ToolTable): CallRun | undefined {
  const run = readJsonCalls(content, tools) ?? readNamed(content, tools)
  if (run !== undefined) return run
  const code = content.split(/<\|e\w+\|>|<\/s>/, 1)[0] ?? ''
  const calls = wholePythonicCalls(code, tools)
  return calls === undefined ? undefined : { calls, end: code.length }
}

/** A call whose name precedes its JSON. */
function readNamed(content: string, tools: ToolTable): CallRun | undefined {
  const head = nameHead.exec(content)
  const tool = head === null ? undefined : findNamedTool(head[1] ?? '', tools)
  if (head === null || tool === undefined) return undefined
  const given = content.slice(head[0].length)
  const inJson = given.replaceAll(gemmaQuotes, quoted)
  const read = readInput(inJson)
  if (read === undefined) return undefined
  const calls = [{ toolName: tool.name, input: read.input }]
  // What follows the arguments is as long in both.
  return { calls, end: content.length - (inJson.length - read.end) }
}
