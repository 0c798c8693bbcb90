import { readContainer } from './json-reader.ts'
import { cursorAt } from './json-scalar.ts'
import { type CallBlock, findNamedTool, type ToolTable } from './tool-call-block.ts'
import { elementOpening } from './tool-call-elements.ts'
import { closingToken, envelopeToken, harmonyHead } from './tool-call-envelope.ts'
import { inputKeys, nameKeys } from './tool-call-json.ts'
import { actionLabel } from './tool-call-labels.ts'

/** Where a call begins, and whose it is; without a name where the text ends before it. */
interface Opening {
  readonly start: number
  readonly name: string | undefined
  readonly format: CallBlock['format']
}

/** What a call is named that ends before its name does. */
const unnamed = 'unknown'
/** How far behind its token a call's name is looked for. */
const headLength = 400
const nameKey = `["'](?:${nameKeys.join('|')})["']\\s*:\\s*["']([\\w.-]+)["']`
const keyedName = new RegExp(nameKey)
const bareName = /^\s*(?:function<｜tool▁sep｜>|call:)?([\w.-]+)/
/** JSON that names a tool; its second group is there where arguments follow at once. */
const jsonHead = new RegExp(
  `\\[?\\s{0,20}\\{\\s{0,20}${nameKey}(\\s*,\\s*["'](?:${inputKeys.join('|')})["']\\s*:)?`,
  'g',
)
const pythonicHead = /^[ \t]*(?:\[\s{0,20})?([A-Za-z_][\w.-]*)\(/gm

/**
 * The first call behind `from` that can be read no further than its beginning, up to the end of the text: its arguments are
 * malformed, nested too deep, or cut off. `isCut` says that the model was stopped at that end: then also what has no arguments yet.
 */
export function brokenBlock(
  text: string,
  tools: ToolTable,
  from: number,
  isCut: boolean,
): CallBlock | undefined {
  const openings = openingsIn(text, isCut)
    .filter(({ start }) => start >= from)
    .toSorted((one, other) => one.start - other.start)
  let position = from
  for (const { start, name = '', format } of openings) {
    const tool = findNamedTool(name, tools)
    if (tool === undefined || start < position) continue
    const end = endOfInput(text, start, isCut)
    if (end === undefined) return blockAt(text, start, tool.name, format)
    position = end
  }
  const open = isCut ? openings.find(({ name }) => name === undefined) : undefined
  return open && blockAt(text, open.start, unnamed, open.format)
}

function blockAt(
  text: string,
  start: number,
  toolName: string,
  format: CallBlock['format'],
): CallBlock {
  const calls = [{ toolName, input: text.slice(start) }]
  return { start, end: text.length, calls, format, isBroken: true }
}

/** What begins as a call does; what only looks like one counts where the model was stopped, or where its arguments follow. */
function openingsIn(text: string, isCut: boolean): readonly Opening[] {
  const found = (pattern: RegExp, format: CallBlock['format'], group = 1) =>
    [...text.matchAll(pattern)].map((match): Opening => {
      return { start: match.index, name: match[group] ?? '', format }
    })
  const tokens = [...text.matchAll(envelopeToken)].filter(([token]) => !closingToken.test(token))
  const heads = [...text.matchAll(jsonHead)].filter(([, , input]) => isCut || input !== undefined)
  return [
    ...tokens.map(({ index, 0: token }): Opening => {
      return { start: index, name: nameBehind(text, index + token.length), format: 'marked' }
    }),
    ...found(elementOpening, 'marked'),
    ...found(harmonyHead, 'marked'),
    ...found(actionLabel, 'labelled', 3),
    ...(isCut ? found(pythonicHead, 'pythonic') : []),
    ...heads.map(({ index, 1: name }): Opening => ({ start: index, name, format: 'json' })),
  ]
}

/** The name of a call behind its token; `undefined` where there is none, or the text ends within it. */
function nameBehind(text: string, start: number): string | undefined {
  const head = text.slice(start, start + headLength)
  const bare = bareName.exec(head)
  const isWhole = bare !== null && start + bare[0].length < text.length
  return keyedName.exec(head)?.[1] ?? (isWhole ? bare[1] : undefined)
}

/** Where the arguments of a call end that can be read; `undefined` where they cannot, or where it may be that they are not whole. */
function endOfInput(text: string, start: number, isCut: boolean): number | undefined {
  const at = text.indexOf('{', start)
  const hasJson = at >= 0 && !/<(?:parameter|arg_key)\b|\(/.test(text.slice(start, at))
  if (!hasJson) return isCut ? undefined : text.length
  const reading = readContainer(cursorAt(text, at))
  return reading.ok && !reading.truncated ? reading.end : undefined
}
