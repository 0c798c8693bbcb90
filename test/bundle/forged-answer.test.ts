import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageVersion } from '../../src/app/version.ts'
import { bundledWorkflows } from '../../src/app/workflows/workflow-registry.ts'
import { createApp, verifyBundle } from '../../src/app.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import type { RunEvent } from '../../src/kernel/run/event.ts'
import { memberText } from '../../src/observe/bundle/canonical.ts'
import type { CheckName } from '../../src/observe/bundle/check.ts'
import { deriveAnswer, derivedMembers, RunFacts } from '../../src/observe/bundle/run-facts.ts'
import { checkOf, failed, faultTexts, OpenedBundle, verify } from './opened.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-forged-answer-'))
const question = 'What is glimmerstone and what does the varnel feed on?'
let bundle: Buffer = Buffer.alloc(0)
let fork: Buffer = Buffer.alloc(0)
beforeAll(async () => {
  const papers = join(folder, 'papers')
  mkdirSync(papers)
  writeFileSync(
    join(papers, 'glimmerstone.md'),
    '# Glimmerstone\n\nGlimmerstone is a mineral that melts at 412 degrees Celsius.\n',
  )
  writeFileSync(join(papers, 'varnel.md'), '# The varnel\n\nThe varnel feeds on moths.\n')
  const app = createApp({ home: join(folder, 'home'), folder, environment: {} })
  const { runId } = await app.ask({ question, sources: ['papers'] })
  await app.exportRun(runId, { file: 'a.scholium' })
  await app.fork(runId, { at: 'verify[1]' })
  await app.fork('last', { at: 'expert[1]' })
  await app.exportRun('last', { file: 'fork.scholium' })
  await app.close()
  bundle = readFileSync(join(folder, 'a.scholium'))
  fork = readFileSync(join(folder, 'fork.scholium'))
})
afterAll(() => rmSync(folder, { recursive: true }))

type Change = (result: JsonObject) => JsonObject

/** Changes a result wherever the log has it, or only where `isIn` says, and draws anew what is drawn from it. */
async function forgedResult(change: Change, isIn = (_event: RunEvent) => true): Promise<Buffer> {
  const opened = new OpenedBundle(bundle)
  opened.editLines('log.ndjson', (line) => {
    const event = structuredClone(line) as unknown as RunEvent & { output: JsonObject }
    if (!isIn(event)) return line
    if (event.type === 'run.finished') {
      const output = change(event.output)
      return { ...line, output, data: { ...event.data, status: output.status ?? '' } }
    }
    if (event.type !== 'node.done' || !event.key.startsWith('ask/verify')) return line
    const patch = event.output as JsonObject
    const result = change((patch.verdicts as JsonObject).result as JsonObject)
    return { ...line, output: { ...patch, verdicts: { result } } }
  })
  await derive(opened)
  const { status } = JSON.parse(opened.text('answer.json'))
  return opened.bytes((manifest) => ({ ...manifest, status }))
}

async function derive(opened: OpenedBundle): Promise<void> {
  const facts = new RunFacts(bundledWorkflows)
  const events = eventsOf(opened)
  for (const event of events) facts.record(event)
  const answer = await deriveAnswer(
    facts,
    (async function* () {
      yield* events
    })(),
  )
  for (const [name, value] of Object.entries(derivedMembers(facts, answer)))
    opened.texts.set(name, memberText(value))
}

const eventsOf = (opened: OpenedBundle) =>
  opened
    .text('log.ndjson')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as RunEvent)

const verified = (bytes: Uint8Array) => verify(bytes, { packageVersion })
type Citation = JsonObject & { readonly n: number; readonly csl: JsonObject }
const citations = ({ citations: given }: JsonObject) => given as unknown as readonly Citation[]
const cited = (change: object): Change => {
  return (result) => ({
    ...result,
    citations: citations(result).map((one) => ({ ...one, ...change })),
  })
}

