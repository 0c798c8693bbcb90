import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { configJsonSchema, type JsonSchema } from '../../src/app/config/schema.ts'
import { settingSpecs } from '../../src/app/config/setting-specs.ts'
import { globalOptions, runOptions } from '../../src/cli/arguments/option.ts'
import { generatedFiles } from '../../tools/configuration-docs.ts'

describe('what is generated from the settings', () => {
  it.each(Object.entries(generatedFiles()))(
    '%s is up to date; if not: node tools/configuration-docs.ts',
    (path, text) => {
      expect(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')).toBe(text)
    },
  )

  it('has every setting of the schema, and no other', () => {
    const keys = leaves(configJsonSchema(), [])
    expect([...settingSpecs.map(({ key }) => key)].toSorted()).toEqual(keys.toSorted())
  })

  it('names options that there are', () => {
    const options = [...globalOptions, ...runOptions].map(({ name }) => `--${name}`)
    const named = settingSpecs.flatMap(({ option }) => option?.split(' ')[0] ?? [])
    const ofAsk = [
      '--retry-limit',
      '--source',
      '--claims',
      '--web',
      '--no-python',
      '--mcp',
      '--depth',
    ]
    expect(named.filter((name) => !options.includes(name) && !ofAsk.includes(name))).toEqual([])
  })
})

/** The settings of a schema, by key: what has no members of its own, a model and the prices. */
function leaves({ properties = {} }: JsonSchema, above: readonly string[]): readonly string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const key = [...above, name]
    if (name === '$schema') return []
    return member.properties === undefined ? [key.join('.')] : leaves(member, key)
  })
}
