import type { CallBlock } from './tool-call-block.ts'

/** A half-open span of text. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** A fenced code block, marks included. */
export interface CodeFence extends TextSpan {
  readonly contentStart: number
  readonly contentEnd: number
  /** Lower case; empty if the fence names none. */
  readonly language: string
}

const jsonFences = new Set(['', 'json', 'jsonc', 'json5', 'xml'])
const callFences = new Set([
  'tool_call',
  'tool_calls',
  'tool_code',
  'tool',
  'function_call',
  'function_calls',
])

/** Whether a call of this format may be in the fence: in its own language, or in one used for calls. */
export function mayHoldCall(fence: CodeFence, format: CallBlock['format']): boolean {
  return callFences.has(fence.language) || (format !== 'pythonic' && jsonFences.has(fence.language))
}

/**
 * The code fences in a text, in order. One that is never closed ends with the text. Marks within `blocks` are part of a call:
 * DeepSeek fences its arguments.
 */
export function codeFences(text: string, blocks: readonly TextSpan[]): readonly CodeFence[] {
  const fences: CodeFence[] = []
  const blockAt = createCoverage(blocks)
  const mark = /^[ \t]*(`{3,}|~{3,})[ \t]*([\w+.-]*)([^\n]*)$/gm
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [line, run = '', name = '', rest = ''] = found
    const language = name.toLowerCase()
    const start = found.index
    if (blockAt(start) !== undefined) continue
    const lineEnd = start + line.length
    const contentStart = lineEnd - rest.length
    const closeOnLine = rest.lastIndexOf(run)
    if (closeOnLine > 0 && rest.slice(closeOnLine + run.length).trim() === '') {
      const contentEnd = contentStart + closeOnLine
      fences.push({ start, end: lineEnd, contentStart, contentEnd, language })
      continue
    }
    const closing = closingMark(text, lineEnd, run)
    const contentEnd = closing?.start ?? text.length
    const end = closing?.end ?? text.length
    fences.push({ start, end, contentStart, contentEnd, language })
    mark.lastIndex = end
  }
  return fences
}

/** The first line from a position on that contains only a mark like `run`, or a longer one. */
function closingMark(text: string, from: number, run: string): TextSpan | undefined {
  // A fixed pattern: one built from a long run would be too large to compile.
  const mark = /^[ \t]*(`{3,}|~{3,})[ \t]*$/gm
  mark.lastIndex = from
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [line, other = ''] = found
    if (other.startsWith(run)) return { start: found.index, end: found.index + line.length }
  }
  return undefined
}

const thought = '(?:think|thinking|thought|reasoning|scratchpad|reflection)'
const result =
  '(?:tool_(?:response|result|output)|function_(?:response|result|results|output)|observation)'
/** Each pattern matches to the end of its span or of the text, so that no pattern reads text twice. */
const quotedPatterns = [
  /^[ \t]*>.*$/gm,
  new RegExp(`<${thought}>[\\s\\S]*?(?:</${thought}>|$)`, 'gi'),
  /\[THINK\][\s\S]*?(?:\[\/THINK\]|$)/g,
  /<\|START_THINKING\|>[\s\S]*?(?:<\|END_THINKING\|>|$)/g,
  /<\|channel\|>analysis<\|message\|>[\s\S]*?(?:<\|end\|>|<\|start\|>|<\|channel\|>|$)/g,
  new RegExp(`<\\|?${result}\\|?>[\\s\\S]*?(?:<\\|?/${result}\\|?>|$)`, 'gi'),
  /\[TOOL_RESULTS\][\s\S]*?(?:\[\/TOOL_RESULTS\]|$)/g,
  // Text printed as another speaker's turn, up to the model's own.
  /<\|(?:im_start|start_header_id)\|>(?:user|system|tool|ipython|function)\b[\s\S]*?(?:<\|(?:im_start|start_header_id)\|>assistant|$)/g,
]

/** Spans that never contain intended calls: quotes, inline code, thoughts, results, turns of others. */
export function findQuotedSpans(text: string): readonly TextSpan[] {
  const found = quotedPatterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(({ index, 0: whole }) => ({
      start: index,
      end: index + whole.length,
    })),
  )
  return [...found, ...inlineCode(text), ...quotations(text), ...openThought(text)]
}

/** Some prompts end with the opening tag, so the answer begins within the thoughts. */
function openThought(text: string): readonly TextSpan[] {
  const tag = new RegExp(`<(/?)${thought}>`, 'i').exec(text)
  return tag?.[1] === '/' ? [{ start: 0, end: tag.index }] : []
}

/** Text on one line between two equal runs of one or two backticks. */
function inlineCode(text: string): readonly TextSpan[] {
  const found: TextSpan[] = []
  const open = new Map<number, number>()
  for (const { index, 0: token } of text.matchAll(/`+|\n/g)) {
    const length = token.length
    const start = open.get(length)
    if (token === '\n' || start !== undefined) open.clear()
    if (token === '\n' || length > 2) continue
    if (start === undefined) open.set(length, index)
    else found.push({ start, end: index + length })
  }
  return found
}

const closingMarks: Readonly<Record<string, string>> = {
  '“': '”',
  '„': '“”',
  '«': '»',
  '‹': '›',
  '「': '」',
  '『': '』',
}

/**
 * Text between opening and closing quotation marks. A quotation of several paragraphs repeats its opening mark before each
 * paragraph or before none; any other opening mark after an empty line means that the one before it was never closed.
 */
function quotations(text: string): readonly TextSpan[] {
  const found: TextSpan[] = []
  let open: { readonly start: number; readonly closing: string } | undefined
  let isNewParagraph = false
  for (const { index, 0: token } of text.matchAll(/[“”„«»‹›「」『』]|\n[ \t]*\n/g)) {
    if (token.startsWith('\n')) isNewParagraph = true
    else if (open?.closing.includes(token)) {
      found.push({ start: open.start, end: index + 1 })
      open = undefined
    } else if (closingMarks[token] !== undefined) {
      const isContinued =
        !isNewParagraph || /\n[ \t]*$/.test(text.slice(Math.max(0, index - 20), index))
      if (open === undefined || !isContinued) open = { start: index, closing: closingMarks[token] }
      isNewParagraph = false
    }
  }
  return found
}

/** Finds the span that covers a position, if any. Positions must be passed in ascending order. */
export function createCoverage<Found extends TextSpan>(
  covering: readonly Found[],
): (position: number) => Found | undefined {
  const sorted = covering.toSorted((a, b) => a.start - b.start)
  let index = 0
  let reach: Found | undefined
  return (position) => {
    for (let next = sorted[index]; next !== undefined && next.start <= position; index++) {
      if (reach === undefined || next.end > reach.end) reach = next
      next = sorted[index + 1]
    }
    return reach !== undefined && reach.end > position ? reach : undefined
  }
}
