// Writes docs/configuration.md (its text from configuration.md next to this file) and schemas/config.schema.json, from the
// schema of the configuration file and the table of settings: node tools/configuration-docs.ts. A test fails when they are not up to date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { acceptedVariables } from '../src/app/config/accepted-variables.ts'
import { configJsonSchema, type JsonSchema } from '../src/app/config/schema.ts'
import { settingSpecs } from '../src/app/config/setting-specs.ts'
import { providers } from '../src/models/providers.ts'

/** What is generated, by path from the root of the checkout. */
export function generatedFiles(): Readonly<Record<string, string>> {
  const schema = configJsonSchema()
  return {
    'docs/configuration.md': documentText(schema),
    'schemas/config.schema.json': `${JSON.stringify(schema, null, 2)}\n`,
  }
}

function documentText(schema: JsonSchema): string {
  const template = readFileSync(new URL('configuration.md', import.meta.url), 'utf8')
  const tables: Readonly<Record<string, readonly string[]>> = {
    settings: settingRows(schema),
    model: memberRows(modelMap(schema)),
    price: memberRows(schema.properties?.prices?.additionalProperties),
    providers: providerRows(),
    accepted: acceptedVariables.map(({ name, meaning }) => row([code(name), meaning])),
  }
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const rows = tables[name]
    if (rows === undefined) throw new Error(`There is no table ${name}`)
    return rows.join('\n')
  })
}

function settingRows(schema: JsonSchema): readonly string[] {
  return settingSpecs.map(({ key, fallback, variable, option }) => {
    const found = schemaAt(schema, key.split('.'))
    const value =
      key.startsWith('models.') && key !== 'models.default' ? roleVariable(key, variable) : variable
    return row([
      code(key === 'prices' ? 'prices.NAME' : key),
      typeOf(found),
      fallback === 'none' ? '–' : plainOrCode(fallback),
      value === undefined ? '' : code(value),
      option === undefined ? '' : code(option),
      withExample(found),
    ])
  })
}

/** One variable sets all roles: a name, or ROLE=NAME, several with spaces between. */
function roleVariable(key: string, variable: string | undefined): string {
  return `${variable}=${key.slice('models.'.length)}=NAME`
}

function memberRows(schema: JsonSchema | boolean | undefined): readonly string[] {
  if (typeof schema !== 'object') throw new Error('The schema has no such map')
  return Object.entries(schema.properties ?? {}).map(([key, member]) =>
    row([code(key), typeOf(member), withExample(member)]),
  )
}

function providerRows(): readonly string[] {
  return providers.map(({ provider, keyVariables, baseUrlVariables, baseUrl }) => {
    const variables = baseUrlVariables.map(code).join(' or ')
    const standard = baseUrl === undefined ? '' : baseUrl
    const address = [variables, standard].filter((text) => text !== '').join(', else ')
    return row([code(provider), keyVariables.map(code).join(' or ') || '–', address])
  })
}

function modelMap(schema: JsonSchema): JsonSchema | undefined {
  return schemaAt(schema, ['models', 'default']).anyOf?.find(({ type }) => type === 'object')
}

function schemaAt(schema: JsonSchema, path: readonly string[]): JsonSchema {
  return path.reduce<JsonSchema>((inner, key) => {
    const next = inner.properties?.[key]
    if (next === undefined) throw new Error(`The schema has no ${path.join('.')}`)
    return next
  }, schema)
}

function typeOf({ type, anyOf, items, minimum, maximum, exclusiveMinimum }: JsonSchema): string {
  if (anyOf !== undefined) return 'name or map'
  if (type === 'array') return `list of ${items?.type === 'string' ? 'texts' : items?.type}`
  if (type === 'object') return 'map'
  if (type === 'string') return 'text'
  if (type === 'boolean') return '`true` or `false`'
  const kind = type === 'integer' ? 'whole number' : 'number'
  if (exclusiveMinimum !== undefined) return `${kind} above ${exclusiveMinimum}`
  return `${kind} from ${minimum}${maximum === undefined ? ' on' : ` to ${maximum}`}`
}

function withExample({ description = '', examples }: JsonSchema): string {
  const [example] = examples ?? []
  return example === undefined
    ? description
    : `${description} Example: ${code(JSON.stringify(example))}`
}

function plainOrCode(text: string): string {
  return text.includes(' ') ? text : code(text)
}

function code(text: string): string {
  return `\`${text}\``
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(generatedFiles())) {
    const target = fileURLToPath(new URL(`../${path}`, import.meta.url))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
    console.log(`${path} written`)
  }
}
