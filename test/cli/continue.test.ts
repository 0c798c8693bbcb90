import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
const elsewhere = new CommandLine()
afterAll(() => {
  cli.remove()
  elsewhere.remove()
})
const ask = async (...args: string[]) => jsonOf(await cli.run(['ask', ...args, '--json']))

describe('ask --continue, with the built-in engine on the samples', () => {
  let first = ''
  let second = ''
  beforeAll(async () => {
    first = (await ask('What did Marie Curie win in 1903?')).runId
    second = (await ask('--continue', first, 'and in 1911?')).runId
  })

  it('asks the earlier question with what has changed', async () => {
    const shown = jsonOf(await cli.run(['runs', 'show', second, '--json']))
    expect(shown.answer).toMatchObject({
      status: 'answered',
      question: 'and in 1911?',
      answer: expect.stringContaining('The Nobel Prize in Chemistry of 1911 went to Marie Curie'),
      plan: { researchSteps: ['What did Marie Curie win in 1911?'] },
    })
  })

  it('says that the sources do not say where they do not', async () => {
    const { exitCode, stdout } = await cli.run(['ask', '--continue', first, 'and in 1920?'])
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^The sources do not say\./)
  })

  it('keeps the numbers: a source that was read before has the one that it had', async () => {
    const numbers = async (run: string) => {
      const { state } = jsonOf(
        await cli.run(['runs', 'show', run, '--state', '--at', 'verify[1]', '--json']),
      )
      return state.research.citations.map(({ title }: { title: string }) => title)
    }
    const [before, after] = [await numbers(first), await numbers(second)]
    expect(before.length).toBeGreaterThan(0)
    expect(after.slice(0, before.length)).toEqual(before)
  })

  it('is shown with the run before, and that one with those after', async () => {
    expect((await cli.run(['runs', 'show', second])).stdout).toContain(`\nContinues ${first}\n`)
    expect((await cli.run(['runs', 'show', first])).stdout).toMatch(
      new RegExp(`\\nContinued by ${second}\\b`),
    )
    expect(jsonOf(await cli.run(['runs', 'show', second, '--json']))).toMatchObject({
      continues: first,
    })
  })

  it('takes a name from the answer before for "he"', async () => {
    const who = await ask('Who discovered penicillin?')
    expect(who.answer).toMatch(/^"Alexander Fleming" \[\d+\]/)
    const next = await ask('--continue', 'last', 'Which prize did he win?')
    expect(next.plan.researchSteps).toEqual(['Which prize did Alexander Fleming win?'])
  })

  it('stands on its own: replayed, exported and verified when the run before is gone', async () => {
    const parent = (await ask('What is the half-life of caffeine?')).runId
    const child = (await ask('--continue', 'last', 'and in pregnancy?')).runId
    expect((await cli.run(['runs', 'remove', parent])).exitCode).toBe(0)
    const replayed = await cli.run(['replay', child])
    expect(replayed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^identical: yes/),
    })
    await cli.run(['export', child, 'child.scholium'])
    elsewhere.write('child.scholium', readFileSync(join(cli.folder, 'child.scholium')))
    const verified = await elsewhere.run(['verify', 'child.scholium'])
    expect(verified).toMatchObject({ exitCode: 0 })
    const third = await ask('--continue', child, 'and how does smoking change it?')
    expect(third.status).toBe('answered')
  })
})

describe('what a question keeps', () => {
  it('comes before configuration files, and after the command line', async () => {
    const first = await ask('What is 2 + 2?', '--claims', 'off')
    cli.write('scholium.yaml', 'claims: strict\nretryLimit: 3\n')
    const inputOf = async (...args: string[]) => {
      const { runId } = await ask('--continue', first.runId, ...args)
      const { stdout } = await cli.run(['runs', 'show', runId, '--events'])
      return JSON.parse(stdout.split('\n')[0] ?? '').output
    }
    expect(await inputOf('What is 3 + 3?')).toMatchObject({ claims: 'off', retryLimit: 3 })
    expect(await inputOf('What is 3 + 3?', '--claims', 'mark')).toMatchObject({ claims: 'mark' })
    cli.write('scholium.yaml', '')
  })
})

describe('the web and the order of a question before', () => {
  const inputOf = async (run: string, ...args: string[]) => {
    const { runId } = await ask('--continue', run, 'What is 3 + 3?', ...args)
    const { stdout } = await cli.run(['runs', 'show', runId, '--events'])
    return JSON.parse(stdout.split('\n')[0] ?? '').output
  }

  it('are kept until the command line says otherwise, the web where it is granted again', async () => {
    const { runId } = await ask('What is 2 + 2?', '--web', '--sequential')
    expect(await inputOf(runId)).toMatchObject({ web: false, sequential: true })
    const { stderr } = await cli.run(['ask', '--continue', runId, 'What is 3 + 3?'])
    expect(stderr).toContain(`Run ${runId} had web access; this one does not.`)
    mkdirSync(join(cli.folder, 'config', 'scholium'), { recursive: true })
    cli.write('config/scholium/scholium.yaml', 'web: true\n')
    expect(await inputOf(runId)).toMatchObject({ web: true, sequential: true })
    cli.write('config/scholium/scholium.yaml', '')
    const options = ['--no-web', '--no-sequential']
    expect(await inputOf(runId, ...options)).toMatchObject({ web: false, sequential: false })
  })

  it('are kept but for a web that was switched off in the meantime, unless it is asked for', async () => {
    const { runId } = await ask('What is 2 + 2?', '--web')
    cli.write('scholium.yaml', 'web: false\n')
    expect(await inputOf(runId)).toMatchObject({ web: false })
    expect(await inputOf(runId, '--web')).toMatchObject({ web: true })
    cli.write('scholium.yaml', '')
  })
})

describe('a run from which no question can continue', () => {
  it('is one that waits: it says how to finish it', async () => {
    const waiting = await cli.run([
      'ask',
      'What does CRISPR stand for?',
      '--approve-plan',
      '--json',
    ])
    const { runId } = jsonOf(waiting)
    const { exitCode, stderr } = await cli.run(['ask', '--continue', runId, 'and why?'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`Run ${runId} has not ended`)
    expect(stderr).toContain(`Finish it first: scholium resume ${runId}`)
  })

  it('is one that is not there', async () => {
    const { exitCode, stderr } = await cli.run(['ask', '--continue', 'zzzz', 'and why?'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('There is no run "zzzz".')
  })
})
