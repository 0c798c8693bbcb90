import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf, linesOf } from './command.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())
const question = 'What does CRISPR stand for?'
let runId = ''
beforeAll(async () => {
  runId = jsonOf(await cli.run(['ask', question, '--json'])).runId
})

describe('runs', () => {
  it('are listed, as a table and as JSON', async () => {
    const { stdout } = await cli.run(['runs', 'list'])
    expect(stdout).toMatch(
      new RegExp(
        `^RUN +WHEN +STATUS +WORKFLOW +QUESTION\n${runId}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  answered  ask`,
      ),
    )
    expect(stdout).toContain(question)
    expect(jsonOf(await cli.run(['runs', 'list', '--json', '--limit', '1']))).toMatchObject([
      { runId, status: 'answered' },
    ])
  })

  it('are shown with their answer and how long each node took', async () => {
    const { exitCode, stdout } = await cli.run(['runs', 'show', 'last'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain(`Run       ${runId}\n`)
    expect(stdout).toContain('clustered regularly')
    expect(stdout).toMatch(/\nNODE +TIME +CALLS\n/)
    expect(stdout).toMatch(/\nplanner\[1\] +[\d.]+ m?s +1 model call\n/)
    const shown = jsonOf(await cli.run(['runs', 'show', runId.slice(-6), '--json']))
    expect(shown).toMatchObject({
      runId,
      status: 'answered',
      answer: { schema: 'scholium.answer/1' },
    })
    expect(shown.timeline.map(({ node }: { node: string }) => node)).toContain('verify[1]')
  })

  it('show their log as JSON lines without a gap', async () => {
    const events = linesOf(await cli.run(['runs', 'show', runId, '--events']))
    expect(events[0]).toMatchObject({ seq: 1, type: 'run.started', output: { question } })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' })
  })

  it('stop quietly when the reader goes away', async () => {
    const { child, outcome } = cli.start(['runs', 'show', runId, '--events'])
    child.stdout?.destroy()
    expect(await outcome).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it('are replayed: identical, without a call', async () => {
    const { exitCode, stdout } = await cli.run(['replay', runId])
    expect(stdout).toMatch(/^identical: yes, \d+ steps, 0 model calls, \d+ ms\n$/)
    expect(exitCode).toBe(0)
    expect(jsonOf(await cli.run(['replay', runId, '--json']))).toMatchObject({
      runId,
      isIdentical: true,
      differences: [],
    })
  })

  it('fail to replay where a step is gone from the log, and name it', async () => {
    const other = jsonOf(await cli.run(['ask', question, '--json'])).runId
    const log = new DatabaseSync(join(cli.folder, 'home', 'runs.db'))
    const [step] = log
      .prepare(
        "SELECT key FROM events WHERE run_id = ? AND type = 'step.done' AND key LIKE '%search_library%'",
      )
      .all(other)
    log.prepare('DELETE FROM events WHERE run_id = ? AND key = ?').run(other, String(step?.key))
    log.close()
    const { exitCode, stdout, stderr } = await cli.run(['replay', other])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain(String(step?.key))
    await cli.run(['runs', 'remove', other])
  })

  it('give their recorded answer when they are resumed after their end', async () => {
    const resumed = await cli.run(['resume', runId, '--json'])
    expect(jsonOf(resumed)).toMatchObject({ runId, status: 'answered' })
    expect(resumed.exitCode).toBe(0)
    const [only, ...others] = linesOf(
      await cli.run(['resume', runId, '--output-format', 'stream-json']),
    )
    expect(only).toMatchObject({ type: 'result', runId })
    expect(others).toEqual([])
  })

  it('are removed for good', async () => {
    expect(await cli.run(['runs', 'remove', runId])).toMatchObject({
      exitCode: 0,
      stdout: `1 run removed: ${runId}\n`,
    })
    expect(jsonOf(await cli.run(['runs', 'list', '--json']))).toEqual([])
  })
})
