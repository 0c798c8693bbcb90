import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { type AddressShape, readAddressShape } from './address-shape.ts'
import { isObject, mapSubschemas } from './schema-parts.ts'

/** A parameter for addresses, as shown to models. */
export interface CitationParameter {
  /** The name shown to models. */
  readonly shown: string
  readonly shape: AddressShape
}

/** Finds the parameters of a tool that take addresses, anywhere in its schema. */
export class CitationParameters {
  private readonly root: JsonObject
  /** The shown name of each parameter: unique, and not otherwise used in the schema. */
  private readonly shownNames: ReadonlyMap<string, string>

  constructor(root: JsonObject) {
    this.root = root
    this.shownNames = chooseShownNames(collectNames(root))
  }

  /**
   * How a parameter is shown; `undefined` if it takes no address.
   * @throws `invalid_configuration` if it takes addresses in a form that numbers cannot replace
   */
  of(name: string, schema: JsonObject): CitationParameter | undefined {
    const shown = this.shownNames.get(name)
    const shape = shown === undefined ? undefined : readAddressShape(this.root, schema)
    if (shape === 'unknown') throw createShapeError(name)
    return shown === undefined || shape === undefined ? undefined : { shown, shape }
  }

  /** Refuses addresses under names given only as a pattern. @throws `invalid_configuration` */
  refusePatterns({ patternProperties }: JsonObject): void {
    for (const [pattern, schema] of Object.entries(
      isObject(patternProperties) ? patternProperties : {},
    )) {
      const isAddress = citationName(pattern.replaceAll(/[^\p{L}\p{N}_]+/gu, '_')) !== undefined
      if (isAddress && isObject(schema) && readAddressShape(this.root, schema) !== undefined)
        throw createShapeError(pattern)
    }
  }
}

function createShapeError(name: string): ScholiumError {
  const text = `Its parameter "${name}" takes addresses in a form that citation numbers cannot replace: neither text nor a list of texts.`
  const hint =
    'Give the parameter one of these types, or leave the tool as it is with `exceptTools`: models then give it addresses.'
  return new ScholiumError('invalid_configuration', text, { hint, details: { parameter: name } })
}

function chooseShownNames(names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const shown = new Map<string, string>()
  const taken = new Set(names)
  for (const name of names) {
    const citation = citationName(name)
    if (citation === undefined) continue
    let free = citation
    for (let count = 1; taken.has(free); count++)
      free = `${name}_citation${count === 1 ? '' : `_${count}`}`
    taken.add(free)
    shown.set(name, free)
  }
  return shown
}

function collectNames(schema: JsonObject): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (inside: JsonObject): JsonObject => {
    if (isObject(inside.properties))
      for (const name of Object.keys(inside.properties)) names.add(name)
    return mapSubschemas(inside, visit)
  }
  visit(schema)
  return names
}

/**
 * A tool's schema with citation numbers in place of addresses; `undefined` if it takes none.
 * @throws `invalid_configuration` if it takes addresses in a form that numbers cannot replace
 */
export function toCitationSchema(root: JsonObject): JsonObject | undefined {
  const parameters = new CitationParameters(root)
  let count = 0
  const visit = (schema: JsonObject): JsonObject => {
    const { properties, required, dependentRequired } = schema
    parameters.refusePatterns(schema)
    const inside = mapSubschemas(schema, visit)
    if (!isObject(properties)) return inside
    const shownNames = new Map<string, string>()
    const changed = Object.entries(inside.properties as JsonObject).map(([name, member]) => {
      const original = properties[name]
      const parameter = isObject(original) ? parameters.of(name, original) : undefined
      if (parameter === undefined) return [name, member] as const
      count++
      shownNames.set(name, parameter.shown)
      return [parameter.shown, toNumberSchema(original as JsonObject, parameter.shape)] as const
    })
    const shown = (name: Json) => shownNames.get(String(name)) ?? name
    const depending = Object.entries(isObject(dependentRequired) ? dependentRequired : {})
    return {
      ...inside,
      properties: Object.fromEntries(changed),
      ...(Array.isArray(required) ? { required: required.map(shown) } : {}),
      ...(depending.length === 0
        ? {}
        : {
            dependentRequired: Object.fromEntries(
              depending.map(([name, others]) => [
                shown(name),
                Array.isArray(others) ? others.map(shown) : others,
              ]),
            ),
          }),
    }
  }
  const changed = visit(root)
  return count === 0 ? undefined : changed
}

const oneNumber = { type: 'integer', minimum: 1 } as const

function toNumberSchema(schema: JsonObject, { one, many, none }: AddressShape): JsonObject {
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
    description: `${toSentence(description)}${how}${own}`,
    // A default address would be shown to the model; the tool still uses its default if the parameter is omitted.
    ...(isNothing ? { default: given } : {}),
  }
}

function toSentence(text: Json | undefined): string {
  if (typeof text !== 'string' || text.trim() === '') return ''
  return /[.!?:;)]\s*$/.test(text) ? `${text.trim()} ` : `${text.trim()}. `
}

/** Splits a parameter's name into words: `pageUrl` and `page_url` are `page` and `url`. */
const words = /URLs?(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** Words that make a parameter about addresses rather than an address: `url_pattern`, `urlCount`. */
const aboutAddresses =
  /^(?:pattern|prefix|suffix|regexp?|filter|glob|template|format|scheme|types?|params?|query|encoded|encoding|length|count|limit|depth|title|text)$/i

/**
 * The name shown for a parameter that takes citations: the word `url` or `urls` becomes `citation` or `citations` in the
 * same case. `undefined` for other names (`curl_cmd`, `hurl`, `url_pattern`).
 */
export function citationName(name: string): string | undefined {
  const found = [...name.matchAll(words)]
  if (found.some(([word]) => aboutAddresses.test(word))) return undefined
  let shown = ''
  let end = 0
  for (const { 0: word, index } of found) {
    if (!/^urls?$/i.test(word)) continue
    shown += name.slice(end, index) + matchCase(word, index === 0, !/[a-z]/.test(name))
    end = index + word.length
  }
  return end === 0 ? undefined : shown + name.slice(end)
}

function matchCase(word: string, isFirst: boolean, isLoud: boolean): string {
  const plain = /s$/i.test(word) ? 'citations' : 'citation'
  if (isLoud) return plain.toUpperCase()
  const isCapital = word === 'Url' || word === 'Urls' || (!isFirst && /^U/.test(word))
  return isCapital ? `C${plain.slice(1)}` : plain
}
