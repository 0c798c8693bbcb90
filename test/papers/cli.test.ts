import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/index.ts'
import { CommandLine, jsonOf, linesOf } from '../cli/command.ts'
import { paperPdf } from './paper-pdf.ts'
import { scriptPapers } from './paper-script.ts'
import { sparseAttentionPapers } from './served-papers.ts'

const topic = 'sparse attention memory'
const asked = ['papers', topic, '--source', 'pdfs']

let line: CommandLine
beforeEach(() => {
  line = new CommandLine()
  addPdfs(0, 3)
})
afterEach(() => line.remove())

/** Puts PDFs of papers into the folder `pdfs`. */
function addPdfs(from: number, to: number, folder = 'pdfs'): void {
  mkdirSync(join(line.folder, folder), { recursive: true })
  for (const paper of sparseAttentionPapers.slice(from, to))
    line.write(join(folder, `${paper.arxivId}.pdf`), paperPdf(paper))
}

function read(name: string): string {
  return readFileSync(join(line.folder, name), 'utf8')
}

describe('scholium papers, offline on a folder of PDFs', () => {
  it('prints summary, papers, references and figures, and tells on stderr where each paper is', async () => {
    const { exitCode, stdout, stderr } = await line.run(asked)
    expect([exitCode, stderr]).toEqual([0, expect.any(String)])
    expect(stdout).toMatch(/\[1\]/)
    expect(stdout).toMatch(/TITLE +AUTHORS +DATE +ID +STATUS +CONFIDENCE/)
    expect(stdout).toContain('Block Sparse Attention for Long Documents')
    expect(stdout).toMatch(/\nReferences\n\[1\] /)
    expect(stdout).toMatch(/3 papers, \d used · \d+ passages analysed · .* · \$0\.0000/)
    expect(stdout).toContain('not a language model')
    for (const words of ['Searching files.', 'files: 3 papers.', 'Reading “', 'Analysing “'])
      expect(stderr).toContain(words)
    expect(stderr).toMatch(/Analysed .*, confidence \d\.\d\d\./)
  })

  it('says the same of a file whether it was read before or not', async () => {
    const [paper] = sparseAttentionPapers
    const stamped = {
      ...paper,
      abstract: `arXiv:2304.02623v1 [cs.CL] 5 Apr 2023. ${paper?.abstract}`,
    }
    mkdirSync(join(line.folder, 'stamped'))
    line.write(join('stamped', 'saved.pdf'), paperPdf(stamped as never))
    const told = async (...more: string[]) => {
      const { stdout } = await line.run([
        'papers',
        topic,
        '--source',
        'stamped',
        '--fresh',
        ...more,
      ])
      return stdout
    }
    const rowIn = (text: string) => /^\[1\] .* kept .*$/m.exec(text)?.[0]
    const first = await told('--matrix', 'first.csv')
    const second = await told('--matrix', 'second.csv')
    expect(rowIn(first)).toMatch(/ 2023-04-05 +arxiv:2304\.02623 /)
    expect(rowIn(second)).toBe(rowIn(first))
    expect(read('first.csv')).toContain('"arxiv:2304.02623"')
    expect(read('second.csv')).toBe(read('first.csv'))
  })

  it('writes report, page, matrix and references into new files', async () => {
    const files = ['report.md', 'report.html', 'matrix.csv', 'refs.bib']
    const [md = '', html = '', csv = '', bib = ''] = files
    const options = ['--report', md, '--report', html, '--matrix', csv, '--references', bib]
    const { exitCode, stderr } = await line.run([...asked, ...options])
    expect(exitCode).toBe(0)
    for (const file of files) expect(stderr).toContain(`Written: ${file}`)
    expect(read(md)).toContain('Block Sparse Attention')
    expect(read(html)).toMatch(/^<!doctype html>/i)
    expect(read(csv)).toContain('Block Sparse Attention')
    expect(read(bib)).toMatch(/^@\w+\{/)
    const again = await line.run([...asked, '--report', md])
    expect(again).toMatchObject({ exitCode: 2, stdout: '' })
    expect(again.stderr).toContain('already exists')
  })

  it('gives the earlier result for the same, says so, and works anew with --fresh', async () => {
    const first = jsonOf(await line.run([...asked, '--json']))
    const again = await line.run(['papers', `${topic}?`, '--source', 'pdfs'])
    expect(again.exitCode).toBe(0)
    expect(again.stdout).toContain(`this is the result of run ${first.runId}`)
    expect(again.stdout).toContain('--fresh')
    const fresh = jsonOf(await line.run([...asked, '--fresh', '--json']))
    expect(fresh.runId).not.toBe(first.runId)
    expect(fresh.reused).toBeUndefined()
  })

  it('continues from a run with more, and shows both in the list', async () => {
    const first = jsonOf(await line.run([...asked, '--json']))
    addPdfs(3, 4, 'more')
    const second = await line.run(['papers', '--continue', 'last', '--add', 'more', '--json'])
    expect(second.exitCode).toBe(0)
    const answer = jsonOf(second)
    expect(answer.papers.map(({ n }: { n: number }) => n)).toEqual([1, 2, 3, 4])
    expect(second.stderr.match(/Analysing/g)).toHaveLength(1)
    const { stdout } = await line.run(['runs', 'show', answer.runId])
    expect(stdout).toContain(`Continues ${first.runId}`)
    expect(stdout).toContain('Topic     sparse attention memory')
  })

  it('gives every event and the result as lines of JSON', async () => {
    const lines = linesOf(await line.run([...asked, '--output-format', 'stream-json']))
    expect(lines.some(({ data }) => data?.paper?.status === 'analysing')).toBe(true)
    expect(lines.at(-1)).toMatchObject({ type: 'result', schema: 'scholium.papers/1' })
  })

  it('is replayed, forked, exported and verified', async () => {
    const { runId } = jsonOf(await line.run([...asked, '--json']))
    const replay = await line.run(['replay', runId])
    expect(replay.stdout).toContain('identical: yes')
    const fork = await line.run([
      'fork',
      runId,
      '--at',
      'filter[1]',
      '--set',
      'threshold=0',
      '--json',
    ])
    expect(jsonOf(fork).papers).toHaveLength(3)
    await line.run(['export', runId, 'run.scholium'])
    const verified = await line.run(['verify', 'run.scholium'])
    expect([verified.exitCode, verified.stdout]).toEqual([0, expect.stringContaining('Sound')])
    const references = await line.run(['references', runId, '--format', 'ris'])
    expect(references.stdout).toContain('TY  - ')
  })

  it('says where it looked when there is nothing, and how to let it search arXiv', async () => {
    const { exitCode, stdout } = await line.run(['papers', 'glimmerstone'])
    expect(exitCode).toBe(3)
    expect(stdout).toContain('library')
    expect(stdout).toContain('--web')
  })

  it.each([
    [['papers'], 'No topic was given.'],
    [['papers', topic, '--add', 'x.pdf'], '--continue'],
    [['papers', topic, '--source', 'nowhere'], 'nowhere'],
    [['papers', topic, '-n', '0'], '1 to 20'],
    [['papers', topic, '-n', '21'], 'Invalid value for -n (--count): "21".'],
    [['papers', topic, '--concurrency', '17'], '1 to 16'],
    [['papers', topic, '--threshold', '2'], '0 to 1'],
    [['papers', topic, '--report', 'report.pdf'], '.html'],
    [['papers', topic, '--matrix', 'nowhere/m.csv'], 'folder does not exist'],
    [['papers', topic, '--mcp-arxiv', 'arxiv'], 'MCP'],
    [['papers', topic, '--claims', 'loose'], 'mark, strict, off'],
    [['papers', '--continue', 'last'], 'no run "last"'],
  ])('%j ends with exit code 2 and a way on', async (args, words) => {
    const { exitCode, stdout, stderr } = await line.run(args)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(words)
  })

  it('is in the help, with its options', async () => {
    expect((await line.run(['--help'])).stdout).toContain('papers')
    const { stdout } = await line.run(['papers', '--help'])
    for (const words of ['--category', '-n', '--mcp-arxiv', '--report', '--matrix', '--fresh'])
      expect(stdout).toContain(words)
  })
})

describe('scholium papers with a language model', () => {
  let model: ScriptedModel
  beforeEach(async () => {
    model = await startScriptedModel(scriptPapers())
  })
  afterEach(() => model.close())

  const withModel = [...asked, '--model', 'openai-compatible:scripted']

  it('prints each point with its pages', async () => {
    const env = { OPENAI_BASE_URL: model.url }
    const { exitCode, stdout } = await line.run(withModel, { env })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /Agreements\n- Sparse attention reduces memory use\. \[1\] p\. \d+; \[2\] p\. \d+/,
    )
    expect(stdout).toMatch(/Contradictions\n- Whether sparse attention/)
    expect(stdout).not.toContain('not a language model')
  })

  it('uses a model for one role alone', async () => {
    const args = [...asked, '--model', 'synthesizer=openai-compatible:scripted', '--json']
    const { models } = jsonOf(await line.run(args, { env: { OPENAI_BASE_URL: model.url } }))
    expect(models).toEqual({
      analyzer: 'extractive',
      synthesizer: 'openai-compatible:scripted',
      verifier: 'extractive',
    })
  })

  it('is interrupted by Ctrl-C, and resumed without asking anything twice', async () => {
    let isSlow = true
    const slow = await startScriptedModel(
      scriptPapers((_, role) => (role === 'synthesizer' && isSlow ? { hang: true } : undefined)),
    )
    const env = { OPENAI_BASE_URL: slow.url }
    const started = line.start(withModel, { env })
    while (!started.printed().stderr.includes('Writing the synthesis.'))
      await new Promise((resolve) => setTimeout(resolve, 20))
    started.child.kill('SIGINT')
    const { exitCode, stderr } = await started.outcome
    expect(exitCode).toBe(130)
    const [, runId = ''] = /scholium resume (\S+)/.exec(stderr) ?? []
    isSlow = false
    const resumed = await line.run(['resume', runId, '--json'], { env })
    expect(jsonOf(resumed)).toMatchObject({ runId, status: 'answered' })
    expect(resumed.stderr).not.toContain('Analysing')
    expect([...slow.answered.values()].every((times) => times === 1)).toBe(true)
    await slow.close()
  })

  it('refuses a dollar limit where the price of the analyzer is not known', async () => {
    const env = { OPENAI_BASE_URL: model.url }
    const { exitCode, stderr } = await line.run([...withModel, '--max-cost-usd', '1'], { env })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('price of openai-compatible:scripted is unknown')
  })

  it('stops at a limit with what it has, and continues with a higher one', async () => {
    const env = { OPENAI_BASE_URL: model.url }
    const limited = await line.run([...withModel, '--max-steps', '2', '--json'], { env })
    expect(limited.exitCode).toBe(3)
    const { runId, stopReason } = jsonOf(limited)
    expect(stopReason).toBe('limit')
    const resumed = await line.run(['resume', runId, '--max-steps', '50', '--json'], { env })
    expect(jsonOf(resumed)).toMatchObject({ runId, status: 'answered' })
  })
})

describe('files that papers --report names', () => {
  it('are not written where the run cannot begin', async () => {
    writeFileSync(join(line.folder, 'there.md'), 'mine')
    const { exitCode } = await line.run([...asked, '--report', 'new.md', '--report', 'there.md'])
    expect(exitCode).toBe(2)
    expect(existsSync(join(line.folder, 'new.md'))).toBe(false)
    expect(read('there.md')).toBe('mine')
  })
})
