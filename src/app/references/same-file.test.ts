import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { afterAll, expect, it } from 'vitest'
import { createApp } from '../../app.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-same-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a file that lies in an archive too is told once as the same, and listed under its own path', async () => {
  const text = '# Zorb\n\nThe zorb is a mineral that melts at 412 degrees.\n'
  writeFileSync(join(folder, 'a.zip'), zipSync({ 'zorb.md': new TextEncoder().encode(text) }))
  writeFileSync(join(folder, 'zorb.md'), text)
  const app = createApp({ home: join(folder, 'home'), folder })
  const added = await Array.fromAsync(app.addToLibrary(['zorb.md', 'a.zip']))
  expect(added.filter((file) => 'sameAs' in file)).toHaveLength(1)
  const again = await Array.fromAsync(app.addToLibrary(['a.zip', 'zorb.md']))
  expect(again.filter((file) => 'sameAs' in file)).toHaveLength(1)
  expect((await app.listLibrary()).map(({ path }) => path)).toEqual([join(folder, 'zorb.md')])
  await app.close()
})
