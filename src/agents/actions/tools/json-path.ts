import { isJsonObject, type Json } from '../../../kernel/json.ts'
import { ExpressionError } from './json-values.ts'

type Step =
  | {
      readonly kind: 'names'
      readonly names: readonly (string | number)[]
      readonly isDeep: boolean
    }
  | { readonly kind: 'all'; readonly isDeep: boolean }
  | {
      readonly kind: 'slice'
      readonly bounds: readonly (number | undefined)[]
      readonly isDeep: boolean
    }

const maxCharacters = 4_000
const maxFound = 1_000_000
const pattern =
  /(?<deep>\.\.)?(?:(?<dot>\.)?(?:(?<all>\*)|(?<name>[\p{L}_$][\p{L}\p{N}_$-]*))|\[\s*(?:(?<any>\*)|(?<slice>-?\d*\s*:\s*-?\d*(?:\s*:\s*-?\d+)?)|(?<picked>(?:-?\d+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?:\s*,\s*(?:-?\d+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"))*))\s*\])/uy

/**
 * Everything a JSONPath leads to, in order: names, indexes, slices, lists of them, `*` and `..`. Filters and scripts
 * are not supported.
 * @see https://www.rfc-editor.org/rfc/rfc9535
 * @throws ExpressionError for a malformed path
 */
export function queryJsonPath(path: string, value: Json): readonly Json[] {
  let found: readonly Json[] = [value]
  for (const step of parseSteps(path)) {
    found = found.flatMap((one) => followStep(step, one))
    if (found.length > maxFound) throw new ExpressionError('it matches too many values')
  }
  return found
}

function parseSteps(path: string): readonly Step[] {
  if (!path.startsWith('$')) throw new ExpressionError('a JSONPath starts with $', 1)
  if (path.length > maxCharacters)
    throw new ExpressionError(`it is longer than ${maxCharacters} characters`)
  const steps: Step[] = []
  const scan = new RegExp(pattern)
  scan.lastIndex = 1
  while (scan.lastIndex < path.length) {
    const at = scan.lastIndex
    const groups = scan.exec(path)?.groups
    const step = groups === undefined ? undefined : toStep(groups)
    if (step === undefined) throw createBadStepError(path, at)
    steps.push(step)
  }
  return steps
}

function createBadStepError(path: string, at: number): ExpressionError {
  const isFilter = /^(?:\.\.)?\[\s*[?(]/.test(path.slice(at))
  const advice =
    'filters are not supported in JSONPath; use engine: jmespath, as in users[?age > `30`]'
  return new ExpressionError(isFilter ? advice : 'this is not a valid JSONPath step', at + 1)
}

function toStep(groups: Readonly<Record<string, string | undefined>>): Step | undefined {
  const { deep, dot, all, name, any, slice, picked } = groups
  const isDeep = deep !== undefined
  if (isDeep === (dot !== undefined) && (all ?? name) !== undefined) return undefined
  if ((all ?? any) !== undefined) return { kind: 'all', isDeep }
  if (name !== undefined) return { kind: 'names', names: [name], isDeep }
  if (slice !== undefined) {
    const bounds = slice
      .split(':')
      .map((bound) => (bound.trim() === '' ? undefined : Number(bound)))
    return { kind: 'slice', bounds, isDeep }
  }
  const names = picked?.match(/-?\d+|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g) ?? []
  return { kind: 'names', names: names.map(readName), isDeep }
}

function readName(written: string): string | number {
  return /^['"]/.test(written) ? written.slice(1, -1).replaceAll(/\\(.)/g, '$1') : Number(written)
}

function followStep(step: Step, value: Json): readonly Json[] {
  const from = step.isDeep ? descendants(value) : [value]
  return from.flatMap((one): readonly Json[] => {
    if (step.kind === 'all') return listChildren(one)
    if (step.kind === 'slice') return sliceItems(one, step.bounds)
    return step.names.flatMap((name) => getChild(one, name))
  })
}

function descendants(value: Json): readonly Json[] {
  const found: Json[] = []
  const waiting = [value]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next)
    waiting.push(...listChildren(next).toReversed())
  }
  return found
}

function listChildren(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value
  return isJsonObject(value)
    ? Object.values(value).filter((member): member is Json => member !== undefined)
    : []
}

function getChild(value: Json, name: string | number): readonly Json[] {
  if (typeof name === 'number') {
    const item = Array.isArray(value) ? (value as readonly Json[]).at(name) : undefined
    return item === undefined ? [] : [item]
  }
  const member = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  return member === undefined ? [] : [member]
}

function sliceItems(
  value: Json,
  [from, to, step = 1]: readonly (number | undefined)[],
): readonly Json[] {
  if (!Array.isArray(value)) return []
  if (step < 1) throw new ExpressionError('the step of a JSONPath slice must be at least 1')
  return (value as readonly Json[]).slice(from, to).filter((_, index) => index % step === 0)
}