/** What a forger changes of a result alike wherever the log has it, and which check finds it. */
const forgeries: readonly (readonly [what: string, Change, found: CheckName, said: RegExp])[] = [
  ['question', () => ({ question: 'What is a mineral?' }), 'result', /its question does not match/],
  [
    'text, with its claims',
    (result) => {
      const claims = (result.claims as JsonObject[]).slice(0, 1)
      return { answer: String(claims[0]?.text), claims }
    },
    'result',
    /its answer does not match the log: "Glimmerstone is/,
  ],
  ['reasoning', () => ({ reasoning: 'I know it.' }), 'result', /its reasoning does not match/],
  [
    'plan',
    () => ({ plan: { researchSteps: ['Look.'], expertSteps: [] } }),
    'result',
    /its plan does not match the log/,
  ],
  [
    'retries',
    () => ({ retries: { planner: 0, researcher: 3, expert: 0 } }),
    'result',
    /its retries does not match the log/,
  ],
  [
    'gaps',
    () => ({ gaps: [{ kind: 'tool_failed', detail: 'A search failed.' }] }),
    'result',
    /its gaps does not match the log/,
  ],
  [
    'stop reason',
    () => ({ stopReason: 'limit' }),
    'result',
    /its stopReason does not match the log/,
  ],
  ['status', () => ({ status: 'failed' }), 'result', /its status does not match the log: "answ/],
  [
    'error',
    () => ({ error: { code: 'internal', message: 'x', hint: null, retryable: false } }),
    'result',
    /its error does not match the log: null/,
  ],
  [
    'citations, one of them left out',
    (result) => ({ citations: citations(result).slice(1) as never }),
    'result',
    /its citations do not match its text: 1, 2/,
  ],
  ['titles', cited({ title: 'Other' }), 'sources', /its title is not the one given in the answer/],
  ['address', cited({ url: 'https://example.org/' }), 'sources', /its url is not the one given/],
  ['path', cited({ path: '/a.md' }), 'sources', /its path is not the one given in the answer/],
  ['references', cited({ csl: { title: 'Other' } }), 'sources', /its csl is not the one given/],
]

describe('an answer of which somebody changed, with the log and all hashes made right,', () => {
  it('nothing is sound, and wholly so', async () => {
    expect(await forgedResult((result) => result)).toEqual(bundle)
    expect(await verified(bundle)).toMatchObject({ isSound: true, isComplete: true })
  })

  it.each(forgeries)('the %s is refused', async (_what, change, found, said) => {
    const report = await verified(
      await forgedResult((result) => ({ ...result, ...change(result) })),
    )
    expect(failed(report)).toContain(found)
    expect(checkOf(report, found).faults.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(said),
    )
  })

  it.each(['url', 'csl', 'path'])(
    'the %s of its sources, in their members too, is refused for what the run looked up',
    async (field) => {
      const other = field === 'csl' ? { title: 'Other' } : 'https://example.org/'
      const opened = new OpenedBundle(await forgedResult(cited({ [field]: other })))
      for (const name of opened.texts.keys())
        if (name.startsWith('sources/'))
          opened.edit(name, (member: { source: object }) => ({
            ...member,
            source: { ...member.source, [field]: other },
          }))
      const report = await verified(await opened.bytes())
      expect(failed(report)).toEqual(['result', 'sources'])
      expect(faultTexts(report)).toMatch(new RegExp(`the ${field} of \\[1\\] is not the one the`))
    },
  )

  it.each<[string, Json, JsonObject]>([
    ['title', 'Other', { title: 'Other' }],
    ['path', '/other.md', {}],
    ['csl', { title: 'Other' }, {}],
  ])(
    'the %s of its sources, wherever the run looked it up, is refused for what steps read',
    async (field, other, minted) => {
      const opened = new OpenedBundle(await forgedResult(cited({ [field]: other })))
      opened.editLines('log.ndjson', (line) => {
        const { key, type, output } = line as unknown as RunEvent & { output: JsonObject }
        if (key.endsWith('/citations') && type === 'step.done') {
          const sources = output as unknown as readonly JsonObject[]
          return {
            ...line,
            output: sources.map((source) => ({ ...source, [field]: other })),
          } as unknown as JsonObject
        }
        if (type !== 'node.done' || !Array.isArray(output.citations)) return line
        const numbers = citations(output).map((one) => ({ ...one, ...minted }))
        const changed: JsonObject = { ...(line.output as JsonObject), citations: numbers as never }
        return { ...line, output: changed }
      })
      for (const name of opened.texts.keys())
        if (name.startsWith('sources/'))
          opened.edit(name, (member: { source: object }) => ({
            ...member,
            source: { ...member.source, [field]: other },
          }))
      await derive(opened)
      const report = await verified(await opened.bytes())
      expect(failed(report)).toContain('sources')
      expect(faultTexts(report)).toMatch(/title, location or reference differs from when steps/)
    },
  )

  it('anything in the last event alone is refused', async () => {
    const more = (result: JsonObject) => ({ ...result, note: 'more' })
    const report = await verified(await forgedResult(more, ({ type }) => type === 'run.finished'))
    expect(failed(report)).toEqual(['result'])
    expect(faultTexts(report)).toMatch(/its note is not what the node that produced it returned/)
  })

  it('the end of the node that made it is refused without one', async () => {
    const opened = new OpenedBundle(bundle)
    opened.editLines('log.ndjson', (line) =>
      line.type === 'node.done' && String(line.key).startsWith('ask/verify')
        ? { ...line, type: 'notice' }
        : line,
    )
    const report = await verified(await opened.bytes())
    expect(faultTexts(report)).toMatch(/does not contain the end of the node that produced it/)
  })

  it('a field of the state into no text is refused, and stops nothing', async () => {
    const opened = new OpenedBundle(bundle)
    for (const text of [7, null, { a: 1 }]) {
      opened.editLines('log.ndjson', (line) =>
        line.type === 'node.done' && String(line.key).startsWith('ask/finalizer')
          ? { ...line, output: { ...(line.output as object), answer: { text } } }
          : line,
      )
      const report = await verified(await opened.bytes())
      expect(faultTexts(report)).toMatch(/the state it is based on is invalid: answer\.text is/)
    }
  })

  it('the text into one that takes too long is left undecided, at once', async () => {
    const opened = new OpenedBundle(bundle)
    const text = 'a. '.repeat(1_500_000)
    opened.editLines('log.ndjson', (line) =>
      line.type === 'node.done' && String(line.key).startsWith('ask/finalizer')
        ? { ...line, output: { ...(line.output as object), answer: { text } } }
        : line,
    )
    const report = await verified(await opened.bytes())
    expect(checkOf(report, 'result')).toMatchObject({
      outcome: 'undecided',
      detail: 'Not derived from the log again: it would take too long.',
    })
  })

  it('what another version came to is left undecided, and what it wrote down is not', async () => {
    const other = { packageVersion: '99.0.0' }
    const gaps = await verify(await forgedResult((result) => ({ ...result, gaps: [1] })), other)
    expect(checkOf(gaps, 'result')).toMatchObject({ outcome: 'undecided' })
    expect(checkOf(gaps, 'result').detail).toMatch(/gaps come out differently: Scholium .* made it/)
    const plan = await verify(await forgedResult((result) => ({ ...result, plan: 1 })), other)
    expect(failed(plan)).toEqual(['result'])
  })
})

describe('the messages', () => {
  it.each([
    ['none of them', (lines: readonly string[]) => lines.slice(0, 0)],
    ['all but one', (lines: readonly string[]) => lines.slice(1)],
  ])('of which a bundle has %s are missed', async (_what, keep) => {
    const opened = new OpenedBundle(bundle)
    const lines = opened.text('messages.ndjson').split('\n')
    opened.texts.set('messages.ndjson', keep(lines).join('\n'))
    const report = await verified(await opened.bytes())
    expect(failed(report)).toEqual(['inputs'])
    expect(faultTexts(report)).toMatch(
      /the message [0-9a-f]{64} is missing, although a model received/,
    )
  })

  it('that the manifest says are missing leave the inputs undecided', async () => {
    const opened = new OpenedBundle(bundle)
    const [first = '', ...others] = opened.text('messages.ndjson').split('\n')
    opened.texts.set('messages.ndjson', others.join('\n'))
    const gone = { what: `messages.ndjson ${JSON.parse(first).hash}`, why: 'Gone.' }
    const report = await verified(
      await opened.bytes((manifest) => ({ ...manifest, missing: [gone] })),
    )
    expect(report).toMatchObject({ isSound: true, isComplete: false, missing: [gone] })
    expect(checkOf(report, 'inputs').detail).toMatch(/not checked: 1 missing messages/)
  })
})

describe('what cannot be looked at', () => {
  it('is named: steps without an input', async () => {
    const opened = new OpenedBundle(bundle)
    opened.editLines('log.ndjson', (line) => {
      const { input: _input, ...data } = line.data as JsonObject
      return line.type === 'step.done' && line.key === 'ask/input[1]/sources'
        ? { ...line, data }
        : line
    })
    const report = await verified(await opened.bytes())
    expect(report).toMatchObject({ isSound: true, isComplete: false })
    expect(checkOf(report, 'inputs').detail).toMatch(
      /not checked: 1 steps without an input in the log, "ask\/input\[1\]\/sources"/,
    )
  })

  it('is named: the parent of a fork that has no event here', async () => {
    const opened = new OpenedBundle(fork)
    expect(checkOf(await verified(fork), 'log')).toMatchObject({
      outcome: 'undecided',
      detail: expect.stringMatching(/parent "\S+" was not checked, because the log has none/),
    })
    opened.editLines('log.ndjson', (line) => {
      const data = line.data as JsonObject & { parent: object }
      if (line.type !== 'run.forked') return line
      return { ...line, data: { ...data, parent: { ...data.parent, runId: 'other' } } }
    })
    const report = await verified(await opened.bytes())
    expect(checkOf(report, 'log').detail).toContain('parent "other" was not checked')
    expect(report.isComplete).toBe(false)
  })

  it('is judged the same by the app', async () => {
    expect(await verifyBundle('a.scholium', { folder })).toEqual(await verified(bundle))
  })
})
