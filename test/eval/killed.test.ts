import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { scriptTeam } from '../../src/testing/scripted-team.ts'
import { CommandLine, jsonOf, linesOf, type Started } from '../cli/command.ts'

const cli = new CommandLine()
let model: ScriptedModel
/** From which request on nothing is answered, and how many wait since. */
let silentFrom = Number.POSITIVE_INFINITY
let unanswered = 0
beforeAll(async () => {
  const team = scriptTeam()
  model = await startScriptedModel((seen) => {
    if (seen.number < silentFrom) return team(seen)
    unanswered++
    return { hang: true }
  })
})
afterAll(async () => {
  await model.close()
  cli.remove()
})

const count = 5
const concurrency = 2
/** Questions with sources of their own, none of which asks a model what another one asks. */
function writeSet(name: string): void {
  const records = Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    question: `What is the colour of the ${name} bird number ${index}?`,
    answer: 'blue',
    context: `The colour of the ${name} bird number ${index} is blue. It sings.`,
  }))
  cli.write(`${name}.jsonl`, records.map((record) => JSON.stringify(record)).join('\n'))
}

const start = (name: string) =>
  cli.start(
    [
      'eval',
      `${name}.jsonl`,
      '--model',
      'openai-compatible:scripted',
      '--json',
      '--concurrency',
      String(concurrency),
    ],
    { env: { OPENAI_BASE_URL: model.url } },
  )
const linesIn = (name: string, file: string) =>
  linesOf({ stdout: readFileSync(join(cli.folder, `eval-${name}`, file), 'utf8') })

/** Starts the evaluation and waits until every worker waits for a model that says nothing any more, after so many answers. */
async function startUntilSilent(name: string, answers: number): Promise<Started> {
  unanswered = 0
  silentFrom = model.requests.length + answers + 1
  const started = start(name)
  const ended = started.outcome.then((outcome) => {
    throw new Error(`It ended before it was interrupted: ${JSON.stringify(outcome)}`)
  })
  while (unanswered < concurrency) await Promise.race([sleep(5), ended])
  silentFrom = Number.POSITIVE_INFINITY
  return started
}

/** How often each call since `before` was answered, of those that were answered more than once. */
function repeated(before: ReadonlyMap<string, number>): readonly number[] {
  return [...model.answered].flatMap(([hash, times]) => {
    const since = times - (before.get(hash) ?? 0)
    return since > 1 ? [since] : []
  })
}

