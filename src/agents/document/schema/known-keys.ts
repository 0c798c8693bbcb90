import type { z } from 'zod'

/** The keys that a schema knows in the map at a path. */
export function knownKeys(schema: z.core.$ZodType, path: readonly string[]): readonly string[] {
  const definition = (schema as z.ZodType).def as unknown as Definition
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
