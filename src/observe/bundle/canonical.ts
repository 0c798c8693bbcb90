import type * as z from 'zod'
import { canonicalJson, type Hash, type Json, sha256 } from '../../kernel/json.ts'
import { BundleFault, count, faultIn, shown } from './fault.ts'
import type { Manifest } from './form.ts'

/** The text of a JSON member: canonical JSON, indented for readability. */
export function memberText(value: unknown): string {
  return `${indented(JSON.parse(canonicalJson(value)) as Json)}\n`
}

/** A line of an NDJSON member. */
export function lineText(value: unknown): string {
  return `${canonicalJson(value)}\n`
}

/** The root hash of a bundle: the hash of its manifest, which contains the hash of every other member. */
export function computeRoot({ root: _root, ...manifest }: Manifest): Hash {
  return sha256(canonicalJson(manifest))
}

/**
 * Parses the text of a member or of a line.
 * @throws {@link BundleFault} for text that is not JSON, is not canonical, or does not match the schema
 */
export function parseText<T>(
  member: string,
  text: string,
  writes: (value: unknown) => string,
  form: z.ZodType<T>,
  line?: number,
): T {
  const place = line === undefined ? '' : `line ${line}: `
  const value = parseCanonical(member, text, writes, place)
  const parsed = form.safeParse(value)
  // The value itself: a parsed copy would lack properties that the schema does not name.
  if (parsed.success) return value as T
  const [issue] = parsed.error.issues
  const path = (issue?.path ?? []).map(String).join('.')
  throw new BundleFault(
    faultIn(
      member,
      `${place}${shown(path)} does not match the bundle format: ${shown(issue?.message ?? '')}.`,
    ),
  )
}

/** Like {@link parseText}, for any value. */
export function parseCanonical(
  member: string,
  text: string,
  writes: (value: unknown) => string,
  place = '',
): Json {
  let value: Json
  try {
    value = JSON.parse(text) as Json
  } catch (error) {
    throw new BundleFault(faultIn(member, `${place}not JSON: ${shown((error as Error).message)}.`))
  }
  const expected = written(member, value, writes, place)
  if (expected === text) return value
  let at = 0
  while (at < text.length && text[at] === expected[at]) at++
  throw new BundleFault(
    faultIn(member, `${place}not in canonical form from character ${count(at)} on.`),
  )
}

function written(
  member: string,
  value: Json,
  writes: (value: unknown) => string,
  place: string,
): string {
  try {
    return writes(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new BundleFault(faultIn(member, `${place}nested too deeply.`))
  }
}

function indented(value: Json): string {
  return JSON.stringify(value, null, 1)
}
