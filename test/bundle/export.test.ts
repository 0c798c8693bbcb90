import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type App, type AppOptions, createApp, verifyBundle } from '../../src/app.ts'
import type { Answer } from '../../src/ask/result.ts'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { checkOf, failed, faultTexts, OpenedBundle, verify as verifyInMemory } from './opened.ts'

const page =
  '# Glimmerstone\n\nGlimmerstone is a mineral that melts at 412 degrees Celsius. It was found by Ada Quill in 1907.\n'
const other =
  '# The varnel\n\nThe varnel is a bird that weighs 32 grams. It breeds on cliffs far away from any glimmerstone.\n'
const unread = '# Weather\n\nThe winters of Harrowmere are long and dark.\n'

const folder = mkdtempSync(join(tmpdir(), 'scholium-export-'))
const home = join(folder, 'home')
const papers = join(folder, 'papers')
const opened: App[] = []
let model: ScriptedModel

function open(options: AppOptions = {}): App {
  const app = createApp({ home, folder, environment: {}, ...options })
  opened.push(app)
  return app
}
const scripted = (): AppOptions => ({
  models: { default: 'openai-compatible:scripted' },
  environment: { OPENAI_BASE_URL: model.url },
  prices: { 'openai-compatible:scripted': { inputUsdPerMTok: 1, outputUsdPerMTok: 2 } },
})

beforeAll(async () => {
  mkdirSync(papers)
  writeFileSync(join(papers, 'glimmerstone.md'), page)
  writeFileSync(join(papers, 'varnel.md'), other)
  writeFileSync(join(papers, 'weather.md'), unread)
  model = await startScriptedModel(scriptTeam())
})
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close()
})
afterAll(async () => {
  await model.close()
  rmSync(folder, { recursive: true })
})

const question = 'What is glimmerstone?'
let count = 0
/** Exports a run to a file of its own. */
async function exported(app: App, run = 'last', options: Parameters<App['exportRun']>[1] = {}) {
  const file = `run-${++count}.scholium`
  const told = await app.exportRun(run, { file, ...options })
  return { ...told, file, bytes: readFileSync(join(folder, file)) }
}
const verified = (file: string, options = {}) => verifyBundle(file, { folder, ...options })

describe('a fork of a fork', () => {
  it('from before what its parent did itself is sound', async () => {
    const app = open(scripted())
    await app.ask({ question, sources: ['papers'] })
    await app.fork('last', { at: 'expert[1]' })
    await app.fork('last', { at: 'researcher[1]' })
    const { file } = await exported(app)
    const report = await verified(file)
    expect(faultTexts(report)).toBe('')
    expect(checkOf(report, 'log').detail).toMatch(/of 2 runs, one forked from another/)
  })
})

