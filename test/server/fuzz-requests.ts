import fc from 'fast-check'

// biome-ignore lint/suspicious/noExplicitAny: a JSON Schema has many forms
type Schema = any

/** A route of the document. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly schema: Schema
}

/** A request as it goes over the wire. */
export interface FuzzedRequest {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
}

/** Stands for the id of the run that was started last. */
export const newestRun = '{newest}'

const hostileTexts = [
  '',
  '.',
  '..',
  '../..',
  '../../../../etc/passwd',
  '/etc/passwd',
  '\\\\server\\share',
  'C:\\Windows\\win.ini',
  'file:///etc/passwd',
  '\0',
  'a\0.yaml',
  '%2e%2e%2f',
  '\u2025/\u2025',
  '\uff0e\uff0e\uff0f',
  '\ud800',
  '\u202e\u0000\ufeff',
  '\x1b]0;title\x07\x1b[2J',
  '__proto__',
  'constructor',
  'last',
  '*',
  "' OR 1=1 --",
  '"; DROP TABLE runs; --',
  '<script>alert(1)</script>',
  '{{ state }}',
  '$' + '{HOME}',
  '$HOME',
  '\r\nX-Header: 1',
  'a'.repeat(30_000),
  '('.repeat(2_000),
  'e\u0301'.repeat(2_000),
]

const nested = (depth: number, open: string, close: string) =>
  open.repeat(depth) + close.repeat(depth)
const hostileValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  -1e308,
  Number.MAX_SAFE_INTEGER + 2,
  5e-324,
  [],
  {},
  [[]],
  ['..', 7],
  JSON.parse(nested(200, '[', ']')),
  JSON.parse('{"__proto__": {"role": "admin"}, "constructor": 1, "toString": null}'),
  Array(2_000).fill('a'),
]
const hostile = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.constantFrom(...hostileValues),
  fc.jsonValue({ maxDepth: 5 }),
  fc.string({ unit: 'binary' }),
)

const hostileBodies = [
  '',
  '{',
  'null',
  '"text"',
  '1e999',
  '\ufeff{}',
  nested(40_000, '[', ']'),
  nested(40_000, '{"a":', '}'),
  '{"workflow":"ask","workflow":"code","question":"twice"}',
  '{"__proto__":{"workflow":"ask"},"question":"x"}',
  `{"a":${'9'.repeat(100_000)}}`,
]

/** Parts of paths that are sent as they are. */
const hostileParts = [
  '..%2f..',
  '..%2f..%2fetc%2fpasswd',
  '%2fetc%2fpasswd',
  '%2e%2e',
  '%00',
  'a%00b',
  '%',
  '%zz',
  '%ff%fe',
  '%c0%ae%c0%ae',
  '%u002e',
  '..;',
  'a%5c..%5cb',
  '%0d%0aX:1',
  '%F0%9F%92%A9',
]

/** Requests to a route: valid, almost valid and hostile ones, drawn from its schemas. */
export class RequestFuzzer {
  private readonly components: Schema
  private readonly known: ReadonlyMap<string, fc.Arbitrary<unknown>>

  /** @param known values that exist, by the names of parameters and members */
  constructor({ components }: Schema, known: Readonly<Record<string, readonly unknown[]>>) {
    this.components = components.schemas
    this.known = new Map(
      Object.entries(known).map(([name, values]) => [name, fc.constantFrom(...values)]),
    )
  }

