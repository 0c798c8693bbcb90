import { isJsonObject, type Json, type JsonObject } from '../json.ts'
import { findJson } from './json-from-text.ts'
import { readContainer, readValue } from './json-reader.ts'
import { cursorAt } from './json-scalar.ts'
import type { PrintedCall, TextTool, ToolTable } from './tool-call-block.ts'

/**
 * Whether a call recognised only by its shape fits its tool: it has at least one of the tool's parameters, or none if none is
 * required. Additional wrong ones are left for the tool to reject.
 */
export function fitsTool({ toolName, input }: PrintedCall, tools: ToolTable): boolean {
  const tool = tools.get(toolName)
  const known = readProperties(tool)
  if (tool === undefined || known === undefined || !isJsonObject(input)) return true
  const keys = Object.keys(input)
  return keys.length === 0
    ? readRequired(tool).length === 0
    : keys.some((key) => Object.hasOwn(known, key))
}

/** Whether `keys` are parameters of the tool and no required one is missing; `false` if its parameters are unknown. */
export function areItsParameters(tool: TextTool, keys: readonly string[]): boolean {
  const known = readProperties(tool)
  return (
    known !== undefined &&
    keys.every((key) => Object.hasOwn(known, key)) &&
    readRequired(tool).every((key) => keys.includes(key))
  )
}

/**
 * Input given as bare text: the value of the tool's only (or only required) parameter, otherwise the text itself. Text that
 * begins like JSON is not bare text: it may be half of an object.
 */
export function inputFromText(tool: TextTool, text: string): Json {
  const key = beginsAsJson(text) ? undefined : onlyParameter(tool)
  return key === undefined ? text : { [key]: argumentFromText(tool, key, text) }
}

/**
 * Input given as something else than an object or text: nothing for null and an empty list, otherwise the value of the tool's only
 * (or only required) parameter, which a list of one item stands for too. `undefined` if there is no such parameter.
 */
export function inputFromValue(tool: TextTool, value: Json): Json | undefined {
  if (value === null || (Array.isArray(value) && value.length === 0)) return {}
  const key = onlyParameter(tool)
  if (key === undefined) return undefined
  const schema = readProperties(tool)?.[key]
  const takesList = isJsonObject(schema) && schema.type === 'array'
  if (!Array.isArray(value) || takesList) return { [key]: value }
  return value.length === 1 ? { [key]: value[0] as Json } : undefined
}

/** The tool's only parameter, or its only required one. */
export function onlyParameter(tool: TextTool): string | undefined {
  const known = Object.keys(readProperties(tool) ?? {})
  const [key, second] = known.length === 1 ? known : readRequired(tool)
  return second === undefined ? key : undefined
}

/** An unquoted argument: text if the tool accepts nothing else there, otherwise the parsed value. */
export function argumentFromText(tool: TextTool, key: string, text: string): Json {
  if (isText(readProperties(tool)?.[key])) return text
  // At the very end of a text a number might be incomplete, so a blank marks its end.
  const cursor = cursorAt(`${text} `, 0)
  const read = readValue(cursor)
  return read !== undefined && text.slice(cursor.position).trim() === '' ? read.value : text
}

/** The object at the beginning of `text`, and its end; `undefined` if there is none or it is cut off. */
export function readInput(
  text: string,
): { readonly input: Json; readonly end: number } | undefined {
  const start = /\S/.exec(text)?.index ?? 0
  if (text[start] !== '{') return undefined
  const reading = readContainer(cursorAt(text, start))
  return reading.ok && !reading.truncated ? { input: reading.value, end: reading.end } : undefined
}

/** Whether a text begins like an object or array, fenced or not. */
export function beginsAsJson(text: string): boolean {
  return /^\s*(?:```\w*\s*)?[{[]/.test(text)
}

/**
 * The object in a text, with or without words around it; `undefined` if the object is cut off or other parts of the text may be
 * JSON: nothing missing is invented.
 */
export function objectInText(text: string): JsonObject | undefined {
  const [found, second] = findJson(text)
  if (found === undefined || second !== undefined || found.truncated) return undefined
  const around = text.slice(0, found.start) + text.slice(found.end)
  return isJsonObject(found.value) && !/[{[]/.test(around) ? found.value : undefined
}

function isText(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return false
  const { type, anyOf } = schema
  if (Array.isArray(anyOf)) {
    return anyOf.every((one: Json) => isText(one) || (isJsonObject(one) && one.type === 'null'))
  }
  if (Array.isArray(type)) return type.every((one: Json) => one === 'string' || one === 'null')
  return type === 'string'
}

function readProperties(tool: TextTool | undefined): JsonObject | undefined {
  const properties = tool?.parameters?.properties
  return isJsonObject(properties) ? properties : undefined
}

function readRequired(tool: TextTool): readonly string[] {
  const required = tool.parameters?.required
  return Array.isArray(required) ? required.filter((key: Json) => typeof key === 'string') : []
}
