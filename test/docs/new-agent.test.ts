import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const text = read('docs/new-agent.md')
const example = ['', '/summarizer', '/world'].map((name) => read(`examples/16-new-agent${name}.ts`))

describe('docs/new-agent.md', () => {
  const snippets = [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = '']) => code)

  it('has code of the example alone, which is run', () => {
    expect(snippets.length).toBeGreaterThanOrEqual(6)
    for (const code of snippets) expect(example.some((file) => file.includes(code))).toBe(true)
  })

  it('names every node of the pipeline', async () => {
    const { papersGraph } = await import('../../src/papers/papers.ts')
    for (const node of Object.keys(papersGraph({} as never).nodes))
      expect(text).toContain(`\n| \`${node}\` |`)
  })
})
