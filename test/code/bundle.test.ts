import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { packageVersion } from '../../src/app/version.ts'
import { bundledWorkflows } from '../../src/app/workflows/workflow-registry.ts'
import { verifyBundle } from '../../src/app.ts'
import type { JsonObject } from '../../src/kernel/json.ts'
import type { RunEvent } from '../../src/kernel/run/event.ts'
import { memberText } from '../../src/observe/bundle/canonical.ts'
import { deriveAnswer, derivedMembers, RunFacts } from '../../src/observe/bundle/run-facts.ts'
import { checkOf, faultTexts, OpenedBundle, verify } from '../bundle/opened.ts'
import { call, SessionWorld } from './session-world.ts'

let world: SessionWorld
afterEach(() => world.close())

/** A session of two requests, one taken back, and a failed one; exported, or another one that continues it. */
async function exported(isFork = false): Promise<string> {
  world = new SessionWorld({ 'a.txt': 'one\n', 'b.txt': 'one\n' })
  const app = await world.app()
  const first = await app.code({ settings: { isYolo: true } })
  world.say([
    call('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' }),
    { text: 'a is two.' },
    call('edit', { path: 'b.txt', old_text: 'one', new_text: 'two' }),
    call('bash', { command: 'echo done' }),
    { text: 'b is two.' },
    { status: 400, body: { error: { message: 'no' } } },
  ])
  await first.send('a')
  await first.slash('/undo')
  await first.send('b')
  await first.send('c')
  await first.finish()
  let { runId } = first
  if (isFork) {
    const again = await app.code({ resume: runId })
    world.say([{ text: 'gone on' }])
    await again.send('go on')
    await again.finish()
    runId = again.runId
  }
  const file = join(world.root, 'session.scholium')
  await app.exportRun(runId, { file })
  return file
}

/** The bundle with another log, and all that follows from it made right. */
async function forged(
  file: string,
  change: (line: JsonObject) => JsonObject | undefined,
): Promise<Uint8Array> {
  const opened = new OpenedBundle(readFileSync(file))
  const events: RunEvent[] = []
  opened.editLines('log.ndjson', (line) => {
    const changed = change(line)
    if (changed !== undefined) events.push(changed as unknown as RunEvent)
    return changed
  })
  const facts = new RunFacts(bundledWorkflows)
  for (const event of events) facts.record(event)
  const all = (async function* () {
    yield* events
  })()
  for (const [name, value] of Object.entries(derivedMembers(facts, await deriveAnswer(facts, all))))
    opened.texts.set(name, memberText(value))
  return opened.bytes()
}

const ofResult = (change: (result: JsonObject) => JsonObject) => (line: JsonObject) =>
  line.type === 'run.finished' ? { ...line, output: change(line.output as JsonObject) } : line
const resultCheck = async (bytes: Uint8Array) => {
  const report = await verify(bytes, { packageVersion })
  return { outcome: checkOf(report, 'result').outcome, text: faultTexts(report) }
}

describe('the bundle of a session', () => {
  it.each([false, true])('is sound, its result drawn again (fork: %s)', async (isFork) => {
    const file = await exported(isFork)
    const report = await verifyBundle(file)
    expect(faultTexts(report)).toBe('')
    const open = report.checks.filter(({ outcome }) => outcome !== 'passed')
    expect(open.map(({ name }) => name)).toEqual(['origin'])
    expect(checkOf(report, 'result').detail).toContain('answer')
    const answer = JSON.parse(new OpenedBundle(readFileSync(file)).text('answer.json'))
    expect(answer).toMatchObject({
      schema: 'scholium.code/1',
      workflow: 'code',
      filesChanged: ['b.txt'],
      requests: isFork ? 4 : 3,
    })
  })

  it('with another result is found out, all hashes made right', async () => {
    const file = await exported()
    expect(await resultCheck(await forged(file, (line) => line))).toMatchObject({
      outcome: 'passed',
    })
    const forgeries: JsonObject = {
      answer: 'All is well.',
      stopReason: 'answer',
      requests: 2,
      filesRead: [],
      filesChanged: [],
      commands: ['echo other'],
      refused: [{ toolName: 'bash', title: 'x', reason: 'x', rules: [] }],
      failure: null,
      messages: [],
    }
    for (const [field, value] of Object.entries(forgeries)) {
      const bytes = await forged(
        file,
        ofResult((result) => ({ ...result, [field]: value })),
      )
      const { outcome, text } = await resultCheck(bytes)
      expect([field, outcome]).toEqual([field, 'failed'])
      expect(text).toContain(`its ${field} does not match the log`)
    }
  })

  it('with ends of turns that are none, or without the last one, is found out', async () => {
    const file = await exported()
    const isEnd = ({ type, key }: JsonObject) => type === 'node.done' && key === 'code/turn[1]'
    const broken = await forged(file, (line) => (isEnd(line) ? { ...line, output: {} } : line))
    expect((await resultCheck(broken)).text).toContain('the state it is based on is invalid')
    const endless = await forged(file, (line) => {
      const { type, output } = line
      const isLast = type === 'node.done' && (output as JsonObject | undefined)?.kind === 'end'
      return isLast ? { ...line, output: { ...(output as JsonObject), kind: 'settings' } } : line
    })
    expect((await resultCheck(endless)).text).toContain('the turn that ended the session')
  })
})
