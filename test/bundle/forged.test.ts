import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../src/kernel/json.ts'
import type { CheckName } from '../../src/observe/bundle/check.ts'
import { sourceMember } from '../../src/observe/bundle/form.ts'
import { Runs } from '../kernel/runs.ts'
import { checkOf, failed, faultTexts, OpenedBundle, verify } from './opened.ts'
import { bundleOf, makeSmallRun, sourceId } from './small-run.ts'

const runs = new Runs()
const folder = mkdtempSync(join(tmpdir(), 'scholium-bundle-'))
let bundle: Buffer = Buffer.alloc(0)
beforeAll(async () => {
  await runs.open()
  await makeSmallRun(runs)
  bundle = await bundleOf(runs, folder)
})
afterAll(async () => {
  await runs.close()
  rmSync(folder, { recursive: true })
})

type Line = {
  seq: number
  type: string
  key: string
  data: Record<string, unknown>
  output: Record<string, unknown>
}
/** Changes the events of the log. */
const inLog = (change: (event: Line) => unknown) => (opened: OpenedBundle) =>
  opened.editLines('log.ndjson', (line) => {
    const event = structuredClone(line) as unknown as Line
    return (change(event) === null ? undefined : event) as never
  })
const ofType = (type: string, change: (event: Line) => void) =>
  inLog((event) => (event.type === type ? change(event) : undefined))
const ofKey = (key: string, type: string, change: (event: Line) => void) =>
  inLog((event) => (event.key === key && event.type === type ? change(event) : undefined))

/** What a forger changes, with every hash of the bundle made right again, and which check finds it. */
const forgeries: readonly (readonly [
  what: string,
  change: (opened: OpenedBundle) => unknown,
  found: CheckName,
  said: RegExp,
])[] = [
  [
    'an event left out',
    inLog(({ seq }) => (seq === 4 ? null : 0)),
    'log',
    /in the place of event 4/,
  ],
  [
    'events in another order',
    (opened) => {
      const lines = opened.text('log.ndjson').trimEnd().split('\n')
      const [first = '', second = ''] = lines.splice(3, 2)
      opened.texts.set(
        'log.ndjson',
        `${[...lines.slice(0, 3), second, first, ...lines.slice(3)].join('\n')}\n`,
      )
    },
    'log',
    /event 5: it is in the place of event 4/,
  ],
  [
    'an event of another run',
    inLog((event) => Object.assign(event, event.seq > 5 && { runId: 'other' })),
    'log',
    /was not forked here/,
  ],
  [
    'an unknown event',
    ofType('node.done', (event) => Object.assign(event, { type: 'node.undone' })),
    'log',
    /does not match the bundle format/,
  ],
  [
    'an event with something beside',
    ofType('node.done', (event) => Object.assign(event, { more: 1 })),
    'log',
    /does not match the bundle format/,
  ],
  [
    'a step without its start',
    inLog(({ type, key }) => (type === 'step.started' && key.endsWith('/save') ? null : 0)),
    'log',
    /in the place of/,
  ],
  [
    'another attempt at the end of a step',
    ofKey('small/write[1]/model', 'step.done', ({ data }) => Object.assign(data, { attempt: 2 })),
    'steps',
    /a different attempt/,
  ],
  [
    'an input',
    ofKey('small/read[1]/search', 'step.done', ({ data }) =>
      Object.assign(data, { input: { query: 'other' } }),
    ),
    'inputs',
    /does not have the recorded hash/,
  ],
  [
    'a message',
    (opened) =>
      opened.editLines('messages.ndjson', (line) => ({
        ...line,
        text: String(line.text).replace('melt', 'boil'),
      })),
    'inputs',
    /has a different hash/,
  ],
  [
    'a message that nobody was sent',
    (opened) => opened.editLines('messages.ndjson', (line) => ({ ...line, hash: 'ab'.repeat(32) })),
    'inputs',
    /does not refer to the message/,
  ],
  [
    'which messages a model was sent',
    ofKey('small/write[1]/model', 'step.started', ({ output }) =>
      Object.assign(output, {
        messages: { ...(output.messages as object), added: ['cd'.repeat(32)] },
      }),
    ),
    'inputs',
    /not the ones that were hashed/,
  ],
  [
    'what a step cost',
    ofKey('small/write[1]/model', 'step.done', ({ data }) =>
      Object.assign(data, { usage: { ...(data.usage as object), costUsd: 0.5 } }),
    ),
    'costs',
    /its tokens cost/,
  ],
  [
    'a price',
    ofType('run.started', ({ data }) => Object.assign(data, { prices: { writer: null } })),
    'costs',
    /its price is unknown/,
  ],
  [
    'the tokens in the answer',
    (opened) =>
      opened.edit('answer.json', (answer: object) => ({ ...answer, usage: { inputTokens: 1 } })),
    'answer',
    /^answer.json, byte [\d,]+:/,
  ],
  [
    'the text of the answer',
    (opened) => opened.edit('answer.json', (answer: object) => ({ ...answer, answer: 'Nothing.' })),
    'answer',
    /^answer.json, byte 1\d:/,
  ],
  ['the prices', (opened) => opened.edit('prices.json', () => ({})), 'answer', /^prices.json/],
  ['the references', (opened) => opened.edit('csl.json', () => []), 'answer', /^csl.json/],
  [
    'no claims',
    (opened) => opened.texts.delete('claims.json'),
    'answer',
    /^claims.json: it is missing/,
  ],
  [
    'what a number stands for',
    ofKey('small/read[1]', 'node.done', ({ output }) =>
      Object.assign(output, { citations: [{ n: 1, sourceId: 'ef'.repeat(32), title: 'Other' }] }),
    ),
    'citations',
    /assigned to another source|number of another/,
  ],
  [
    'a passage that nobody read',
    ofKey('small/read[1]/search', 'step.done', ({ output }) =>
      Object.assign(output, { passages: [] }),
    ),
    'citations',
    /no step read the passage/,
  ],
  [
    'the text of a source',
    (opened) =>
      opened.edit(sourceMember(sourceId), (source: { text: string }) => ({
        ...source,
        text: source.text.replace('412', '512'),
      })),
    'sources',
    /does not have the declared hash/,
  ],
  [
    'a source of another id',
    (opened) =>
      opened.edit(sourceMember(sourceId), (member: { source: object }) => ({
        ...member,
        source: { ...member.source, id: 'ab'.repeat(32) },
      })),
    'sources',
    /belongs to another source/,
  ],
  [
    'no source',
    (opened) => opened.texts.delete(sourceMember(sourceId)),
    'sources',
    /it is missing/,
  ],
  [
    'a source that nobody cites',
    (opened) =>
      opened.texts.set(sourceMember('ab'.repeat(32)), opened.text(sourceMember(sourceId))),
    'sources',
    /cites no such source/,
  ],
  [
    'the page of a quote',
    (opened) =>
      opened
        .replaceText('"page":2', '"page":1', /^(?!manifest|sources)/)
        .replaceText('"page": 2', '"page": 1', /^(?!manifest|sources)/),
    'quotes',
    /is on page 2, not 1|is on page 1, not 2/,
  ],
  [
    'a quote',
    (opened) =>
      opened
        .replaceText('"quote":"Glimmerstone melts at 412', '"quote":"Glimmerstone melts at 512')
        .replaceText('"quote": "Glimmerstone melts at 412', '"quote": "Glimmerstone melts at 512'),
    'quotes',
    /is not in the source from/,
  ],
  [
    'a verdict',
    (opened) =>
      opened
        .replaceText('"verdict":"verbatim"', '"verdict":"supported"')
        .replaceText('"verdict": "verbatim"', '"verdict": "supported"'),
    'verdicts',
    /is recorded as supported; judged again it is verbatim/,
  ],
  [
    'the count of verdicts',
    (opened) =>
      opened
        .replaceText('"verbatim":2', '"verbatim":3')
        .replaceText('"verbatim": 2', '"verbatim": 3'),
    'coverage',
    /not the count of its claims/,
  ],
]

