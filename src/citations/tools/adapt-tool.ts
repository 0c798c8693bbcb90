import type { Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError, toFailure } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { type CitedNumbers, describeRange } from '../numbers/index-entry.ts'
import type { AddressShape } from './address-shape.ts'
import {
  type CitationParameter,
  CitationParameters,
  toCitationSchema,
} from './citation-parameters.ts'
import {
  collectAlternatives,
  collectItemSchemas,
  collectMemberSchemas,
  isObject,
} from './schema-parts.ts'

/**
 * Adapts a tool to citation numbers: its parameter `url` is shown to models as `citation`, `page_urls` as
 * `page_citations`, an integer from 1 or a list of them. On a call, the numbers are replaced by the addresses that
 * `numbers` has at that time. A number without a meaning, or of a source without an address, is refused like any invalid
 * argument. A tool without such parameters is returned unchanged.
 *
 * @throws `invalid_configuration` for a tool that takes addresses in a form that numbers cannot replace
 */
export function adaptTool(tool: Tool, numbers: CitedNumbers): Tool {
  const parameters = shownParameters(tool)
  if (parameters === undefined) return tool
  return {
    ...tool,
    description: `${tool.description} Sources are given by their citation numbers.`.trimStart(),
    parameters,
    parse(input) {
      const translated = translateCitations(tool.parameters, input as Json, numbers)
      return translated.ok ? tool.parse(translated.value) : translated
    },
    execute: (input, run) => tool.execute(input, run),
  }
}

function shownParameters({ name, parameters }: Tool): JsonObject | undefined {
  try {
    return toCitationSchema(parameters)
  } catch (error) {
    const { code, message, hint, details } = toFailure(error)
    throw new ScholiumError(code, `The tool "${name}" cannot take citation numbers. ${message}`, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
      ...(details === undefined ? {} : { details }),
    })
  }
}

/** A tool's arguments with addresses in place of citation numbers, or what is wrong with the numbers. */
type Translated =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly reason: string }

/** Replaces the citation numbers of a call by addresses. `schema` is the tool's own, with addresses. */
function translateCitations(schema: JsonObject, input: Json, numbers: CitedNumbers): Translated {
  const problems: string[] = []
  const value = new Translation(schema, numbers, problems).translate(input, [schema], '')
  return problems.length === 0 ? { ok: true, value } : { ok: false, reason: problems.join(' ') }
}

class Translation {
  private readonly root: JsonObject
  private readonly numbers: CitedNumbers
  private readonly problems: string[]
  private readonly parameters: CitationParameters

  constructor(root: JsonObject, numbers: CitedNumbers, problems: string[]) {
    this.root = root
    this.numbers = numbers
    this.problems = problems
    this.parameters = new CitationParameters(root)
  }

  translate(value: Json, schemas: readonly JsonObject[], path: string): Json {
    if (value === null || typeof value !== 'object' || schemas.length === 0) return value
    const options = collectAlternatives(this.root, schemas)
    if (isObject(value)) return this.translateObject(value, options, path)
    return (value as readonly Json[]).map((item, index) =>
      this.translate(item, collectItemSchemas(options, index), `${path}[${index}]`),
    )
  }

  private translateObject(value: JsonObject, options: readonly JsonObject[], path: string): Json {
    const { shown, hidden, plain } = this.membersOf(options)
    const changed: [string, Json][] = []
    for (const [key, member = null] of Object.entries(value)) {
      const at = joinPath(path, key)
      const cited = shown.get(key)
      const own = plain.get(key)
      if (cited !== undefined) changed.push([cited.name, this.addressOf(member, cited, at)])
      // If the same name is also used for something else, text still counts as an address.
      else if (hidden.has(key) && (own === undefined || holdsText(member)))
        this.report(
          `${at} is not taken: give ${hidden.get(key)}, the number of the source. ${describeRange(this.numbers.size)}`,
        )
      else changed.push([key, this.translate(member, own ?? collectMemberSchemas(options), at)])
    }
    for (const name of findRequired(options)) {
      const missing = hidden.get(name)
      if (missing !== undefined && !Object.hasOwn(value, missing) && !Object.hasOwn(value, name))
        this.report(`${joinPath(path, missing)} is missing. ${describeRange(this.numbers.size)}`)
    }
    return Object.fromEntries(changed)
  }

  /** The members that objects of these schemas may have: those shown as citations, by both names, and all others. */
  private membersOf(options: readonly JsonObject[]) {
    const shown = new Map<string, CitationParameter & { readonly name: string }>()
    const hidden = new Map<string, string>()
    const plain = new Map<string, readonly JsonObject[]>()
    for (const { properties } of options) {
      if (!isObject(properties)) continue
      for (const [name, schema] of Object.entries(properties)) {
        if (!isObject(schema)) continue
        const parameter = this.parameters.of(name, schema)
        if (parameter === undefined) plain.set(name, [...(plain.get(name) ?? []), schema])
        else {
          hidden.set(name, parameter.shown)
          const before = shown.get(parameter.shown)?.shape
          shown.set(parameter.shown, {
            ...parameter,
            name,
            shape: mergeShapes(parameter.shape, before),
          })
        }
      }
    }
    return { shown, hidden, plain }
  }

  private addressOf(member: Json, { shape }: CitationParameter, at: string): Json {
    if (member === null && shape.none) return null
    if (Array.isArray(member) && shape.many)
      return (member as readonly Json[]).map((n, index) => this.urlOf(n, `${at}[${index}]`))
    if (shape.one) return this.urlOf(member, at)
    this.report(`${at} must be a list of citation numbers. ${describeRange(this.numbers.size)}`)
    return null
  }

  private urlOf(n: Json, at: string): Json {
    const entry = typeof n === 'number' ? this.numbers.entry(n) : undefined
    if (entry?.url !== undefined) return entry.url
    if (entry !== undefined)
      this.report(
        `${at}: [${entry.n}] is no page but ${entry.title || 'a file'}: read it with read_source or quote_source.`,
      )
    else {
      const what =
        typeof n === 'number' ? `${n} is not a citation number` : 'must be a whole number'
      this.report(`${at}: ${what}. ${describeRange(this.numbers.size)}`)
    }
    return null
  }

  private report(problem: string): void {
    this.problems.push(problem)
  }
}

function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** A shape that accepts what either shape does. */
function mergeShapes(one: AddressShape, other: AddressShape = one): AddressShape {
  return {
    one: one.one || other.one,
    many: one.many || other.many,
    none: one.none || other.none,
  }
}

/** Whether a value is text or a list with text in it. */
function holdsText(value: Json): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.some(holdsText))
}

/** The required members of an object; none if it may be of several kinds. */
function findRequired(options: readonly JsonObject[]): readonly string[] {
  const kinds = options.filter(({ properties }) => isObject(properties))
  const required = kinds.length === 1 ? kinds[0]?.required : undefined
  return Array.isArray(required) ? required.map(String) : []
}
