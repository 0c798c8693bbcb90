import { describe, expect, it } from 'vitest'
import { explainSlash, parseSlash, renderSlashHelp, slashCommands } from './slash.ts'

describe('a line with a slash', () => {
  it.each(slashCommands.map(({ name }) => name))('/%s is its command', (name) => {
    expect(parseSlash(`/${name}`)).toEqual({ kind: 'command', name, argument: '' })
  })

  it.each([
    ['/mod ollama:qwen3', 'model', 'ollama:qwen3'],
    ['/comp  keep the API\nand the names ', 'compact', 'keep the API\nand the names'],
    ['/EXIT', 'exit', ''],
    ['/ex it', undefined, ''],
    ['/u', 'undo', ''],
    ['/y off', 'yolo', 'off'],
  ])('%j is %s', (line, name, argument) => {
    const slash = parseSlash(line)
    if (name === undefined) expect(slash?.kind).toBe('ambiguous')
    else expect(slash).toEqual({ kind: 'command', name, argument })
  })

  it('says which commands a short beginning stands for', () => {
    const slash = parseSlash('/c')
    expect(slash).toEqual({
      kind: 'ambiguous',
      given: 'c',
      candidates: ['clear', 'compact', 'cost'],
    })
    expect(slash && explainSlash(slash)).toBe(
      '/c matches several commands: /clear, /compact, /cost.',
    )
    expect(explainSlash(parseSlash('/') as never)).toContain('/help')
  })

  it('says what was meant by a name that is none', () => {
    expect(parseSlash('/modle')).toEqual({ kind: 'unknown', given: 'modle', meant: 'model' })
    expect(explainSlash(parseSlash('/modle') as never)).toBe(
      'There is no command /modle. Did you mean /model? /help lists them.',
    )
    expect(explainSlash(parseSlash('/zzz') as never)).toContain('no command /zzz')
  })

  it.each(['hello', 'a /model', '/usr/bin/env is missing', ''])('%j is none', (line) => {
    expect(parseSlash(line)).toBeUndefined()
  })

  it('knows prompts of servers', () => {
    expect(parseSlash('/docs:summarise style=short')).toEqual({
      kind: 'prompt',
      server: 'docs',
      prompt: 'summarise',
    })
  })

  it('lists all commands in its help', () => {
    for (const { name, meaning } of slashCommands) {
      expect(renderSlashHelp()).toContain(`/${name}`)
      expect(renderSlashHelp()).toContain(meaning)
    }
  })
})
