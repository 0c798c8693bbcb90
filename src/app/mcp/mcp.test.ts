import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AppMcp } from './mcp.ts'

it('servers that were closed are not opened again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scholium-mcp-'))
  const file = join(folder, '.mcp.json')
  writeFileSync(file, '{"mcpServers": {"files": {"command": "files-server"}}}')
  const open = new AppMcp({ configFiles: [file] }, {})
  expect(await open.server('files')).toMatchObject({ name: 'files' })
  await open.close()
  const unused = new AppMcp({ configFiles: [file] }, {})
  await unused.close()
  for (const used of [unused.server('files'), unused.access(), unused.accessForPapers('files')])
    await expect(used).rejects.toMatchObject({
      code: 'tool_failed',
      message: expect.stringMatching(/closed/),
    })
  rmSync(folder, { recursive: true })
})
