import { describe, expect, it } from 'vitest'
import { allowedEffects } from './allowed-effects.ts'
import { effectsOf } from './effects.ts'
import { codeUnder } from './source-file.ts'

const folders = ['ask', 'papers', 'code', 'team', 'graph', 'kernel', 'extractive'].map(
  (name) => `src/${name}`,
)
/** The tools that only one wing has act on the world, as all tools do: as steps. */
const tools = /^src\/(papers\/(places|download|reading)|code\/(tools|skills))\//
const effects = effectsOf(codeUnder(...folders).filter(({ path }) => !tools.test(path)))

describe('workflows, graph, kernel and the extractive engine', () => {
  it('reach a clock, randomness, timers, files and the network through the run context alone', () => {
    const unexpected = effects.filter(
      ({ path, use }) =>
        !allowedEffects.some((allowed) => allowed.path === path && allowed.use === use),
    )
    expect(unexpected.map(({ path, line, use }) => `${path}:${line} uses ${use}`)).toEqual([])
  })

  it('use everything that the list allows', () => {
    const unused = allowedEffects.filter(
      ({ path, use }) => !effects.some((found) => found.path === path && found.use === use),
    )
    expect(unused).toEqual([])
  })
})

describe('the check of effects', () => {
  const usesIn = (text: string, path = 'src/kernel/x.ts') =>
    effectsOf([{ path, text }]).map(({ use }) => use)

  it.each([
    ['Date.now()', 'Date.now'],
    ['new Date()', 'new Date()'],
    ['Date()', 'new Date()'],
    ['Math.random()', 'Math.random'],
    ['setTimeout(() => {}, 1)', 'setTimeout'],
    ['const wait = setTimeout', 'setTimeout'],
    ['run({ fetch })', 'fetch'],
    ['process.env.HOME', 'process'],
    ['globalThis.fetch("/")', 'globalThis'],
    ['(process as Host).exit()', 'process'],
    ["import { readFileSync } from 'node:fs'", 'node:fs'],
    ["import('node:child_process')", 'node:child_process'],
    ["import { randomUUID } from 'node:crypto'", 'node:crypto randomUUID'],
  ])('finds %s', (text, use) => {
    expect(usesIn(text)).toEqual([use])
  })

  it.each([
    'new Date(0)',
    'const call = (fetch: Fetch) => fetch("/")',
    'clock.process.fetch()',
    'const x = { fetch: 1 }',
    'interface Host { process: string; fetch(): void }',
    "import { createHash } from 'node:crypto'",
    "import type { Stats } from 'node:fs'",
    '// Date.now() in a comment',
  ])('leaves %s alone', (text) => {
    expect(usesIn(text)).toEqual([])
  })

  it('does not judge tests', () => {
    expect(usesIn('Date.now()', 'src/kernel/x.test.ts')).toEqual([])
  })
})