  requestsTo({ method, path, schema }: Operation): fc.Arbitrary<FuzzedRequest> {
    const parameters: readonly Schema[] = schema.parameters ?? []
    const inPath = parameters.filter((one) => one.in === 'path')
    const parts: fc.Arbitrary<Record<string, string>> = fc.record(
      Object.fromEntries(inPath.map((one) => [one.name, this.part({ method, path, schema }, one)])),
    )
    const pairs = parameters.filter((one) => one.in === 'query').map((one) => this.pair(one))
    const extra = fc.tuple(fc.constantFrom(...hostileTexts), fc.constantFrom(...hostileTexts))
    const query = fc.tuple(...pairs, oftenNothing(fc.array(extra, { maxLength: 2 }), 15))
    const content = schema.requestBody?.content?.['application/json']?.schema
    return fc
      .record({ parts, query, body: content ? this.body(content) : fc.constant(undefined) })
      .map(({ parts, query, body }) => {
        const place = path.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '')
        const asked = query
          .flatMap((pairs) => pairs ?? [])
          .map((pair) => pair.map(encode).join('='))
        return {
          method: method.toUpperCase(),
          path: asked.length === 0 ? place : `${place}?${asked.join('&')}`,
          body,
        }
      })
  }

  private part({ method, path }: Operation, { name, schema }: Schema): fc.Arbitrary<string> {
    // What others are tried on is not deleted.
    const isKept = method !== 'delete'
    const resource = path.split('/')[2]
    const id =
      (isKept ? (this.known.get(`${resource} ${name}`) ?? this.known.get(name)) : undefined) ??
      fc.constant(newestRun)
    return fc.oneof(
      { weight: 16, arbitrary: id.map(String) },
      { weight: 1, arbitrary: this.value(schema, name).map((value) => encode(String(value))) },
      { weight: 2, arbitrary: fc.constantFrom(...hostileParts) },
      { weight: 1, arbitrary: fc.constantFrom(...hostileTexts).map(encode) },
    )
  }

  /** A parameter of a query: absent, once or twice. */
  private pair({
    name,
    schema,
    required,
  }: Schema): fc.Arbitrary<readonly [string, string][] | null> {
    const text = fc.oneof(
      { weight: 8, arbitrary: this.value(schema, name).map(String) },
      { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) },
      { weight: 1, arbitrary: hostile.map((value) => JSON.stringify(value) ?? '') },
    )
    const pair = fc.array(text, { minLength: 1, maxLength: 2 }).map((texts) => {
      const [first = '', second = ''] = texts
      const isTwice = texts.length > 1 && first.length % 3 === 0
      return [first, ...(isTwice ? [second] : [])].map((value) => [name, value] as [string, string])
    })
    return required === true ? oftenNothing(pair, 0.1) : oftenNothing(pair, 1)
  }

  private body(schema: Schema): fc.Arbitrary<string> {
    const value = this.value(schema)
    const spoiled = fc
      .tuple(value, fc.nat(), hostile)
      .map(([value, place, spoiler]) => JSON.stringify(spoil(value, place, spoiler)) ?? '')
    return fc.oneof(
      { weight: 8, arbitrary: value.map((value) => JSON.stringify(value) ?? '') },
      { weight: 6, arbitrary: spoiled },
      { weight: 1, arbitrary: fc.constantFrom(...hostileBodies) },
    )
  }

  /** Values that fit a schema, as far as it can be told. */
  private value(schema: Schema, name = '', depth = 0): fc.Arbitrary<unknown> {
    if (schema.$ref !== undefined)
      return this.value(this.components[schema.$ref.split('/').at(-1)], name, depth)
    const forms = schema.oneOf ?? schema.anyOf
    if (forms !== undefined)
      return fc.oneof(...forms.map((form: Schema) => this.value(form, name, depth + 1)))
    if (schema.const !== undefined) return fc.constant(schema.const)
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    const types: readonly string[] = [schema.type ?? 'any'].flat()
    const made = fc.oneof(...types.map((type) => this.ofType(type, schema, name, depth)))
    const known = this.known.get(name)
    return known === undefined ? made : fc.oneof(made, known)
  }

  private ofType(type: string, schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    if (type === 'null') return fc.constant(null)
    if (type === 'boolean') return fc.boolean()
    if (type === 'string') return this.text(schema)
    if (type === 'integer' || type === 'number') return numbers(type, schema)
    if (type === 'array' && depth < 6) {
      const { minItems: minLength = 0, maxItems = 3 } = schema
      const item = this.value(schema.items ?? {}, name, depth + 1)
      return fc.array(item, { minLength, maxLength: Math.min(maxItems, minLength + 3) })
    }
    if (type === 'object' && depth < 6) return this.object(schema, depth)
    return fc.jsonValue({ maxDepth: 2 })
  }

  private object(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const { properties = {}, required = [], additionalProperties } = schema
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    const isOpen = typeof additionalProperties === 'object'
    const more = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }), {
      maxKeys: isOpen ? 1 : 0,
    })
    return fc
      .tuple(more, fc.subarray(optional, { maxLength: Math.min(3, optional.length) }))
      .chain(([more, chosen]) => {
        const names: readonly string[] = [...required, ...chosen]
        const members = names.map((name) => [name, this.value(properties[name], name, depth + 1)])
        return fc.record(Object.fromEntries(members)).map((known) => ({ ...more, ...known }))
      })
  }

  private text({ pattern, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
    const fits =
      pattern === undefined
        ? fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 200) })
        : fc.stringMatching(new RegExp(pattern))
    return fc.oneof(fits, fc.constant('What is glimmerstone?'))
  }
}

function numbers(type: string, schema: Schema): fc.Arbitrary<number> {
  const { minimum = schema.exclusiveMinimum ?? -1_000, maximum = Number.MAX_SAFE_INTEGER } = schema
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true })
  return fc.oneof(
    fc.integer({ min: minimum, max: Math.min(maximum, minimum + 20) }),
    fc.integer({ min: minimum, max: maximum }),
  )
}

function oftenNothing<T>(of: fc.Arbitrary<T>, nothingsPerOne: number) {
  const weight = Math.round(nothingsPerOne * 10)
  return fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 10, arbitrary: of })
}

/** Puts another value somewhere into JSON data, or adds a member. */
function spoil(value: unknown, place: number, spoiler: unknown): unknown {
  if (typeof value !== 'object' || value === null) return spoiler
  const keys = Object.keys(value)
  const index = place % (keys.length + 1)
  const rest = Math.floor(place / (keys.length + 1))
  if (index === keys.length)
    return Array.isArray(value) ? [...value, spoiler] : { ...value, [`x${rest % 3}`]: spoiler }
  const entries = Object.entries(value).map(([key, member], at) =>
    at === index ? [key, rest % 2 === 0 ? spoiler : spoil(member, rest, spoiler)] : [key, member],
  )
  return Array.isArray(value)
    ? entries.map(([, member]) => member)
    : Object.fromEntries(entries as [string, unknown][])
}

/** A text as a part of an address, which is short and has no half characters. */
function encode(text: string): string {
  return text === newestRun ? text : encodeURIComponent(text.slice(0, 500).toWellFormed())
}
