import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())

beforeAll(async () => {
  cli.write(
    'tides.md',
    '---\ntitle: On the tides\nauthor: Moon, Ada\ndate: 2021\n---\n\nSpring tides come every 14 days.\n',
  )
  await cli.run(['ask', 'How often do spring tides come?', '--source', 'tides.md'])
})

describe('scholium references', () => {
  it('writes what the last answer cites, in APA or another style', async () => {
    const apa = await cli.run(['references'])
    expect(apa.stdout).toBe('Moon, Ada. (2021). On the tides.\n')
    const ieee = await cli.run(['references', 'last', '--style', 'ieee'])
    expect(ieee.stdout).toMatch(/^\[1\] Moon, Ada, “On the tides\.?,?” 2021\.\n$/)
  })

  it('writes BibTeX that it reads again, with its styles and its losses', async () => {
    const { stdout } = await cli.run(['references', '--format', 'bibtex'])
    cli.write('answer.bib', stdout)
    expect((await cli.run(['references', 'answer.bib'])).stdout).toBe(
      'Moon, Ada. (2021). On the tides.\n',
    )
    cli.write('broken.bib', `@article{lost, title = {No end\n\n${stdout}`)
    const broken = await cli.run(['references', 'broken.bib'])
    expect(broken.exitCode).toBe(3)
    expect(broken.stdout).toBe('Moon, Ada. (2021). On the tides.\n')
    expect(broken.stderr).toContain('Skipped: lost')
  })

  it('gives RIS, CSL-JSON, and all of it as JSON', async () => {
    const ris = await cli.run(['references', '--format', 'ris'])
    expect(ris.stdout).toMatch(/TI {2}- On the tides.*ER {2}-/s)
    const csl = await cli.run(['references', '--format', 'csl'])
    cli.write('answer.json', csl.stdout)
    expect((await cli.run(['references', 'answer.json'])).stdout).toContain('Moon, Ada. (2021)')
    expect(jsonOf(await cli.run(['references', '--json']))).toMatchObject({
      items: [{ title: 'On the tides' }],
      refused: [],
    })
  })

  it('gives HTML as one element with a block for each work', async () => {
    cli.write('two.bib', '@book{a, title={One}}\n@book{b, title={Two}}\n')
    const { stdout } = await cli.run(['references', 'two.bib', '--format', 'html'])
    expect(stdout).toMatch(
      /^<div class="csl-bib-body">\n( {2}<div class="csl-entry">.*<\/div>\n){2}<\/div>\n$/,
    )
  })

  it('has nothing for a terminal to obey, direction marks among it', async () => {
    cli.write('rtl.bib', '@book{a, title={One \u202eowt\u202c \u009b31m}}\n')
    const { stdout } = await cli.run(['references', 'rtl.bib'])
    expect(stdout).toContain('One owt')
    expect(stdout).not.toMatch(/[\u202e\u202c\u009b]/)
  })

  it('reads a style from a file, and says what is wrong with one that is none', async () => {
    cli.write('note.csl', 'no style at all')
    const { exitCode, stderr } = await cli.run(['references', '--style', 'note.csl'])
    expect(exitCode).toBe(2)
    expect(stderr).not.toMatch(/ENOENT|at .*\.ts/)
    expect((await cli.run(['references', '--style', 'gone.csl'])).exitCode).toBe(2)
    expect((await cli.run(['references', '--format', 'word'])).stderr).toContain('bibtex')
    expect((await cli.run(['references', '--format', 'toString'])).exitCode).toBe(2)
    cli.write('wrong.json', '{"a": 1}')
    expect((await cli.run(['references', 'wrong.json'])).exitCode).toBe(2)
  })

  it('takes the name of a style for that, whatever files there are', async () => {
    cli.write('ieee', 'a file of that name')
    const { stdout } = await cli.run(['references', '--style', 'ieee'])
    expect(stdout).toMatch(/^\[1\] Moon/)
    cli.write('notes.md', 'my secret notes')
    for (const style of ['notes.md', './notes.md', '<style>']) {
      const { exitCode, stderr } = await cli.run(['references', '--style', style])
      expect([style, exitCode]).toEqual([style, 2])
      expect(stderr).toContain(style)
      expect(stderr).not.toContain('secret')
    }
  })

  it.each(['bibtex', 'ris', 'csl'])('refuses a style for %s', async (format) => {
    const { exitCode, stderr } = await cli.run(['references', '--style', 'apa', '--format', format])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`no effect on ${format}`)
  })
})

