import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesInMemory } from '../../src/observe/bundle/byte-source.ts'
import { detectFileKind } from '../../src/observe/bundle/file-kind.ts'
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
})
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
        `${runId}.scholium: ${stdout.match(/\d+ events/)?.[0]}, 1 source with full texts`,
        `root ${root}`,
        'Paths on this machine were replaced by [folder 1].',
        `To verify it anywhere: scholium verify ${runId}.scholium --expect ${root}`,
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
    expect(stderr).toMatch(/The value of OPENAI_API_KEY occurs in \S+\.(?:nd)?json, so nothing/)
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
    expect(stdout).toMatch(/\nSound; it has the expected root hash\n$/)
    const other = await elsewhere.run(['verify', 'a.scholium', '--expect', 'ab'.repeat(32)])
    expect(other.exitCode).toBe(1)
    expect(other.stdout).toMatch(/✗ origin[\s\S]*Not valid; it is not the expected bundle/)
  })

  it('names a byte that was changed, and ends with 1', async () => {
    const bytes = readFileSync(join(cli.folder, 'a.scholium'))
    const at = bytes.indexOf('412')
    bytes[at] = 0x35
    writeFileSync(join(elsewhere.folder, 'changed.scholium'), bytes)
    const { exitCode, stdout } = await elsewhere.run(['verify', 'changed.scholium'])
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/✗ file[^\n]*\n {4}answer\.json, byte \d+: this byte was changed/)
    expect(stdout).toMatch(/– verdicts +Not checked/)
    expect(stdout).toMatch(/\nNot valid\n$/)
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
    expect(stdout).toMatch(/\n– verdicts +2 of 2 come out differently/)
    const last = stdout.trimEnd().split('\n').at(-1)
    expect(last).toMatch(
      /^Valid as far as it could be checked; result, verdicts undecided; integrity only/,
    )
    const flipped = await elsewhere.run(['verify', 'flipped.scholium', '--json'])
    expect(jsonOf(flipped)).toMatchObject({ isSound: true, isComplete: false })
    const whole = await elsewhere.run(['verify', 'a.scholium', '--json'])
    expect(jsonOf(whole)).toMatchObject({ isSound: true, isComplete: true })
  })

  it.each([
    ['a text', 'just a text', /text\.scholium is not a bundle: it is not a zip file\. Give/],
    ['nothing', '', /text\.scholium is not a bundle: it is empty\. Copy or/],
    [
      'a zip of something else',
      Buffer.from(zipSync({ 'word/document.xml': Buffer.from('<a/>') })),
      /is not a bundle: it is a zip file with other content\. Give/,
    ],
    [
      'a zip of nothing',
      Buffer.from(zipSync({})),
      /is not a bundle: it is a zip file with other content\. Give/,
    ],
  ])('says of a file with %s in one line what it is', async (_what, content, said) => {
    elsewhere.write('text.scholium', content)
    const { exitCode, stdout, stderr } = await elsewhere.run(['verify', 'text.scholium'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' })
    expect(stdout.trimEnd().split('\n')).toEqual([expect.stringMatching(said)])
  })

  it('says of a bundle that was cut off anywhere in one line that it was', async () => {
    const bytes = readFileSync(join(cli.folder, 'a.scholium'))
    const kinds = new Map<string, number>()
    for (let length = 0; length < bytes.length; length++) {
      const kind = detectFileKind(bytesInMemory(bytes.subarray(0, length)))
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    expect([...kinds]).toEqual([
      ['empty', 1],
      ['other_file', 3],
      ['cut_off', bytes.length - 4],
    ])
    elsewhere.write('cut.scholium', bytes.subarray(0, bytes.length / 2))
    const { exitCode, stdout } = await elsewhere.run(['verify', 'cut.scholium'])
    expect(exitCode).toBe(1)
    expect(stdout).toBe('Not valid: cut.scholium is a truncated bundle. Copy or export it again.\n')
    const report = jsonOf(await elsewhere.run(['verify', 'cut.scholium', '--json']))
    expect(report).toMatchObject({ isSound: false, fileKind: 'cut_off' })
  })

  it('says what is wrong with how it was called', async () => {
    mkdirSync(join(elsewhere.folder, 'some'))
    const file = 'a.scholium'
    const none = /^Error: The key "\S+" is neither 64 hex digits nor a readable file\.\nGive/
    const calls: readonly (readonly [readonly string[], RegExp])[] = [
      [['gone.scholium'], /^Error: There is no file \S+gone\.scholium\.\nGive the file/],
      [['some'], /^Error: \S+some is a folder, but a bundle is a file\.\nGive the file/],
      [[file, '--expect', root.slice(1)], /is not a root hash, which has 64 hex digits.*\nGive/],
      [[file, '--expect', `${root}0`], /is not a root hash, which has 64 hex digits/],
      [[file, '--expect', 'g'.repeat(64)], /is not a root hash, which has 64 hex digits/],
      [[file, '--key', 'abc'], none],
      [[file, '--key', 'some'], none],
      [
        [file, '--key', 'a.scholium'],
        /^Error: The key is not an Ed25519 public key in PEM format\.\nGive/,
      ],
    ]
    for (const [words, said] of calls) {
      const { exitCode, stdout, stderr } = await elsewhere.run(['verify', ...words])
      expect({ words, exitCode, stdout }).toEqual({ words, exitCode: 2, stdout: '' })
      expect(stderr).toMatch(said)
      expect(stderr).not.toMatch(/ENOENT|EISDIR/)
    }
  })

  it('takes what export printed when it signed', async () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    cli.write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const signed = await cli.run(['export', runId, 's.scholium', '--sign', 'key.pem'])
    const [, words = ''] = /scholium (verify .*)\n/.exec(signed.stdout) ?? []
    expect(words).toMatch(/^verify s\.scholium --expect [0-9a-f]{64} --key [0-9a-f]{64}$/)
    elsewhere.write('s.scholium', readFileSync(join(cli.folder, 's.scholium')))
    for (const call of [words, words.replace(/[0-9a-f]{64}/g, (hex) => hex.toUpperCase())]) {
      const { exitCode, stdout } = await elsewhere.run(call.split(' '))
      expect(exitCode).toBe(0)
      expect(stdout).toMatch(/Sound; it is signed with the given key\n$/)
    }
  })
})
