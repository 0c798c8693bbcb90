import type { CallBlock, PrintedCall } from './tool-call-block.ts'
import { readInput, readJsonCalls, wholeJsonCalls } from './tool-call-json.ts'
import { wholePythonicCalls } from './tool-call-pythonic.ts'

type Names = ReadonlySet<string>

/** What stands between a token and the next one of its kind. */
interface Segment {
  readonly start: number
  /** What the group in the token matched. */
  readonly detail: string
  readonly contentStart: number
  readonly content: string
}

/** `<tool_call>…</tool_call>` and its spellings (Hermes, Qwen, Granite, Phi); the closing tag may be missing. */
export function tagBlocks(text: string, names: Names): readonly CallBlock[] {
  const segments = segmentsOf(text, /<\|?(\/?)(?:tool_?calls?|function_?calls?)\|?>/gi)
  return segments.flatMap(({ start, detail, contentStart, content }, index) => {
    if (detail === '/') return []
    const closing = segments[index + 1]
    if (closing?.detail === '/') {
      const calls = callsInTag(content, names)
      return calls === undefined ? [] : [marked(start, closing.contentStart, calls)]
    }
    const run = readJsonCalls(content, names)
    return run === undefined ? [] : [marked(start, contentStart + run.end, run.calls)]
  })
}

function callsInTag(content: string, names: Names): readonly PrintedCall[] | undefined {
  const tagged = functionBlocks(content, names).flatMap(({ calls }) => calls)
  if (tagged.length > 0) return tagged
  return wholeJsonCalls(content, names) ?? wholePythonicCalls(content, names)
}

/** `<function=name>{…}</function>` (Llama 3.1); the closing tag may be missing behind an input. */
export function functionBlocks(text: string, names: Names): readonly CallBlock[] {
  const segments = segmentsOf(text, /<function=([\w.-]+)>/g)
  return segments.flatMap(({ start, detail: toolName, contentStart, content }) => {
    const read = readInput(content)
    const closing = /\s*<\/function>/y
    closing.lastIndex = read?.end ?? 0
    const closed = closing.test(content)
    if (!names.has(toolName) || (read === undefined && !closed)) return []
    const end = contentStart + (closed ? closing.lastIndex : (read?.end ?? 0))
    return [marked(start, end, [{ toolName, input: read?.input ?? {} }])]
  })
}

/** `<|python_tag|>` with JSON or a pythonic call behind it (Llama 3). */
export function pythonTagBlocks(text: string, names: Names): readonly CallBlock[] {
  return segmentsOf(text, /<\|python_tag\|>/g).flatMap(({ start, contentStart, content }) => {
    const run = readJsonCalls(content, names)
    if (run !== undefined) return [marked(start, contentStart + run.end, run.calls)]
    const code = content.split(/<\|e\w+\|>/)[0] ?? ''
    const calls = wholePythonicCalls(code, names)
    return calls === undefined ? [] : [marked(start, contentStart + code.length, calls)]
  })
}

/** `[TOOL_CALLS]` with a JSON array behind it, or with `name[ARGS]{…}` as newer Mistral models print it. */
export function mistralBlocks(text: string, names: Names): readonly CallBlock[] {
  return segmentsOf(text, /\[TOOL_CALLS\]/g).flatMap(({ start, contentStart, content }) => {
    const run = readJsonCalls(content, names)
    if (run !== undefined) return [marked(start, contentStart + run.end, run.calls)]
    const [head = '', toolName = ''] =
      /^\s*([\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?/.exec(content) ?? []
    const read = names.has(toolName) ? readInput(content.slice(head.length)) : undefined
    if (read === undefined) return []
    return [marked(start, contentStart + head.length + read.end, [{ toolName, input: read.input }])]
  })
}

function segmentsOf(text: string, token: RegExp): readonly Segment[] {
  const found = [...text.matchAll(token)]
  return found.map((match, index) => {
    const contentStart = match.index + match[0].length
    const content = text.slice(contentStart, found[index + 1]?.index)
    return { start: match.index, detail: match[1] ?? '', contentStart, content }
  })
}

function marked(start: number, end: number, calls: readonly PrintedCall[]): CallBlock {
  return { start, end, calls, format: 'marked' }
}
