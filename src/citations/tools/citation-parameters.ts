import type { Json, JsonObject } from '../../kernel/json.ts'
import { citationName } from './citation-name.ts'
import { alternatives, isObject, mapInside } from './schema-parts.ts'

/** What a parameter takes for its address: one, a list, null. */
export interface AddressShape {
  readonly one: boolean
  readonly many: boolean
  readonly none: boolean
}

/** A parameter that takes addresses, as it is shown to models. */
export interface CitationParameter {
  /** The name that models give it. */
  readonly shown: string
  readonly shape: AddressShape
}

/** Which parameters of a tool take addresses, wherever in its schema they stand. */
export class CitationParameters {
  private readonly root: JsonObject
  private readonly names: ReadonlySet<string>

  constructor(root: JsonObject) {
    this.root = root
    this.names = namesIn(root)
  }

  /** How a parameter is shown; `undefined` for one that takes no address. A name that the schema has already is not taken. */
  of(name: string, schema: JsonObject): CitationParameter | undefined {
    const citation = citationName(name)
    if (citation === undefined) return undefined
    const shown = [citation, `${name}_citation`].find((free) => !this.names.has(free))
    const shape = this.shapeOf(schema)
    return shown === undefined || shape === undefined ? undefined : { shown, shape }
  }

  private shapeOf(schema: JsonObject): AddressShape | undefined {
    const shape = { one: false, many: false, none: false }
    for (const option of alternatives(this.root, schema)) {
      if (option.enum !== undefined || (option.const ?? null) !== null) return undefined
      for (const type of typesOf(option)) {
        if (type === 'string') shape.one = true
        else if (type === 'null') shape.none = true
        else if (type === 'array' && this.isListOfText(option)) shape.many = true
        else return undefined
      }
    }
    return shape.one || shape.many ? shape : undefined
  }

  private isListOfText({ items }: JsonObject): boolean {
    if (!isObject(items)) return items === undefined
    const types = alternatives(this.root, items).flatMap(typesOf)
    return types.length > 0 && types.every((type) => type === 'string')
  }
}

function typesOf({ type, format, const: constant }: JsonObject): readonly Json[] {
  if (type !== undefined) return Array.isArray(type) ? type : [type]
  if (constant === null) return ['null']
  return format === undefined ? [] : ['string']
}

function namesIn(schema: JsonObject): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (inside: JsonObject): JsonObject => {
    if (isObject(inside.properties))
      for (const name of Object.keys(inside.properties)) names.add(name)
    return mapInside(inside, visit)
  }
  visit(schema)
  return names
}

/** A tool's schema in which each parameter that takes addresses takes citation numbers; `undefined` where there is none. */
export function citationSchema(root: JsonObject): JsonObject | undefined {
  const parameters = new CitationParameters(root)
  let count = 0
  const visit = (schema: JsonObject): JsonObject => {
    const { properties, required } = schema
    const inside = mapInside(schema, visit)
    if (!isObject(properties)) return inside
    const shownNames = new Map<string, string>()
    const changed = Object.entries(inside.properties as JsonObject).map(([name, member]) => {
      const original = properties[name]
      const parameter = isObject(original) ? parameters.of(name, original) : undefined
      if (parameter === undefined) return [name, member] as const
      count++
      shownNames.set(name, parameter.shown)
      return [parameter.shown, numberSchema(original as JsonObject, parameter.shape)] as const
    })
    const shown = (name: Json) => shownNames.get(String(name)) ?? name
    return {
      ...inside,
      properties: Object.fromEntries(changed),
      ...(Array.isArray(required) ? { required: required.map(shown) } : {}),
    }
  }
  const changed = visit(root)
  return count === 0 ? undefined : changed
}

const oneNumber = { type: 'integer', minimum: 1 } as const

function numberSchema(schema: JsonObject, { one, many, none }: AddressShape): JsonObject {
  const { description, default: given, minItems, maxItems } = schema
  const limits = {
    ...(minItems === undefined ? {} : { minItems }),
    ...(maxItems === undefined ? {} : { maxItems }),
  }
  const options: JsonObject[] = [
    ...(one ? [oneNumber] : []),
    ...(many ? [{ type: 'array', items: oneNumber, ...limits }] : []),
    ...(none ? [{ type: 'null' }] : []),
  ]
  const how = many
    ? 'Instead of URLs: the numbers of the sources, [3, 4] for [!CITE_3!] and [!CITE_4!].'
    : 'Instead of a URL: the number of the source, 3 for [!CITE_3!].'
  const isNothing = given === null || (Array.isArray(given) && given.length === 0)
  const own =
    given === undefined || isNothing ? '' : ' When left out, an address of its own is used.'
  return {
    ...(options.length === 1 ? options[0] : { anyOf: options }),
    description: `${sentence(description)}${how}${own}`,
    // An address would be shown to the model; the tool still takes its default when the parameter is left out.
    ...(isNothing ? { default: given } : {}),
  }
}

function sentence(text: Json | undefined): string {
  if (typeof text !== 'string' || text.trim() === '') return ''
  return /[.!?:;)]\s*$/.test(text) ? `${text.trim()} ` : `${text.trim()}. `
}