describe('the result of a question', () => {
  const asked = `  ${question}\r\nIn\u0007 short. `
  const forged = async (bytes: Uint8Array, change: object) => {
    const bundle = new OpenedBundle(bytes)
    bundle.edit('answer.json', (answer: object) => ({ ...answer, ...change }))
    bundle.editLines('log.ndjson', (line) =>
      line.type === 'run.finished'
        ? { ...line, output: { ...(line.output as object), ...change } }
        : line,
    )
    return verifyInMemory(await bundle.bytes())
  }

  it('has the question that was asked, or that a fork asks, and the status of its run', async () => {
    const app = open()
    await app.ask({ question: asked, sources: ['papers'] })
    const parent = await exported(app)
    expect(faultTexts(await verified(parent.file))).toBe('')
    await app.fork('last', { at: 'input[1]', question: 'What is the varnel?' })
    const fork = await exported(app)
    expect(faultTexts(await verified(fork.file))).toBe('')
    for (const { bytes } of [parent, fork]) {
      const other = await forged(bytes, { question: 'What is the winter?' })
      expect(failed(other)).toEqual(['result'])
      expect(faultTexts(other)).toMatch(/its question does not match the log: "What is/)
    }
    const status = await forged(parent.bytes, { status: 'unanswered' })
    expect(failed(status)).toEqual(['result'])
    expect(faultTexts(status)).toMatch(/it says unanswered, but the run ended as partial/)
  })
})

describe.each(['extractive', 'scripted'] as const)('a question (%s), exported,', (driver) => {
  const options = () => (driver === 'scripted' ? scripted() : {})

  it('is sound in all that can be checked', async () => {
    const app = open(options())
    await app.ask({ question, sources: ['papers'] })
    const { file, missing } = await exported(app)
    const report = await verified(file)
    expect(faultTexts(report)).toBe('')
    const outcomes = report.checks.map(({ name, outcome }) => `${name} ${outcome}`)
    expect(outcomes.filter((text) => !text.endsWith('passed'))).toEqual(['origin undecided'])
    expect(report).toMatchObject({ isSound: true, origin: 'integrity_only' })
    expect(checkOf(report, 'quotes').detail).toMatch(/^([1-9]\d*) of \1 quotes/)
    expect(missing).toEqual([])
  })

  it('has the answer that was given, but for paths', async () => {
    const app = open(options())
    const answer = await app.ask({ question, sources: ['papers'] })
    const { bytes } = await exported(app)
    const inBundle = new OpenedBundle(bytes).text('answer.json')
    const withNames = JSON.parse(JSON.stringify(answer).replaceAll(papers, '[folder 1]/papers'))
    expect(JSON.parse(inBundle)).toEqual(withNames)
  })

  it('has the same bytes again, after a resume, and from a copy elsewhere', async () => {
    const app = open(options())
    const { runId } = await app.ask({ question, sources: ['papers'] })
    const first = await exported(app, runId)
    expect((await exported(app, runId)).bytes).toEqual(first.bytes)
    await app.resume(runId)
    expect((await exported(app, runId)).bytes).toEqual(first.bytes)
    await app.close()
    const copy = join(folder, `copy-${driver}`)
    cpSync(home, copy, { recursive: true })
    const elsewhere = open({ home: copy })
    expect((await exported(elsewhere, runId)).bytes).toEqual(first.bytes)
  })

  it('without texts shares only what was read under cited numbers, and is sound', async () => {
    const app = open(options())
    await app.ask({ question, sources: ['papers'] })
    const { bytes, file, texts } = await exported(app, 'last', { withText: false })
    expect(texts).toBe('cited')
    const whole = (await exported(app)).bytes.toString()
    expect(bytes.toString()).toContain('412 degrees')
    for (const text of ['weighs 32 grams', 'long and dark']) {
      // The whole bundle contains what a search found in addition to the cited source.
      if (whole.includes(text)) expect(bytes.toString()).not.toContain(text)
    }
    expect(whole).toContain('weighs 32 grams')
    const report = await verified(file)
    expect(faultTexts(report)).toBe('')
    expect(checkOf(report, 'verdicts')).toMatchObject({ outcome: 'passed' })
  })
})

describe('a fork of a question', () => {
  it('is sound, and has the answer that it gave', async () => {
    const app = open(scripted())
    const { runId } = await app.ask({ question, sources: ['papers'] })
    const { answer } = await app.fork(runId, { at: 'expert[1]' })
    const { bytes, file } = await exported(app, answer.runId)
    const report = await verified(file)
    expect(faultTexts(report)).toBe('')
    expect(report).toMatchObject({ isSound: true, run: { runId: answer.runId } })
    const { citations: _citations, gaps: _gaps, ...said } = answer as Answer
    expect(JSON.parse(new OpenedBundle(bytes).text('answer.json'))).toMatchObject(said)
  })
})

describe('paths of the machine', () => {
  it('stand in no member, wherever the log has them', async () => {
    const app = open()
    mkdirSync(join(papers, 'sub'), { recursive: true })
    writeFileSync(join(papers, 'broken.pdf'), 'no pdf at all')
    await app.ask({ question, sources: ['papers', 'papers/broken.pdf'] })
    const { bytes, file, replacedPaths } = await exported(app)
    rmSync(join(papers, 'broken.pdf'))
    expect(bytes.includes(folder)).toBe(false)
    expect(bytes.includes(home)).toBe(false)
    expect(replacedPaths).toEqual(['[folder 1]'])
    expect(bytes.toString()).toContain('[folder 1]/papers/glimmerstone.md')
    const report = await verified(file)
    expect(faultTexts(report)).toBe('')
    expect(checkOf(report, 'inputs').detail).toMatch(/because parts of them were replaced/)
  })

  it('in a question are replaced too, and all that was drawn from it agrees', async () => {
    const app = open()
    const own = ['', 'home', 'ada', 'stones.md'].join('/')
    await app.ask({ question: `What is glimmerstone, as in ${own}?`, sources: ['papers'] })
    const { bytes, file } = await exported(app)
    expect(bytes.toString()).not.toContain('ada/stones')
    expect(new OpenedBundle(bytes).text('answer.json')).toContain('as in [home]/stones.md?')
    expect(await verified(file)).toMatchObject({ isSound: true })
  })
})

describe('secrets', () => {
  const key = `sk-${'a1b2'.repeat(8)}`

  it.each([
    ['a key of a provider', 'OPENAI_API_KEY'],
    ['a token of something else', 'DEPLOY_TOKEN'],
  ])('in a source: %s is named, and nothing is written', async (_what, name) => {
    writeFileSync(
      join(papers, 'keys.md'),
      `# Glimmerstone keys\n\nThe glimmerstone key is ${key}.\n`,
    )
    const asking = open()
    await asking.ask({ question: 'What is the glimmerstone key?', sources: ['papers/keys.md'] })
    const app = open({ environment: { [name]: key } })
    const refused = app.exportRun('last', { file: 'secret.scholium' })
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(
        new RegExp(`^The value of ${name} occurs in \\S+, so nothing was exported`),
      ),
    })
    await expect(refused).rejects.not.toThrow(key)
    rmSync(join(papers, 'keys.md'))
    expect(readdirSync(folder).filter((file) => file.startsWith('secret'))).toEqual([])
  })

  const odd = `k+/=${'"\u00e4&'.repeat(5)}`
  const base64 = (offset: number, form: 'base64' | 'base64url') =>
    Buffer.from(`${'x'.repeat(offset)}${odd}`).toString(form)
  const given = { GITHUB_TOKEN: odd }
  const otlp = { OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${key},x-tenant=glimmerstone` }
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
  const langfuse = { LANGFUSE_PUBLIC_KEY: 'pk-lf-1', LANGFUSE_SECRET_KEY: 'sk-lf-12' }

  it.each([
    ['as it is', odd, given],
    ['as a part of an address', encodeURIComponent(odd), given],
    ['in base64', base64(0, 'base64'), given],
    ['in base64 behind one byte', base64(1, 'base64'), given],
    ['in base64 behind two bytes', base64(2, 'base64'), given],
    ['in base64 for addresses', base64(1, 'base64url'), given],
    ['in JSON', JSON.stringify({ odd }), given],
    ['of a collector', key, { ...otlp, ...endpoint }],
    [
      'of a collector, in base64',
      Buffer.from(`u:${key}`).toString('base64'),
      { ...otlp, ...endpoint },
    ],
    ['of a collector that gets nothing now', key, { ...otlp, OTEL_SDK_DISABLED: 'true' }],
    ['of Langfuse', 'sk-lf-12', langfuse],
    ['of Langfuse, as it is sent', Buffer.from('pk-lf-1:sk-lf-12').toString('base64'), langfuse],
  ])('%s: nothing is written', async (_how, text, environment) => {
    writeFileSync(
      join(papers, 'odd.md'),
      `# Glimmerstone\n\nThe glimmerstone key is ${text} now.\n`,
    )
    const asking = open()
    await asking.ask({ question: 'What is the glimmerstone key?', sources: ['papers/odd.md'] })
    const app = open({ environment })
    const refused = app.exportRun('last', { file: 'odd.scholium' })
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(
        /^The value of (?:GITHUB_TOKEN|LANGFUSE_SECRET_KEY|the key of a collector) occurs in \S+, so/,
      ),
    })
    await expect(refused).rejects.not.toThrow(text)
    rmSync(join(papers, 'odd.md'))
    expect(existsSync(join(folder, 'odd.scholium'))).toBe(false)
    expect((await exported(open())).root).toMatch(/^[0-9a-f]{64}$/)
    await asking.removeFromLibrary('papers/odd.md')
  })

  it('in a log were replaced when it was written, so they are in no bundle', async () => {
    const app = open({
      ...scripted(),
      environment: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: key },
    })
    await app.ask({ question: `What is glimmerstone, by ${key}?`, sources: ['papers'] })
    const { bytes } = await exported(app)
    expect(bytes.includes(key)).toBe(false)
    expect(bytes.toString()).toContain('[secret]')
  })
})

