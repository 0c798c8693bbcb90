import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TestTeam } from './team.ts'

const full = new TestTeam()
const empty = new TestTeam()
beforeAll(async () => {
  await full.open()
  await empty.open()
  for (const { path = '' } of await empty.library.list()) await empty.library.unlist(path)
  for (const { folder } of [full, empty]) {
    writeFileSync(join(folder, 'broken.docx'), Buffer.from('PK\u0003\u0004broken'))
    writeFileSync(
      join(folder, 'whole.md'),
      '# Stone\n\nGlimmerstone melts at 412 degrees Celsius.\n',
    )
  }
})
afterAll(() => Promise.all([full.close(), empty.close()]))

const question = 'At what temperature does glimmerstone melt?'
const warnings = (events: Awaited<ReturnType<TestTeam['events']>>) =>
  events.filter((event) => event.type === 'notice').filter(({ data }) => data.level === 'warning')

describe('sources of which none can be read, over an empty library', () => {
  it('end the question before a model is asked, and say why', async () => {
    const broken = join(empty.folder, 'broken.docx')
    const { result, requests, events, runId } = await empty.ask(question, { files: [broken] })
    expect(requests).toEqual([])
    expect(result).toMatchObject({
      status: 'unanswered',
      stopReason: 'no_evidence',
      answer: 'None of the sources could be read.',
      gaps: [{ kind: 'unreadable_source', source: broken }],
      error: null,
    })
    expect(warnings(events)).toMatchObject([{ data: { text: expect.stringContaining(broken) } }])
    const replay = await empty.replay(runId)
    expect(replay.result).toEqual(replay.recorded)
  })
})

describe('a source that cannot be read next to others', () => {
  it.each([
    ['of the question', empty, ['broken.docx', 'whole.md']],
    ['in the library', full, ['broken.docx']],
  ] as const)('%s is told at once, and the rest is asked', async (_where, team, names) => {
    const files = names.map((name) => join(team.folder, name))
    const { result, events, requests } = await team.ask(question, { files })
    expect(requests.length).toBeGreaterThan(0)
    expect(result.status).toBe('answered')
    const [warning, ...others] = warnings(events)
    expect(others).toEqual([])
    expect(warning?.data.text).toContain(`${files[0]}: `)
    const firstCall = events.find(({ type, key }) => type === 'step.started' && /planner/.test(key))
    expect(warning?.seq).toBeLessThan(firstCall?.seq ?? 0)
  })
})

describe('an answer', () => {
  it('says for programs what failed, what to do, and whether continuing can help', async () => {
    const { result } = await full.ask(question, { team: { planner: { status: 401 } } })
    expect(result).toMatchObject({
      status: 'failed',
      error: {
        code: 'model_failed',
        message: expect.stringContaining('refused the key (401)'),
        hint: expect.stringContaining('OPENAI_API_KEY'),
        retryable: true,
      },
    })
    expect((await full.ask(question)).result.error).toBeNull()
  })
})
