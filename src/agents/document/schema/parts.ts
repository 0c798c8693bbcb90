import { z } from 'zod'

/** Text that is not empty. */
export const text = () => z.string('must be text').min(1, 'must not be empty')

/** A boolean. */
export const flag = () => z.boolean('must be true or false')

/** A whole number within bounds. */
export const whole = (least: number, largest = 1_000_000) => {
  const wanted = `must be a whole number from ${least} to ${largest}`
  return z.number(wanted).int(wanted).min(least, wanted).max(largest, wanted)
}

/** A number within bounds. */
export const amount = (least: number, largest: number) => {
  const wanted = `must be a number from ${least} to ${largest}`
  return z.number(wanted).min(least, wanted).max(largest, wanted)
}

/** Any values by name. */
export const anyMap = () => z.record(z.string(), z.unknown(), 'must be a map')

/** The name of a node: letters, digits, `_`, `-`, `.`, `:` and spaces. */
export const nodeName = () =>
  z
    .string('must be text')
    .regex(
      /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.: -]{0,98}[\p{L}\p{N}_.:-])?$/u,
      'must be up to 100 letters, digits, "_", "-", "." or ":", as in fetch_page',
    )

/** A node name or `__end__`. */
export const target = () => nodeName().meta({ examples: ['publish', '__end__'] })

const asked = z
  .union(
    [
      text(),
      flag(),
      z.strictObject({
        type: z
          .literal('expression', 'must be expression')
          .optional()
          .meta({ description: 'The only supported type.' }),
        value: z
          .union([text(), flag()], 'must be an expression')
          .meta({ description: 'The expression.' }),
      }),
    ],
    'must be an expression, as in state.score > 0.5',
  )
  .meta({ id: 'condition' })

/** A condition, true or false at run time. */
export const condition = () => asked

/** The keys that a schema knows in the object at a path. */
export function knownKeys(schema: z.core.$ZodType, path: readonly string[]): readonly string[] {
  const definition = (schema as z.ZodType).def as Definition
  const [key, ...rest] = path
  switch (definition.type) {
    case 'optional':
      return knownKeys(definition.innerType, path)
    case 'union':
      return [...new Set(definition.options.flatMap((option) => knownKeys(option, path)))]
    case 'array':
      return key === undefined ? [] : knownKeys(definition.element, rest)
    case 'record':
      return key === undefined ? [] : knownKeys(definition.valueType, rest)
    case 'object': {
      if (key === undefined) return Object.keys(definition.shape)
      const member = Object.hasOwn(definition.shape, key) ? definition.shape[key] : undefined
      return member === undefined ? [] : knownKeys(member, rest)
    }
    default:
      return []
  }
}

/** What the kinds of schemas used here are made of. */
type Definition =
  | { readonly type: 'optional'; readonly innerType: z.core.$ZodType }
  | { readonly type: 'union'; readonly options: readonly z.core.$ZodType[] }
  | { readonly type: 'array'; readonly element: z.core.$ZodType }
  | { readonly type: 'record'; readonly valueType: z.core.$ZodType }
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, z.core.$ZodType>> }
  | { readonly type: 'other' }
