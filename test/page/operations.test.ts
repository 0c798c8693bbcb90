import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { operationsOf, servedDocument } from '../../tools/page-api/operations.ts'
import { root } from '../repo/source-file.ts'

it('the page has the types of the requests that the server answers (node tools/page-api.ts writes them)', async () => {
  const plain = (text: string) => text.replaceAll(/[\s|;,()]+/g, '')
  const written = readFileSync(`${root}web/src/api/operations.ts`, 'utf8').replaceAll("'", '"')
  const served = operationsOf(await servedDocument()).replaceAll("'", '"')
  expect(plain(written)).toBe(plain(served))
})