describe('an evaluation that is killed', () => {
  it('with SIGKILL, again and again, answers no question twice and pays no finished call again', async () => {
    writeSet('killed')
    const before = new Map(model.answered)
    for (const answers of [0, 1, 3, 5, 7]) {
      const { child, outcome } = await startUntilSilent('killed', answers)
      child.kill('SIGKILL')
      await outcome
    }
    const noted = linesIn('killed', 'runs.jsonl')
    const { exitCode, stdout } = await start('killed').outcome
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      done: count,
      sets: [{ statuses: { answered: count } }],
    })

    expect(repeated(before)).toEqual([])
    const results = linesIn('killed', 'results.jsonl')
    expect(results.map(({ id }) => id).toSorted()).toEqual(['q0', 'q1', 'q2', 'q3', 'q4'])
    // Each question has one run from its beginning to its end, and there is no other run.
    const runs = linesIn('killed', 'runs.jsonl')
    expect(runs.slice(0, noted.length)).toEqual(noted)
    expect(runs).toHaveLength(count)
    expect(new Map(results.map(({ id, runId }) => [id, runId]))).toEqual(
      new Map(runs.map(({ id, runId }) => [id, runId])),
    )
    const listed: { runId: string }[] = jsonOf(await cli.run(['runs', 'list', '--json']))
    expect(listed.map(({ runId }) => runId).toSorted()).toEqual(
      runs.map(({ runId }) => runId).toSorted(),
    )
    expect((await cli.run(['replay', runs[0].runId])).stdout).toMatch(/^identical: yes/)
  }, 60_000)

  it('between the end of a run and the note of it takes the recorded answer', async () => {
    writeSet('unnoted')
    expect((await start('unnoted').outcome).exitCode).toBe(0)
    const path = join(cli.folder, 'eval-unnoted', 'results.jsonl')
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    // The last line is torn, as a power cut leaves it; the one before it was never written.
    writeFileSync(path, `${lines.slice(0, -2).join('\n')}\n${lines.at(-1)?.slice(0, 40)}`)
    const before = model.requests.length
    const { exitCode, stdout } = await start('unnoted').outcome
    expect({ exitCode, asked: model.requests.length - before }).toEqual({ exitCode: 0, asked: 0 })
    expect(JSON.parse(stdout)).toMatchObject({ done: count })
    const again = readFileSync(path, 'utf8').trimEnd().split('\n')
    expect(again.toSorted()).toEqual(lines.toSorted())
  }, 60_000)

  it('after its note and before its run begins the run under the id that was noted', async () => {
    writeSet('noted')
    const { child, outcome } = await startUntilSilent('noted', 0)
    child.kill('SIGKILL')
    await outcome
    const path = join(cli.folder, 'eval-noted', 'runs.jsonl')
    appendFileSync(path, `${JSON.stringify({ id: 'q4', runId: '20261120-noted4' })}\n{"id":"q3"`)
    expect((await start('noted').outcome).exitCode).toBe(0)
    const q4 = linesIn('noted', 'results.jsonl').find(({ id }) => id === 'q4')
    expect(q4).toMatchObject({ runId: '20261120-noted4', status: 'answered' })
  }, 60_000)

  it('before the first event of a run begins that run anew', async () => {
    writeSet('unbegun')
    const { child, outcome } = await startUntilSilent('unbegun', 0)
    child.kill('SIGKILL')
    await outcome
    const runId = '20261120-unbegn'
    const store = openRunStore(join(cli.folder, 'home', 'runs.db'))
    await store.create(
      { runId, workflow: 'ask', title: 'x', createdAt: 0 },
      { bootId: 'another', pid: 1, processStart: '1' },
    )
    await store.release({ runId, epoch: 1 }, 'running')
    await store.close()
    const path = join(cli.folder, 'eval-unbegun', 'runs.jsonl')
    appendFileSync(path, `${JSON.stringify({ id: 'q4', runId })}\n`)
    expect((await start('unbegun').outcome).exitCode).toBe(0)
    const q4 = linesIn('unbegun', 'results.jsonl').find(({ id }) => id === 'q4')
    expect(q4).toMatchObject({ runId, status: 'answered' })
  }, 60_000)

  it('by Ctrl-C says how to continue, and continues', async () => {
    writeSet('interrupted')
    const before = new Map(model.answered)
    const { child, outcome } = await startUntilSilent('interrupted', 8)
    child.kill('SIGINT')
    const ended = await outcome
    expect(ended.exitCode).toBe(130)
    expect(ended.stderr).toMatch(
      /Interrupted\. \d of 5 questions are finished; results are in eval-interrupted\. Run the same command again/,
    )
    expect(jsonOf(ended)).toMatchObject({ error: { code: 'cancelled' }, total: count })
    const page = readFileSync(join(cli.folder, 'eval-interrupted', 'report.html'), 'utf8')
    expect(page).toContain(' so far')
    const { exitCode, stdout } = await start('interrupted').outcome
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ done: count })
    expect(repeated(before)).toEqual([])
  }, 60_000)

  it('is not worked on by two processes at once', async () => {
    writeSet('shared')
    const { child, outcome } = await startUntilSilent('shared', 2)
    const second = await start('shared').outcome
    expect(second).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(`Another process (${child.pid}) is using this folder.`),
    })
    child.kill('SIGKILL')
    await outcome
    expect((await start('shared').outcome).exitCode).toBe(0)
  }, 60_000)
})
