import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/index.ts'
import { createHandler } from '../../src/server/index.ts'

/** What the page asks the server for. */
const used = [
  'GET /api/runs',
  'POST /api/runs',
  'GET /api/runs/{id}',
  'DELETE /api/runs/{id}',
  'POST /api/runs/{id}/answer',
  'POST /api/runs/{id}/cancel',
  'POST /api/runs/{id}/finish',
  'POST /api/runs/{id}/resume',
  'POST /api/runs/{id}/fork',
  'POST /api/runs/{id}/replay',
  'GET /api/run-figures',
  'GET /api/runs/{id}/graph',
  'GET /api/runs/{id}/log',
  'GET /api/runs/{id}/log/{seq}',
  'GET /api/runs/{id}/diff',
  'GET /api/runs/{id}/references',
  'GET /api/runs/{id}/sources/{n}',
  'POST /api/estimate',
  'GET /api/models',
  'GET /api/library',
  'POST /api/library',
  'DELETE /api/library/{id}',
  'GET /api/library/search',
  'GET /api/sources/{id}',
  'GET /api/sources/{id}/text',
  'GET /api/access',
  'POST /api/invitation',
]

/** The part of JSON Schema that the server's document uses. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema: Schema
  }[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses: Readonly<Record<string, Content>>
}

/** An OpenAPI document. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** The document that the server of this checkout serves. */
export async function servedDocument(): Promise<ApiDocument> {
  const home = mkdtempSync(join(tmpdir(), 'scholium-page-api-'))
  const app = createApp({ home, environment: {} })
  try {
    const handler = createHandler(app, { token: 'of-the-generator-only' })
    const response = await handler(new Request('http://localhost/openapi.json'))
    return (await response.json()) as ApiDocument
  } finally {
    await app.close()
    rmSync(home, { recursive: true })
  }
}

/** The text of the module with the types. */
export function operationsOf({ paths, components }: ApiDocument): string {
  const names = new Set<string>()
  const operations = used.map((name) => {
    const [method = '', path = ''] = name.split(' ')
    const operation = paths[path]?.[method.toLowerCase()]
    if (operation === undefined) throw new Error(`The server has no ${name}.`)
    return `  '${name}': ${operationType(operation, names)}\n`
  })
  const written = new Map<string, string>()
  for (const name of names) {
    const schema = components.schemas[name]
    if (schema !== undefined) written.set(name, typeOf(schema, names))
  }
  const types = [...written].sort().map(([name, type]) => `export type ${name} = ${type}\n`)
  return `// Written by tools/page-api.ts from the server's /openapi.json.\n\n${types.join('\n')}\nexport interface Operations {\n${operations.join('')}}\n`
}

function operationType(operation: Operation, names: Set<string>): string {
  const { parameters = [], requestBody, responses } = operation
  const placed = (place: string) => {
    const found = parameters.filter((one) => one.in === place)
    const members = found.map(
      ({ name, required, schema }) => `${name}${required ? '' : '?'}: ${typeOf(schema, names)}`,
    )
    return found.length === 0 ? [] : [`${place}: { ${members.join('; ')} }`]
  }
  const body = contentType(requestBody, names)
  const results = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const types = new Set(results.map(([, response]) => contentType(response, names) ?? 'undefined'))
  const parts = [
    ...placed('path'),
    ...placed('query').map((text) => text.replace('query:', 'query?:')),
    ...(body === undefined ? [] : [`body${requestBody?.required ? '' : '?'}: ${body}`]),
    `response: ${[...types].join(' | ')}`,
  ]
  return `{ ${parts.join('; ')} }`
}

function contentType({ content }: Content = {}, names: Set<string>): string | undefined {
  if (content === undefined) return undefined
  const schema = content['application/json']?.schema
  return schema === undefined ? 'string' : typeOf(schema, names)
}

/** A schema as a TypeScript type. @param names gets the components that it names */
function typeOf(schema: Schema, names: Set<string>): string {
  const { $ref, type, oneOf, anyOf, allOf, items } = schema
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    names.add(name)
    return name
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  const union = oneOf ?? anyOf
  if (union !== undefined) return union.map((one) => typeOf(one, names)).join(' | ')
  if (allOf !== undefined) return allOf.map((one) => `(${typeOf(one, names)})`).join(' & ')
  if (Array.isArray(type))
    return type.map((one: string) => typeOf({ ...schema, type: one }, names)).join(' | ')
  if (type === 'array') return `readonly (${typeOf(items ?? {}, names)})[]`
  if (type === 'object') return objectType(schema, names)
  if (type === 'integer' || type === 'number') return 'number'
  return type === 'string' || type === 'boolean' || type === 'null' ? type : 'unknown'
}

function objectType(schema: Schema, names: Set<string>): string {
  const { properties = {}, required = [], additionalProperties: more } = schema
  const members = Object.entries(properties).map(
    ([name, member]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(member, names)}`,
  )
  const rest = typeof more === 'object' ? typeOf(more, names) : 'unknown'
  if (members.length === 0) return `Readonly<Record<string, ${rest}>>`
  return `{ ${members.map((member) => `readonly ${member}`).join('; ')} }`
}