describe('a signature', () => {
  const pem = (keyObject: KeyObject) =>
    keyObject.export({ type: keyObject.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' })
  const keys = generateKeyPairSync('ed25519')
  const others = generateKeyPairSync('ed25519')
  const write = (name: string, keyObject: KeyObject) =>
    writeFileSync(join(folder, name), pem(keyObject))

  it('is checked against the key that is wanted', async () => {
    write('key.pem', keys.privateKey)
    write('key.pub', keys.publicKey)
    write('other.pub', others.publicKey)
    const app = open()
    await app.ask({ question, sources: ['papers'] })
    const unsigned = await exported(app)
    const signed = await exported(app, 'last', { signWith: 'key.pem' })
    expect(signed.root).toBe(unsigned.root)
    expect(await verified(signed.file, { key: 'key.pub' })).toMatchObject({
      isSound: true,
      origin: 'signed',
    })
    expect(await verified(signed.file, { key: signed.publicKey })).toMatchObject({
      isSound: true,
      origin: 'signed',
    })
    expect(await verified(signed.file, { expect: signed.root })).toMatchObject({
      isSound: true,
      origin: 'expected',
    })
    const report = await verified(signed.file)
    expect(report).toMatchObject({ isSound: true, origin: 'integrity_only' })
    expect(checkOf(report, 'origin').detail).toContain(
      `signed with the key ${signed.publicKey}, which was not compared with an expected key`,
    )
    expect(await verified(signed.file, { key: 'other.pub' })).toMatchObject({
      isSound: false,
      origin: 'refuted',
    })
    expect(faultTexts(await verified(unsigned.file, { key: 'key.pub' }))).toMatch(
      /the bundle is not signed/,
    )
  })

  it('of another bundle is refused', async () => {
    const app = open()
    await app.ask({ question, sources: ['papers'] })
    const one = new OpenedBundle((await exported(app, 'last', { signWith: 'key.pem' })).bytes)
    await app.ask({ question: 'What does the varnel weigh?', sources: ['papers'] })
    const two = new OpenedBundle((await exported(app)).bytes)
    two.texts.set('signature.json', one.text('signature.json'))
    writeFileSync(join(folder, 'mixed.scholium'), await two.bytes())
    const report = await verified('mixed.scholium')
    expect(failed(report)).toEqual(['origin'])
    expect(faultTexts(report)).toMatch(/it is not a signature of this root hash/)
  })

  it.each([
    ['a file that is not there', 'none.pem'],
    ['a public key', 'key.pub'],
    ['no key', 'papers/weather.md'],
  ])('with %s is refused, and nothing is written', async (_what, signWith) => {
    const app = open()
    await app.ask({ question, sources: ['papers'] })
    await expect(app.exportRun('last', { file: 'x.scholium', signWith })).rejects.toMatchObject({
      code: 'invalid_input',
      hint: expect.stringContaining('openssl genpkey'),
    })
    expect(existsSync(join(folder, 'x.scholium'))).toBe(false)
  })
})

describe('what cannot be in a bundle', () => {
  it('is said: a source that is gone', async () => {
    const app = open()
    await app.ask({ question, sources: ['papers'] })
    await app.removeFromLibrary('papers/glimmerstone.md')
    const { missing, file } = await exported(app)
    expect(missing).toEqual([
      { what: expect.stringMatching(/^sources\//), why: 'The source is no longer in the library.' },
    ])
    const report = await verified(file)
    expect(report.isSound).toBe(true)
    expect(report.missing).toEqual(missing)
    for (const name of ['quotes', 'verdicts'] as const)
      expect(checkOf(report, name).outcome).toBe('undecided')
  })

  it('is said: the answer of a run that has not ended', async () => {
    const app = open()
    const controller = new AbortController()
    const asking = app.ask(
      { question, sources: ['papers'] },
      {
        signal: controller.signal,
        onEvent: ({ key, type }) =>
          void (type === 'node.done' && key.includes('planner') && controller.abort()),
      },
    )
    await expect(asking).rejects.toMatchObject({ code: 'cancelled' })
    const { missing, file } = await exported(app)
    expect(missing).toEqual([{ what: 'answer.json', why: 'The run has not ended.' }])
    expect(await verified(file)).toMatchObject({ isSound: true, run: { status: 'unfinished' } })
  })

  it('is written over no file but a bundle', async () => {
    const app = open()
    await app.ask({ question, sources: ['papers'] })
    await expect(app.exportRun('last', { file: 'papers/weather.md' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect(readFileSync(join(papers, 'weather.md'), 'utf8')).toBe(unread)
    writeFileSync(join(folder, 'mine.scholium'), 'my own notes')
    await expect(app.exportRun('last', { file: 'mine.scholium' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/mine\.scholium already exists and is not a bundle\.$/),
    })
    expect(readFileSync(join(folder, 'mine.scholium'), 'utf8')).toBe('my own notes')
    const { file, bytes, root } = await exported(app)
    await app.ask({ question: 'What does the varnel weigh?', sources: ['papers'] })
    await expect(app.exportRun('last', { file })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('already exists with another run.'),
    })
    expect(readFileSync(join(folder, file))).toEqual(bytes)
    const [, { runId = '' } = {}] = await app.listRuns()
    expect((await app.exportRun(runId, { file })).root).toBe(root)
    await expect(app.exportRun('last', { file: 'papers' })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(app.exportRun('last', { file: 'no/such/folder.scholium' })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('cannot be written'),
    })
    await expect(app.exportRun('nothing')).rejects.toMatchObject({ code: 'run_not_found' })
  })
})
