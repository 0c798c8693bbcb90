import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyReport } from '../../app.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-verify-report-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeAll(() => {
  writeFileSync(join(folder, 'tides.md'), 'Spring tides come every 14 days.\n')
  writeFileSync(
    join(folder, 'report.md'),
    'Spring tides come every 15 days [1].\n\n[1]: tides.md\n',
  )
})

describe('verifyReport', () => {
  it('says of each claim of a document whether its place says it', async () => {
    const { claims, failures } = await verifyReport('report.md', { folder, environment: {} })
    expect(claims).toMatchObject([{ verdict: 'altered', line: 1 }])
    expect(failures).toEqual({ references: 0, claims: 1 })
  })

  it('ends when it is told to', async () => {
    const signal = AbortSignal.abort()
    await expect(verifyReport('report.md', { folder, environment: {}, signal })).rejects.toThrow()
  })

  it('refuses a file that is not there', async () => {
    await expect(verifyReport('gone.md', { folder })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})
