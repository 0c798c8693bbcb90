import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { ScholiumError } from '../../kernel/errors.ts'
import { isNestedDeeper, type Json, type JsonObject, maxJsonDepth } from '../../kernel/json.ts'
import type { Terminal } from '../terminal.ts'
import { readBounded } from './read-question.ts'

/**
 * Reads the initial state of a run from JSON objects, `@FILE` and `-` with one each, and `KEY=VALUE`; the last value of
 * a key wins.
 * @throws `invalid_input` for anything else
 */
export async function readInput(given: readonly string[], terminal: Terminal): Promise<JsonObject> {
  const parts: JsonObject[] = []
  for (const one of given) parts.push(await readPart(one, terminal))
  return Object.assign({}, ...parts)
}

async function readPart(given: string, terminal: Terminal): Promise<JsonObject> {
  if (given === '-') {
    const name = 'The input on stdin'
    return parseObject(String(await readBounded(terminal.host.stdin, name, inputBound)), name)
  }
  if (given.startsWith('@')) {
    const path = given.slice(1)
    return parseObject(await readText(path, terminal), `The input file ${path}`)
  }
  if (given.trimStart().startsWith('{')) return parseObject(given, 'The input')
  const [, key, value] = /^([\p{L}_][\p{L}\p{N}_-]*)=(.*)$/su.exec(given) ?? []
  if (key !== undefined && value !== undefined) return { [key]: jsonOrText(value) }
  throw new ScholiumError('invalid_input', `Invalid input "${given.slice(0, 200)}".`, {
    hint: 'Give KEY=VALUE, a JSON object, @FILE that contains one, or - for stdin.',
  })
}

/** A state may have 128 million characters; the initial state is limited to fewer. */
const inputBound = {
  maxBytes: 64_000_000,
  hint: 'Pass a path instead, and let the agent file read it with file.read or csv.parse.',
}

async function readText(path: string, { host }: Terminal): Promise<string> {
  try {
    const stream = createReadStream(resolve(host.cwd(), path))
    return String(await readBounded(stream, `The input file ${path}`, inputBound))
  } catch (cause) {
    if (cause instanceof ScholiumError) throw cause
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : message
    throw new ScholiumError('invalid_input', `The input file ${path} cannot be read: ${reason}.`, {
      hint: 'Check the path.',
      cause,
    })
  }
}

function parseObject(json: string, name: string): JsonObject {
  if (isNestedDeeper(json, maxJsonDepth))
    throw new ScholiumError(
      'invalid_input',
      `${name} is nested deeper than ${maxJsonDepth} levels.`,
    )
  let value: Json
  try {
    value = JSON.parse(json.replace(/^\ufeff/, '')) as Json
  } catch (cause) {
    throw new ScholiumError(
      'invalid_input',
      `${name} is not valid JSON: ${(cause as Error).message}.`,
      {
        hint: 'Write {"key": "value"}, or pass single values as KEY=VALUE.',
        cause,
      },
    )
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as JsonObject
  throw new ScholiumError('invalid_input', `${name} is not a JSON object.`, {
    hint: 'Its keys are the keys of the state: {"key": "value"}.',
  })
}

/**
 * Parses a command line text as JSON, or keeps it as text: also a number that would lose digits, and JSON that is
 * nested too deeply.
 */
export function jsonOrText(text: string): Json {
  if (isNestedDeeper(text, maxJsonDepth)) return text
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch {
    return text
  }
  return typeof value === 'number' && !keepsDigits(text, value) ? text : value
}

/** A JavaScript number keeps any 15 digits. */
const sureDigits = 15

function keepsDigits(text: string, value: number): boolean {
  const digits = (/[\d.]+/.exec(text)?.[0] ?? '').replace('.', '').replace(/^0+/, '')
  if (!Number.isFinite(value) || (value === 0 && digits.replaceAll('0', '') !== '')) return false
  return digits.length <= sureDigits || String(value) === text.trim()
}