describe('the references of an answer', () => {
  it('have its numbers, in styles that have numbers', async () => {
    const facts = [
      'Tides rise twice a day.',
      'Spring tides come every 14 days.',
      'Tides in the bay reach 16 metres.',
      'Tidal mills used tides for 800 years.',
      'The moon causes tides by its pull.',
      'Neap tides are lower than spring tides.',
    ]
    for (const [at, fact] of facts.entries()) {
      cli.write(`paper${at}.md`, `---\ntitle: Paper ${at} on tides\ndate: 2021\n---\n\n${fact}\n`)
    }
    const sources = facts.flatMap((_, at) => ['--source', `paper${at}.md`])
    const question = 'Why are there tides, and what is the cause?'
    const { citations } = jsonOf(await cli.run(['ask', question, ...sources, '--json'])) as {
      readonly citations: readonly { readonly n: number; readonly title: string }[]
    }
    const numbered = citations.map(({ n, title }) => ({ n, title }))
    expect(numbered.every(({ n }, at) => n === at + 1)).toBe(false)
    const { stdout } = await cli.run(['references', '--style', 'ieee'])
    expect(stdout).toBe(numbered.map(({ n, title }) => `[${n}] “${title}.” 2021.\n`).join(''))
    expect(jsonOf(await cli.run(['references', '--json']))).toMatchObject({ items: numbered })
    expect((await cli.run(['references', '--format', 'csl'])).stdout).not.toContain('"n"')
  })
})

describe('files of references', () => {
  it.each<[string, string]>([
    ['nope.bib', 'There is no file nope.bib'],
    ['some/nope.json', 'There is no file some/nope.json'],
    ['papers.ris', 'RIS files can be written but not read'],
    ['-', 'cannot be read from standard input'],
    ['tides.md', 'neither BibTeX (.bib) nor CSL-JSON (.json)'],
    ['./', './ is a folder'],
  ])('that cannot be read are named: %s', async (from, message) => {
    const { exitCode, stderr } = await cli.run(['references', from])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
  })

  it.each<[string, string | Uint8Array, string]>([
    ['junk.bib', 'nothing of the kind', 'Not read: junk.bib contains no BibTeX entry.'],
    [
      'binary.bib',
      new Uint8Array(3_000).map((_, at) => (at * 7) % 32),
      'Not read: binary.bib is not a text file.',
    ],
  ])('in which there is nothing are told: %s', async (name, content, message) => {
    cli.write(name, content)
    const { exitCode, stderr, stdout } = await cli.run(['references', name])
    expect([exitCode, stdout]).toEqual([3, ''])
    expect(stderr).toContain(message)
  })

  it('lose a bad work and no other', async () => {
    const works = [{ type: 'book', title: 'One' }, 7, { odd: 1 }, { title: 'Four' }]
    cli.write('works.json', JSON.stringify(works))
    const { exitCode, stderr, stdout } = await cli.run(['references', 'works.json'])
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/Four.*\nOne.*\n/)
    expect(stderr).toContain('Skipped: item 2: it is not a CSL-JSON work')
    expect(stderr).toContain('Skipped: item 3')
  })

  it('hold one work, or works under "items"', async () => {
    const work = { type: 'book', title: 'One' }
    cli.write('work.json', JSON.stringify(work))
    cli.write('items.json', JSON.stringify({ items: [work, { ...work, title: 'Two' }] }))
    expect((await cli.run(['references', 'work.json'])).stdout).toBe('One. (n.d.).\n')
    expect((await cli.run(['references', 'items.json'])).stdout).toMatch(/One.*\nTwo.*\n/)
  })

  it('are read in old encodings, and entries are told from fields and from notes', async () => {
    const text =
      '@book{a, title={Caf\u00e9}, publisher=NOWHERE}\n@book{b, title={Two}, abstract={a $ sign}}\n@book{c}\n'
    cli.write('old.bib', Buffer.from(text, 'latin1'))
    const { exitCode, stderr, stdout } = await cli.run(['references', 'old.bib'])
    expect(exitCode).toBe(3)
    expect(stdout).toContain('Café. (n.d.). NOWHERE.')
    expect(stderr.split('\n').filter((line) => line !== '')).toEqual([
      expect.stringMatching(/^b \(line 2\): field abstract: skipped: its TeX/),
      'Skipped: c (line 3): the entry has no field',
      'Note: read as Windows-1252: it is not UTF-8 and does not declare its encoding',
      'Note: a (line 1): field publisher: the name "NOWHERE" is not defined and was kept unchanged',
    ])
  })
})
