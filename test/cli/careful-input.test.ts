import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CommandLine } from './command.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())

describe('what cannot be meant', () => {
  it.each([
    [['ask', 'What is it?', '--source', ''], 'Invalid value for --source: "".'],
    [['library', 'add', ''], 'The path is empty.'],
    [['library', 'list', '--home', ' '], 'Invalid value for --home: " ".'],
    [['papers', 'Owls', '--web', '--no-web'], '--web and --no-web cannot be combined.'],
    [['ask', 'What?', '--mcp', '--no-mcp'], '--mcp and --no-mcp cannot be combined.'],
  ])('is refused: %s', async (args, said) => {
    const { exitCode, stderr } = await cli.run(args)
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(said)])
  })

  it('is a file that is no text in the place of a question', async () => {
    cli.write('trial.pdf', new Uint8Array([...Buffer.from('%PDF-1.7\n'), 0xe2, 0xe3, 0, 1]))
    const { exitCode, stderr } = await cli.run(['ask', '@trial.pdf'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('The question file trial.pdf is not a text file.')
    expect(stderr).toContain('--source trial.pdf')
  })
})

describe('a plan that is refused', () => {
  it('leaves no sign of work that was done after it', async () => {
    await cli.run(['ask', '--approve-plan', 'What is CRISPR?'])
    const { stdout } = await cli.run(['resume', 'last', '--answer', 'refuse'])
    expect(stdout).toContain('ask again with --approve-plan')
  })
})

describe('ask', () => {
  it('says in one line that no language model answered, and with -q says nothing of it', async () => {
    const said = 'not a language model'
    const question = 'What does CRISPR stand for?'
    const told = (await cli.run(['ask', question])).stdout
    expect(told.split('\n').filter((line) => line.includes(said))).toHaveLength(1)
    const quiet = (await cli.run(['ask', question, '-q'])).stdout
    expect(quiet).toContain('CRISPR')
    expect(quiet).not.toContain(said)
  })
})

describe('library add, off a terminal', () => {
  it('sums up what comes after fifty files', async () => {
    mkdirSync(join(cli.folder, 'many'))
    for (let n = 0; n < 230; n++)
      writeFileSync(join(cli.folder, 'many', `${n}.md`), `# Page ${n}\n\nIt says ${n}.\n`)
    const { exitCode, stderr } = await cli.run(['library', 'add', 'many'])
    expect(exitCode).toBe(0)
    const lines = stderr.trimEnd().split('\n')
    expect(lines.length).toBe(52)
    expect(lines.at(-1)).toContain('200 files · 200 added')
  }, 60_000)
})
