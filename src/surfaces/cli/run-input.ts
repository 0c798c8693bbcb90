import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { jsonOrText } from './json-or-text.ts'
import type { Terminal } from './terminal.ts'

/**
 * What a run's state begins with: JSON objects, `@FILE` and `-` with one, and `KEY=VALUE`; of two values of a key the later wins.
 * @throws `invalid_input` for what is none of these
 */
export async function readInput(given: readonly string[], terminal: Terminal): Promise<JsonObject> {
  const parts: JsonObject[] = []
  for (const one of given) parts.push(await readPart(one, terminal))
  return Object.assign({}, ...parts)
}

async function readPart(given: string, terminal: Terminal): Promise<JsonObject> {
  if (given === '-') return objectOf(await text(terminal.host.stdin), 'The input on stdin')
  if (given.startsWith('@')) {
    const path = given.slice(1)
    return objectOf(await readText(path, terminal), `The input file ${path}`)
  }
  if (given.trimStart().startsWith('{')) return objectOf(given, 'The input')
  const [, key, value] = /^([\p{L}_][\p{L}\p{N}_-]*)=(.*)$/su.exec(given) ?? []
  if (key !== undefined && value !== undefined) return { [key]: jsonOrText(value) }
  throw new ScholiumError('invalid_input', `The input cannot be "${given.slice(0, 200)}".`, {
    hint: 'Write it as KEY=VALUE, as a JSON object, as @FILE with one, or as - for stdin.',
  })
}

async function readText(path: string, { host }: Terminal): Promise<string> {
  try {
    return await readFile(resolve(host.cwd(), path), 'utf8')
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : message
    throw new ScholiumError('invalid_input', `The input file ${path} cannot be read: ${reason}.`, {
      hint: 'Check the path.',
      cause,
    })
  }
}

function objectOf(json: string, name: string): JsonObject {
  let value: Json
  try {
    value = JSON.parse(json.replace(/^\ufeff/, '')) as Json
  } catch (cause) {
    throw new ScholiumError('invalid_input', `${name} is no JSON: ${(cause as Error).message}.`, {
      hint: 'Write it as {"key": "value"}, or give single values as KEY=VALUE.',
      cause,
    })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as JsonObject
  throw new ScholiumError('invalid_input', `${name} is no JSON object.`, {
    hint: 'Its keys are those of the state: {"key": "value"}.',
  })
}
