import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { slashCommands } from '../../src/app.ts'
import { commands } from '../../src/cli/arguments/commands.ts'

const root = new URL('../../', import.meta.url)
const read = (page: string) => readFileSync(new URL(`docs/${page}.md`, root), 'utf8')

describe.each(['editors', 'skills'])('docs/%s.md', (page) => {
  const text = read(page)

  it('names commands and options that there are', () => {
    const found = [...text.matchAll(/scholium ((?:acp|code)(?: [^`|\n]+)?)/g)]
    expect(found.length).toBeGreaterThan(0)
    for (const [, words = ''] of found) {
      const spec = commands.find(({ name }) => words.split(' ')[0] === name)
      const known = ['help', ...(spec?.options ?? []).map(({ name }) => name)]
      for (const [, option = ''] of words.matchAll(/ --([a-z-]+)/g)) expect(known).toContain(option)
    }
  })

  it('links files that there are', () => {
    for (const [, link = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)/g))
      expect(existsSync(new URL(link, new URL('docs/', root)))).toBe(true)
  })
})

describe('docs/editors.md', () => {
  it('has settings that are JSON, and commands of the session', () => {
    const text = read('editors')
    const [, settings = ''] = /```json\n([\s\S]*?)```/.exec(text) ?? []
    expect(JSON.parse(settings)).toMatchObject({
      agent_servers: {
        Scholium: { command: 'scholium', args: ['acp', '--model', 'ollama:qwen3'] },
      },
    })
    const [, listed = ''] = /\| commands \| `([^`]+)`/.exec(text) ?? []
    const names = slashCommands.map(({ name }) => `/${name}`)
    expect(listed.split(' ').filter((name) => !names.includes(name))).toEqual([])
  })
})
