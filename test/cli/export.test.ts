import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
let runId = ''
beforeAll(async () => {
  runId = jsonOf(await cli.run(['ask', 'What does CRISPR stand for?', '--json'])).runId
  const { privateKey } = generateKeyPairSync('ed25519')
  cli.write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
  cli.write('notes.txt', 'mine')
})
afterAll(() => cli.remove())

describe('export', () => {
  it.each([
    ['-', /A bundle is written to a file, not to stdout\.\nGive a file: scholium export last/],
    ['.', /is a folder\.\nGive a file in it, such as \S+\.scholium\./],
    ['nodir/x.scholium', /x\.scholium cannot be written: its folder does not exist\.\n/],
    ['notes.txt/x.scholium', /x\.scholium cannot be written: a part of its path is a file\.\n/],
  ])('into %s is refused in plain words', async (file, message) => {
    const { exitCode, stdout, stderr } = await cli.run(['export', 'last', file])
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/ENO|remove/)
    expect(existsSync(join(cli.folder, '-'))).toBe(false)
  })

  it('does not drop the signature of a bundle that is there', async () => {
    const path = join(cli.folder, 'signed.scholium')
    const signed = ['export', runId, 'signed.scholium', '--sign', 'key.pem']
    expect((await cli.run(signed)).exitCode).toBe(0)
    const before = readFileSync(path)
    const { exitCode, stderr } = await cli.run(['export', runId, 'signed.scholium'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('its signature would be lost.\nSign it again with --sign KEY.pem')
    expect(readFileSync(path)).toEqual(before)
    expect((await cli.run(signed)).exitCode).toBe(0)
    await cli.run(['export', runId, 'plain.scholium'])
    expect((await cli.run(['export', runId, 'plain.scholium'])).exitCode).toBe(0)
  })
})