describe('a bundle in which somebody changed, with all hashes made right,', () => {
  it('nothing is sound', async () => {
    expect(await verify(await new OpenedBundle(bundle).bytes())).toMatchObject({ isSound: true })
    expect(await new OpenedBundle(bundle).bytes()).toEqual(bundle)
  })

  it.each(forgeries)('%s is refused', async (_what, change, found, said) => {
    const opened = new OpenedBundle(bundle)
    change(opened)
    const report = await verify(await opened.bytes())
    expect(failed(report)).toContain(found)
    expect(
      checkOf(report, found)
        .faults.map(({ text }) => text)
        .join('\n'),
    ).toMatch(new RegExp(said, 'm'))
  })

  it('source, quote, claim and answer alike is found by what a step read, or by the hash of the text', async () => {
    const opened = new OpenedBundle(bundle).replaceText('412 degrees', '512 degrees')
    const report = await verify(await opened.bytes())
    expect(failed(report)).toEqual(['sources'])
  })

  it('source, quote, claim and answer alike, with the hash of the text, is found by what a step read', async () => {
    const read = bundle.toString().match(/"text":"Glimmerstone melts at 412[^"]*"/)?.[0] ?? ''
    const opened = new OpenedBundle(bundle).replaceText(read, '@read@')
    opened.replaceText('412 degrees', '512 degrees').replaceText('@read@', read)
    opened.edit(sourceMember(sourceId), (source: { text: string }) => ({
      ...source,
      textHash: sha256(source.text),
    }))
    const report = await verify(await opened.bytes())
    expect(failed(report)).toEqual(['sources'])
    expect(faultTexts(report)).toMatch(/its text from 0 to 77 is not what was read/)
  })

  it('everything, hashes of the text too, is sound, and is not the bundle that is expected', async () => {
    const { root } = await verify(bundle)
    const opened = new OpenedBundle(bundle)
      .replaceText('412 degrees', '512 degrees')
      .edit(sourceMember(sourceId), (source: { text: string }) => ({
        ...source,
        textHash: sha256(source.text),
      }))
    const bytes = await opened.bytes()
    expect(await verify(bytes)).toMatchObject({ isSound: true, origin: 'integrity_only' })
    const report = await verify(bytes, { expect: root as string })
    expect(report).toMatchObject({ isSound: false, origin: 'refuted' })
    expect(faultTexts(report)).toMatch(/its root hash is .*, but .* was expected/)
  })
})

