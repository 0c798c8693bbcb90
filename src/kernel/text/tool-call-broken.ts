import { readContainer } from './json-reader.ts'
import { cursorAt } from './json-scalar.ts'
import { type CallBlock, findNamedTool, type ToolTable } from './tool-call-block.ts'
import { elementOpening } from './tool-call-elements.ts'
import { closingToken, envelopeToken, harmonyHead } from './tool-call-envelope.ts'
import { inputKeys, nameKeys } from './tool-call-json.ts'
import { actionLabel } from './tool-call-labels.ts'

/** The beginning of a call and its tool's name; without a name if the text ends before it. */
interface Opening {
  readonly start: number
  readonly name: string | undefined
  readonly format: CallBlock['format']
}

/** Name given to a call that ends before its name does. */
const unnamed = 'unknown'
/** Maximum distance between a token and the name of its call. */
const headLength = 400
const nameKey = `["'](?:${nameKeys.join('|')})["']\\s*:\\s*["']([\\w.-]+)["']`
const keyedName = new RegExp(nameKey)
const bareName = /^\s*(?:function<｜tool▁sep｜>|call:)?([\w.-]+)/
/** JSON that names a tool; the second group matches if arguments follow directly. */
const jsonHead = new RegExp(
  `\\[?\\s{0,20}\\{\\s{0,20}${nameKey}(\\s*,\\s*["'](?:${inputKeys.join('|')})["']\\s*:)?`,
  'g',
)
const pythonicHead = /^[ \t]*(?:\[\s{0,20})?([A-Za-z_][\w.-]*)\(/gm

/**
 * The first call after `from` of which only the beginning can be read; it extends to the end of the text. Its arguments are
 * malformed, nested too deeply, or cut off. `isCut`: the model was stopped at the end of the text, so a call without any
 * arguments yet counts too.
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

/** Possible beginnings of calls. One that is only similar counts if the model was stopped, or if its arguments follow. */
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

/** The name of a call after its token; `undefined` if there is none, or the text ends within it. */
function nameBehind(text: string, start: number): string | undefined {
  const head = text.slice(start, start + headLength)
  const bare = bareName.exec(head)
  const isWhole = bare !== null && start + bare[0].length < text.length
  return keyedName.exec(head)?.[1] ?? (isWhole ? bare[1] : undefined)
}

/** The end of a call's readable arguments; `undefined` if they cannot be read, or may be incomplete. */
function endOfInput(text: string, start: number, isCut: boolean): number | undefined {
  const at = text.indexOf('{', start)
  const hasJson = at >= 0 && !/<(?:parameter|arg_key)\b|\(/.test(text.slice(start, at))
  if (!hasJson) return isCut ? undefined : text.length
  const reading = readContainer(cursorAt(text, at))
  return reading.ok && !reading.truncated ? reading.end : undefined
}
