import type { Json } from '../json.ts'
import {
  type CallBlock,
  findNamedTool,
  type PrintedCall,
  type TextTool,
  type ToolTable,
} from './tool-call-block.ts'
import { argumentFromText, readInput } from './tool-call-parameters.ts'

const namespace = '(?:[\\w-]{1,20}:|｜DSML｜)?'
/** The opening of an element that is a call, with the tool's name. */
export const elementOpening = new RegExp(
  `<${namespace}(?:function=|(?:function|invoke) name=)["']?([\\w.-]+)["']?[^<>\\n]{0,80}>`,
  'g',
)
const closing = new RegExp(`</${namespace}(?:function|invoke)>`)
const parameter = new RegExp(
  `<${namespace}parameter(?:=| name=)["']?([\\w.-]+)["']?([^<>\\n]{0,80})>`,
  'g',
)
const parameterEnd = new RegExp(`</${namespace}parameter>`)

/**
 * `<function=name>…</function>` and `<invoke name="name">…</invoke>` that contain JSON or `<parameter>` elements (Llama 3.1,
 * Qwen3-Coder, MiniMax, DeepSeek V3.2, Claude). An unclosed element is a call only if its JSON is complete, or if `isClosed` says
 * that the enclosing tag was closed.
 */
export function elementBlocks(
  text: string,
  tools: ToolTable,
  isClosed = false,
): readonly CallBlock[] {
  const found = [...text.matchAll(elementOpening)]
  return found.flatMap((match, index) => {
    const tool = findNamedTool(match[1] ?? '', tools)
    const start = match.index
    const contentStart = start + match[0].length
    const next = found[index + 1]?.index
    const content = text.slice(contentStart, next)
    const read =
      tool && readContent(content, tool, next === undefined ? isClosed : contentEnds(text, next))
    if (tool === undefined || read === undefined) return []
    const calls = [{ toolName: tool.name, input: read.input }]
    return [{ start, end: contentStart + read.end, calls, format: 'marked' as const }]
  })
}

/** A call in `<tool_call>` with `<arg_key>` and `<arg_value>` (GLM 4.5). */
export function readArgumentPairs(content: string, tools: ToolTable): PrintedCall | undefined {
  const [name = '', ...pairs] = content.split('<arg_key>')
  const tool = findNamedTool(name.trim(), tools)
  if (tool === undefined) return undefined
  const entries: [string, Json][] = []
  for (const pair of pairs) {
    const [key = '', rest = ''] = pair.split('</arg_key>', 2)
    const value = /^\s*<arg_value>/.exec(rest)
    const end = rest.indexOf('</arg_value>')
    if (value === null || end < 0) return undefined
    entries.push([key.trim(), argumentFromText(tool, key.trim(), rest.slice(value[0].length, end))])
  }
  return { toolName: tool.name, input: Object.fromEntries(entries) }
}

/** An element without a closing tag was left open on purpose only if the next one follows directly. */
function contentEnds(text: string, next: number): boolean {
  return /(?:>|\})\s*$/.test(text.slice(Math.max(0, next - 40), next))
}

function readContent(
  content: string,
  tool: TextTool,
  isClosed: boolean,
): { readonly input: Json; readonly end: number } | undefined {
  const read = readInput(content)
  const from = read?.end ?? 0
  const close = closing.exec(content.slice(from))
  const isDirect = close !== null && content.slice(from, from + close.index).trim() === ''
  const end = close === null ? content.length : from + close.index + close[0].length
  if (read !== undefined) return { input: read.input, end: isDirect ? end : read.end }
  if (close === null && !isClosed) return undefined
  const body = close === null ? content : content.slice(0, close.index)
  if (body.trim() === '') return { input: {}, end }
  const input = readParameters(body, tool)
  return input === undefined ? undefined : { input, end }
}

function readParameters(body: string, tool: TextTool): Json | undefined {
  const found = [...body.matchAll(parameter)]
  if (found.length === 0 || body.slice(0, found[0]?.index).trim() !== '') return undefined
  const entries = found.map((match, index): [string, Json] => {
    const [whole, key = '', attributes = ''] = match
    const content = body.slice(match.index + whole.length, found[index + 1]?.index)
    const end = parameterEnd.exec(content)?.index ?? content.trimEnd().length
    const text = content.slice(0, end).replace(/^\n/, '').replace(/\n$/, '')
    const isText = /string=["']true/.test(attributes)
    return [key, isText ? text : argumentFromText(tool, key, text)]
  })
  return Object.fromEntries(entries)
}
