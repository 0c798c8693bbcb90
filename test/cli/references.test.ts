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
    expect(broken.stderr).toContain('Left out: lost')
  })

  it('gives RIS, CSL-JSON, and all of it as JSON', async () => {
    const ris = await cli.run(['references', '--format', 'ris'])
    expect(ris.stdout).toMatch(/TI {2}- On the tides[^]*ER {2}-/)
    const csl = await cli.run(['references', '--format', 'csl'])
    cli.write('answer.json', csl.stdout)
    expect((await cli.run(['references', 'answer.json'])).stdout).toContain('Moon, Ada. (2021)')
    expect(jsonOf(await cli.run(['references', '--json']))).toMatchObject({
      items: [{ title: 'On the tides' }],
      refused: [],
    })
  })

  it('reads a style from a file, and says what is wrong with one that is none', async () => {
    cli.write('note.csl', 'no style at all')
    const { exitCode, stderr } = await cli.run(['references', '--style', 'note.csl'])
    expect(exitCode).toBe(2)
    expect(stderr).not.toMatch(/ENOENT|at .*\.ts/)
    expect((await cli.run(['references', '--style', 'gone.csl'])).exitCode).toBe(2)
    expect((await cli.run(['references', '--format', 'word'])).stderr).toContain('bibtex')
    cli.write('wrong.json', '{"a": 1}')
    expect((await cli.run(['references', 'wrong.json'])).exitCode).toBe(2)
  })
})