describe('an answer that cites', () => {
  it('without claims is left undecided', async () => {
    const opened = new OpenedBundle(bundle)
    const none = { claims: [], coverage: {} }
    ofType('run.finished', (event) => Object.assign(event.output, none))(opened)
    const report = await verify(await opened.bytes())
    expect(checkOf(report, 'verdicts')).toMatchObject({
      outcome: 'undecided',
      detail: 'The answer cites sources, but none of its claims was checked.',
    })
  })
})

describe('verdicts', () => {
  it('that another version of Scholium gave, and this one would not, are left undecided', async () => {
    const opened = new OpenedBundle(bundle)
      .replaceText('"verdict":"verbatim"', '"verdict":"supported"')
      .replaceText('"verdict": "verbatim"', '"verdict": "supported"')
    const report = await verify(await opened.bytes(), { packageVersion: '2.0.0' })
    expect(checkOf(report, 'verdicts')).toMatchObject({
      outcome: 'undecided',
      detail: '2 of 2 come out differently: judged by Scholium 1.0.0, this is 2.0.0.',
    })
    expect(checkOf(await verify(bundle, { packageVersion: '2.0.0' }), 'verdicts')).toMatchObject({
      outcome: 'passed',
      detail: '2 of 2 verdicts the same again, by Scholium 1.0.0 and by 2.0.0 now',
    })
  })

  it('of a model are the model’s', async () => {
    const opened = new OpenedBundle(bundle)
      .replaceText('"judge":"code"', '"judge":"m"')
      .replaceText('"judge": "code"', '"judge": "m"')
    const report = await verify(await opened.bytes())
    expect(checkOf(report, 'verdicts')).toMatchObject({
      outcome: 'undecided',
      detail: '0 of 2 verdicts the same again; 2 not judged again',
    })
  })
})

describe('the manifest', () => {
  const changes: readonly (readonly [string, (manifest: never) => unknown, RegExp])[] = [
    [
      'lists a member that is not there',
      (m: { members: { name: string }[] }) => ({
        ...m,
        members: [...m.members, { ...m.members[0], name: 'other.json' }],
      }),
      /other.json: it is missing/,
    ],
    [
      'does not list a member',
      (m: { members: object[] }) => ({ ...m, members: m.members.slice(1) }),
      /answer.json: the manifest does not list it/,
    ],
    [
      'has another size',
      (m: { members: { sizeBytes: number }[] }) => ({
        ...m,
        members: m.members.map((one) => ({ ...one, sizeBytes: one.sizeBytes + 1 })),
      }),
      /but the manifest says/,
    ],
    [
      'has another hash',
      (m: { members: object[] }) => ({
        ...m,
        members: m.members.map((one) => ({ ...one, sha256: 'ab'.repeat(32) })),
      }),
      /does not have the hash in the manifest/,
    ],
    [
      'lists a member twice',
      (m: { members: object[] }) => ({ ...m, members: [...m.members, m.members[0]] }),
      /lists a member twice/,
    ],
    [
      'names another run',
      (m: object) => ({ ...m, runId: 'other' }),
      /runId does not match the log/,
    ],
    ['counts other events', (m: object) => ({ ...m, events: 3 }), /events does not match the log/],
    [
      'says that a run has not ended',
      (m: object) => ({ ...m, status: 'unfinished' }),
      /status does not match the log/,
    ],
    [
      'names something else as a replaced path',
      (m: object) => ({ ...m, replacedPaths: ['e'] }),
      /replacedPaths.0 does not match the bundle format/,
    ],
    [
      'says more than it may',
      (m: object) => ({ ...m, extra: true }),
      /does not match the bundle format/,
    ],
    [
      'is of a later version',
      (m: object) => ({ ...m, schema: 'scholium.bundle/2' }),
      /the bundle has the format scholium.bundle\/2, but this version of Scholium reads scholium.bundle\/1: use a newer version/,
    ],
  ]
  it.each(changes)('that %s is refused', async (_what, change, said) => {
    const report = await verify(await new OpenedBundle(bundle).bytes(change as never))
    expect(report.isSound).toBe(false)
    expect(faultTexts(report)).toMatch(said)
  })
})
