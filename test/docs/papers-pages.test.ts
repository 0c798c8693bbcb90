import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commands } from '../../src/cli/arguments/commands.ts'

const root = new URL('../../', import.meta.url)
const pages = ['papers', 'new-agent', 'troubleshooting']
const textOf = (page: string) => readFileSync(new URL(`docs/${page}.md`, root), 'utf8')

/** Options that every command has. */
const shared = ['json', 'home', 'config', 'quiet', 'no-color', 'output-format', 'help', 'version']

/** The commands of a page, in code and in blocks of it. */
function commandsIn(text: string): readonly string[] {
  const inline = [...text.matchAll(/`(scholium [^`]+)`/g)]
  const blocks = [...text.matchAll(/^\$ (scholium [^\n|]+)/gm)]
  return [...inline, ...blocks].map(([, command = '']) => command)
}

describe.each(pages)('docs/%s.md', (page) => {
  const text = textOf(page)

  it('names commands and options that there are', () => {
    const found = commandsIn(text)
    expect(found.length).toBeGreaterThan(0)
    for (const command of found) {
      const words = command.split(' ').slice(1)
      const spec = commands.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `))
      expect([command, spec?.name]).toEqual([command, expect.any(String)])
      const known = [...(spec?.options ?? []).map(({ name }) => name), ...shared]
      const named = [...command.matchAll(/ --([a-z-]+)/g)].map(([, name]) => name)
      expect([command, named.filter((name) => !known.includes(name ?? ''))]).toEqual([command, []])
    }
  })
})
