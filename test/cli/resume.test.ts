import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf, linesOf, thorough } from './command.ts'

const cli = new CommandLine(thorough)
afterAll(() => cli.remove())
const question = 'What does CRISPR stand for?'

describe('resume of a run that has ended', () => {
  let runId = ''
  beforeAll(async () => {
    runId = jsonOf(await cli.run(['ask', question, '--json'])).runId
  })

  it('says that nothing was done, what had no effect, and what would have one', async () => {
    const { exitCode, stderr } = await cli.run([
      ...['resume', runId, '--model', 'extractive', '--answer', 'yes'],
      ...['--max-steps', '50', '--trace-file', 'trace.jsonl'],
    ])
    expect(exitCode).toBe(0)
    expect(stderr).toBe(
      `Run ${runId} has already ended: nothing was done, and --model, --max-steps, --trace-file, --answer had no effect. To continue differently, fork it: scholium fork ${runId} --model extractive\n`,
    )
  })

  it('says nothing to who asks for quiet and for nothing else', async () => {
    expect(await cli.run(['resume', runId, '-q'])).toMatchObject({ exitCode: 0, stderr: '' })
  })
})

describe('a limit', () => {
  it.each([
    ['--max-steps', '4'],
    ['--max-seconds', '0.0001'],
  ])(
    '%s %s is named where it ends a run, with one that suffices for the next call',
    async (option, amount) => {
      const { exitCode, stderr } = await cli.run(['ask', question, option, amount])
      expect(exitCode).toBe(3)
      const [, runId, more] =
        new RegExp(
          `^To continue with a higher limit: scholium resume (\\S+) ${option} (\\d+)$`,
          'm',
        ).exec(stderr) ?? []
      expect(Number(more)).toBeGreaterThan(Number(amount))
      const args = ['resume', String(runId), option, amount, '--json']
      const same = await cli.run(args)
      expect(same.exitCode).toBe(3)
      expect(same.stderr).toContain(
        `Run ${runId} was stopped by a limit that has not been raised: nothing was done, and ${option} had no effect.`,
      )
      expect(same.stderr).toContain(`scholium resume ${runId} ${option} ${more}`)
      const raised = [
        'resume',
        String(runId),
        option,
        String(more),
        '--output-format',
        'stream-json',
      ]
      const types = linesOf(await cli.run(raised)).map(({ type }) => type)
      expect(types).toContain('run.resumed')
      const { stdout } = await cli.run(['runs', 'show', String(runId)])
      const calls = [...stdout.matchAll(/(\d+) model calls?(?:, | of|\n)/g)].map(([, n]) =>
        Number(n),
      )
      const [, total = ''] = /· (\d+) model calls/.exec(stdout) ?? []
      expect(calls.reduce((sum, n) => sum + n, 0)).toBe(Number(total))
    },
  )

  it('of a part of a second is one', async () => {
    const { stdout } = await cli.run(['ask', question, '--max-seconds', '0.0001', '--json'])
    expect(JSON.parse(stdout).gaps[0].detail).toContain('The limit is 0.001 s of work')
  })

  it('that cut a node off leaves its calls next to the table of nodes, once it was done again', async () => {
    const args = ['ask', question, '--max-steps', '6', '--json']
    const { runId } = JSON.parse((await cli.run(args)).stdout)
    await cli.run(['resume', runId, '--max-steps', '50', '-q'])
    expect((await cli.run(['runs', 'show', runId])).stdout).toMatch(
      /^Not included: 1 model call, 1 tool call in nodes that were redone or did not finish\.$/m,
    )
    // The place before a node that was done again is the one that counts.
    const events = linesOf(await cli.run(['runs', 'show', runId, '--events']))
    const resumed = events.find(({ type }) => type === 'run.resumed')
    const shown = ['runs', 'show', runId, '--at', 'verify[1]', '--json']
    expect(jsonOf(await cli.run(shown)).upTo.seq).toBeGreaterThan(resumed.seq)
  })
})
