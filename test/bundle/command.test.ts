import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from '../cli/command.ts'
import { OpenedBundle } from './opened.ts'

const cli = new CommandLine()
/** Another machine: another home, another folder, nothing of the first. */
const elsewhere = new CommandLine()
const alone = mkdtempSync(join(tmpdir(), 'scholium-alone-'))
let runId = ''
let root = ''
beforeAll(async () => {
  mkdirSync(join(cli.folder, 'papers'))
  cli.write('papers/stone.md', '# Glimmerstone\n\nGlimmerstone melts at 412 degrees Celsius.\n')
  const question = 'At how many degrees does glimmerstone melt?'
  runId = jsonOf(await cli.run(['ask', question, '--source', 'papers', '--json'])).runId
  root = jsonOf(await cli.run(['export', runId, 'a.scholium', '--json'])).root
  elsewhere.write('a.scholium', readFileSync(join(cli.folder, 'a.scholium')))
  rmSync(join(cli.folder, 'papers'), { recursive: true })
}, 30_000)
afterAll(() => {
  cli.remove()
  elsewhere.remove()
  rmSync(alone, { recursive: true })
})

describe('scholium export', () => {
  it('writes a file named after the run and says how to check it', async () => {
    const { exitCode, stdout, stderr } = await cli.run(['export', 'last'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toBe(
      [
        `${runId}.scholium: ${stdout.match(/\d+ events/)?.[0]}, 1 source with their texts`,
        `root ${root}`,
        'Paths of this machine stand as [folder 1].',
        `To check it anywhere: scholium verify ${runId}.scholium --expect ${root}`,
        '',
      ].join('\n'),
    )
    expect(readFileSync(join(cli.folder, `${runId}.scholium`))).toEqual(
      readFileSync(join(cli.folder, 'a.scholium')),
    )
  })

  it('says what it did as JSON', async () => {
    const told = jsonOf(await cli.run(['export', 'last', 'b.scholium', '--without-text', '--json']))
    expect(told).toMatchObject({ schema: 'scholium.export/1', runId, texts: 'cited', missing: [] })
  })

  it('leaves nothing behind when a key stands in a source', async () => {
    const key = `sk-${'x9'.repeat(12)}`
    cli.write('key.md', `# Keys\n\nThe velvet key is ${key}.\n`)
    await cli.run(['ask', 'What is the velvet key?', '--source', 'key.md'])
    const env = { OPENAI_API_KEY: key }
    const { exitCode, stdout, stderr } = await cli.run(['export', 'last', 'k.scholium'], { env })
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/The value of OPENAI_API_KEY stands in \S+\.(?:nd)?json, so nothing/)
    expect(stderr).not.toContain(key)
    expect(existsSync(join(cli.folder, 'k.scholium'))).toBe(false)
  })
})

describe('scholium verify', () => {
  it('finds a bundle sound where nothing else of its run is', async () => {
    const { exitCode, stdout, stderr } = await elsewhere.run(['verify', 'a.scholium'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toContain(`Run ${runId} · ask · answered\nroot ${root}\n`)
    expect(stdout).toMatch(/\n✓ verdicts +(\d+) of \1 verdicts the same again\n/)
    expect(stdout).toMatch(/\nSound; integrity only: give --expect HASH or --key KEY/)
    expect(existsSync(join(elsewhere.folder, 'home'))).toBe(false)
  })

  it('needs no folder that can be written, and makes none', async () => {
    const env = { SCHOLIUM_HOME: join(alone, 'none'), HOME: join(alone, 'none') }
    const { exitCode } = await elsewhere.run(['verify', 'a.scholium'], { env })
    expect(exitCode).toBe(0)
    expect(existsSync(join(alone, 'none'))).toBe(false)
  })

  it('knows the bundle that is expected', async () => {
    const { exitCode, stdout } = await elsewhere.run(['verify', 'a.scholium', '--expect', root])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\nSound; it is the bundle that was expected\n$/)
    const other = await elsewhere.run(['verify', 'a.scholium', '--expect', 'ab'.repeat(32)])
    expect(other.exitCode).toBe(1)
    expect(other.stdout).toMatch(/✗ origin[\s\S]*Not sound; it is not the bundle that is wanted/)
  })

  it('names a byte that was changed, and ends with 1', async () => {
    const bytes = readFileSync(join(cli.folder, 'a.scholium'))
    const at = bytes.indexOf('412')
    bytes[at] = 0x35
    writeFileSync(join(elsewhere.folder, 'changed.scholium'), bytes)
    const { exitCode, stdout } = await elsewhere.run(['verify', 'changed.scholium'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/✗ file[^\n]*\n {4}answer\.json, byte \d+: this byte was changed/)
    expect(stdout).toMatch(/– verdicts +Not looked at/)
    expect(stdout).toMatch(/\nNot sound\n$/)
    const report = jsonOf(await elsewhere.run(['verify', 'changed.scholium', '--json']))
    expect(report).toMatchObject({ schema: 'scholium.verification/1', isSound: false, root: null })
    expect(report.checks[0].faults[0]).toMatchObject({ member: 'answer.json' })
  })

  it('does not call verdicts sound that another version gave and this one would not', async () => {
    const fixture = new URL('fixture/small.scholium', import.meta.url)
    const opened = new OpenedBundle(readFileSync(fixture))
    opened.texts.delete('signature.json')
    opened
      .replaceText('"verbatim"', '"held"')
      .replaceText('"supported"', '"verbatim"')
      .replaceText('"held"', '"supported"')
    for (const name of ['answer.json', 'claims.json']) opened.edit(name, (value) => value)
    opened.editLines('log.ndjson', (line) => line)
    elsewhere.write('flipped.scholium', await opened.bytes())
    const { exitCode, stdout } = await elsewhere.run(['verify', 'flipped.scholium'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\n– verdicts +2 of 2 come out otherwise/)
    const last = stdout.trimEnd().split('\n').at(-1)
    expect(last).toMatch(
      /^Sound as far as it could be checked; result, verdicts undecided; integrity only/,
    )
    const flipped = await elsewhere.run(['verify', 'flipped.scholium', '--json'])
    expect(jsonOf(flipped)).toMatchObject({ isSound: true, isComplete: false })
    const whole = await elsewhere.run(['verify', 'a.scholium', '--json'])
    expect(jsonOf(whole)).toMatchObject({ isSound: true, isComplete: true })
  })

  it('says of a file that is not there, or is no bundle, what it is', async () => {
    const gone = await elsewhere.run(['verify', 'gone.scholium'])
    expect(gone).toMatchObject({ exitCode: 2, stdout: '' })
    expect(gone.stderr).toMatch(/gone\.scholium cannot be read/)
    elsewhere.write('text.scholium', 'just a text')
    const text = await elsewhere.run(['verify', 'text.scholium'])
    expect(text.exitCode).toBe(1)
    expect(text.stdout).toContain('this is no bundle')
  })
})
