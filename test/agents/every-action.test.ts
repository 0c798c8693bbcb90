import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { refusedActions } from '../../src/agents/actions/refused-actions.ts'
import { agentActions } from '../../src/app/agents/agent-actions.ts'
import { actionName } from '../../src/app/agents/agent-checks.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(?:yaml|test\.ts)$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))

/** The actions that a text names where documents do, or where a test runs a document of one node. */
function actionsIn(text: string): readonly string[] {
  const named =
    /\b(?:uses|action): ['"]?([a-z_]+(?:\.[a-z_]+)*)|\b(?:oneNode|state)\(\s*'([a-z_.]+)'/g
  return [...text.matchAll(named)].flatMap(([, written, run]) => written ?? run ?? [])
}

describe('the documents of these tests', () => {
  it('are at least 40 files and 40 in the tests themselves', () => {
    const isFile = ({ path }: { readonly path: string }) => path.endsWith('.yaml')
    expect(texts.filter(isFile).length).toBeGreaterThanOrEqual(40)
    const inside = texts
      .filter((one) => !isFile(one))
      .flatMap(({ text }) => text.match(/\bnodes:|\boneNode\(|\.state\(\s*'/g) ?? [])
    expect(inside.length).toBeGreaterThanOrEqual(40)
  })

  it('run each action that there is', () => {
    const names = agentActions({}, { features: {}, providers: [] }).all.map(actionName)
    const used = new Set(texts.flatMap(({ text }) => actionsIn(text)))
    expect(names.length).toBeGreaterThanOrEqual(80)
    expect(names.filter((name) => !used.has(name))).toEqual([])
    expect(names.filter((name) => refusedActions().has(name))).toEqual([])
  })
})
