import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

it('docs/building.md has code of the examples alone, which are run', () => {
  const names = readdirSync(new URL('examples/', root)).filter((name) => name.endsWith('.ts'))
  const examples = names.map((name) => read(`examples/${name}`))
  const snippets = [...read('docs/building.md').matchAll(/^```ts\n(.*?)^```/gms)]
  expect(snippets.length).toBeGreaterThanOrEqual(8)
  const unknown = snippets.flatMap(([, code = '']) =>
    examples.some((example) => example.includes(code)) ? [] : [code],
  )
  expect(unknown).toEqual([])
})
