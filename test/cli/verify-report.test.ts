import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())

interface Check {
  readonly claims: readonly {
    readonly text: string
    readonly line: number
    readonly verdict: string
    readonly reason: string
  }[]
  readonly references: readonly {
    readonly label: string
    readonly foundBy: string | null
    readonly sources: readonly { readonly title: string }[]
  }[]
  readonly coverage: {
    readonly claims: number
    readonly checked: number
    readonly verbatim: number
  }
  readonly failures: { readonly references: number; readonly claims: number }
}

const tides =
  '# On the tides\n\nThe Moon raises two bulges of water on the Earth. Spring tides come every 14 days.\n'

beforeAll(() => {
  mkdirSync(join(cli.folder, 'papers'))
  mkdirSync(join(cli.folder, 'elsewhere'))
  mkdirSync(join(cli.folder, 'desk'))
  cli.write('papers/tides.md', tides)
  cli.write(
    'papers/winds.html',
    '<html><head><title>Of trade winds</title><link rel="canonical" href="https://winds.example/trade"></head><body><main><h1>Of trade winds</h1><p>Trade winds blow from the east near the equator, and have carried ships for five hundred years or more.</p></main></body></html>',
  )
  cli.write('elsewhere/secret.txt', 'The password is swordfish.\n')
})

const check = async (
  report: string,
  ...options: readonly string[]
): Promise<Check & { exitCode: number | null }> => {
  cli.write('desk/report.md', report)
  const outcome = await cli.run(['verify', 'desk/report.md', '--json', ...options])
  return { ...(jsonOf(outcome) as Check), exitCode: outcome.exitCode }
}

describe('scholium verify report.md', () => {
  it('ends with 0 where each cited place is found and says it', async () => {
    const { exitCode, claims, references, coverage } = await check(
      'The Moon raises two bulges of water on the Earth [1].\n\n## Sources\n\n[1] On the tides — papers/tides.md\n',
    )
    expect(exitCode).toBe(0)
    expect(claims.map(({ verdict, line }) => [verdict, line])).toEqual([['verbatim', 1]])
    expect(references).toMatchObject([{ label: '1', foundBy: 'path' }])
    expect(coverage).toMatchObject({ claims: 1, checked: 1, verbatim: 1 })
  })

  it('ends with 3 where a number was changed, and shows both', async () => {
    cli.write('changed.md', 'Spring tides come every 15 days [1].\n\n[1]: papers/tides.md\n')
    const { exitCode, stdout } = await cli.run(['verify', 'changed.md'])
    expect(exitCode).toBe(3)
    expect(stdout).toContain('✗ line 1  altered [1]')
    expect(stdout).toContain('"15" in the answer, "14" in the source')
    expect(stdout).toContain('Fails: 1 claim not supported by the cited passage.')
  })

  it('names the nearest file where none fits', async () => {
    cli.write('near.md', 'Trade winds blow [1].\n\n## Sources\n\n[1] B. Air. On trade and winds.\n')
    const { exitCode, stdout } = await cli.run(['verify', 'near.md', '--source', 'papers'])
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/The nearest is \S*winds\.html \(“Of trade winds”\)/)
  })

  it('finds a place by its address and by its title in the folder that is named', async () => {
    const { exitCode, references } = await check(
      'Trade winds blow from the east near the equator [there](https://winds.example/trade?utm_source=x). Spring tides come every 14 days[^t].\n\n[^t]: A. Moon, On the tides, second edition.\n',
      '--source',
      'papers',
    )
    expect(references.map(({ foundBy }) => foundBy)).toEqual(['url', 'title'])
    expect(exitCode).toBe(0)
  })

  it('fails a place that is nowhere, and does not take the sentence for checked', async () => {
    const { exitCode, claims, coverage, failures } = await check(
      'Whales sing (https://whales.example). Gulls do not [7].\n',
      '--source',
      'papers',
    )
    expect(exitCode).toBe(3)
    expect(claims.map(({ verdict }) => verdict)).toEqual(['unavailable', 'not_found'])
    expect(claims[1]?.reason).toBe('[7] is not defined in this document.')
    expect(coverage.checked).toBe(1)
    expect(failures).toEqual({ references: 2, claims: 1 })
  })

  it('counts a sentence without a citation apart, and fails nothing for it', async () => {
    const { exitCode, coverage } = await check('Nobody says where this stands.\n')
    expect(exitCode).toBe(0)
    expect(coverage).toMatchObject({ claims: 1, checked: 0, uncited: 1, supported: 0 })
  })

  it('reads no file that a report names outside of its folder and the working folder', async () => {
    symlinkSync(join(cli.folder, 'elsewhere'), join(cli.folder, 'desk', 'link'))
    cli.write('desk/report.md', 'The password is swordfish [1].\n\n[1]: ../elsewhere/secret.txt\n')
    const inside = await cli.run(['verify', 'desk/report.md', '--json'])
    expect((jsonOf(inside) as Check).references[0]?.foundBy).toBe('path')
    const desk = new CommandLine()
    try {
      desk.write(
        'report.md',
        `The password is swordfish [1].\n\n[1]: ${join(cli.folder, 'elsewhere/secret.txt')}\n`,
      )
      symlinkSync(join(cli.folder, 'elsewhere'), join(desk.folder, 'link'))
      desk.write('linked.md', 'The password is swordfish [1].\n\n[1]: link/secret.txt\n')
      for (const name of ['report.md', 'linked.md']) {
        const { stdout } = await desk.run(['verify', name, '--json'])
        expect((JSON.parse(stdout) as Check).references[0]?.foundBy).toBe(null)
        expect(stdout).not.toContain('The password is swordfish."')
      }
    } finally {
      desk.remove()
    }
  })

  it('looks in the library for what is not next to the report', async () => {
    expect((await cli.run(['library', 'add', 'elsewhere'])).exitCode).toBe(0)
    const { exitCode, references } = await check(
      'The password is swordfish [1].\n\n[1]: a/b/secret.txt\n',
    )
    expect(references).toMatchObject([{ foundBy: null }])
    expect(exitCode).toBe(3)
    const found = await check(
      'The password is swordfish [1].\n\n[1]: elsewhere/secret.txt\n',
      '--home',
      'home',
    )
    expect(found.exitCode).toBe(0)
  })

  it('verifies what ask has printed', async () => {
    const { stdout } = await cli.run([
      'ask',
      'What do the trade winds do?',
      '--source',
      'papers',
      '--quiet',
    ])
    cli.write('answer.md', stdout)
    const { exitCode, stdout: told } = await cli.run(['verify', 'answer.md', '--source', 'papers'])
    expect(told).toMatch(/✓ line 1 {2}verbatim \[1\]/)
    expect(exitCode).toBe(0)
  })

  it('never lets a document bear itself out, nor a file of the same name elsewhere', async () => {
    cli.write('desk/On the tides.md', 'Spring tides come every 15 days [1].\n\n[1]: On the tides\n')
    const { stdout, exitCode } = await cli.run(['verify', 'desk/On the tides.md', '--source', '.'])
    expect(stdout).toContain('altered [1]')
    expect(exitCode).toBe(3)
  })

  it('leaves links alone where it is told so, and says what code did not decide', async () => {
    cli.write(
      'linked.md',
      'See https://a.example. Oceans rise and fall twice a month [1].\n\n[1]: papers/tides.md\n',
    )
    const { stdout, exitCode } = await cli.run(['verify', 'linked.md', '--no-links'])
    expect(stdout).toMatch(/No failures\. Not counted as failures: line 1 without a citation/)
    expect(exitCode).toBe(0)
  })

  it('takes a file that is neither text nor bundle for no report', async () => {
    cli.write('noise.md', '')
    expect((await cli.run(['verify', 'noise.md'])).exitCode).toBe(2)
    expect((await cli.run(['verify', 'gone.md'])).exitCode).toBe(2)
  })

  it('never takes for a document what is named as a bundle, or held to a hash or a key', async () => {
    cli.write('page', '<html>404</html>')
    cli.write('page.md', '404')
    const hash = 'a'.repeat(64)
    expect((await cli.run(['verify', 'page'])).exitCode).toBe(1)
    expect((await cli.run(['verify', 'page', '--expect', hash])).exitCode).toBe(1)
    expect((await cli.run(['verify', 'page.md', '--expect', hash])).exitCode).toBe(1)
    expect((await cli.run(['verify', 'page.md', '--key', hash])).exitCode).toBe(1)
    const both = await cli.run(['verify', 'page.md', '--expect', hash, '--source', 'papers'])
    expect(both.exitCode).toBe(2)
  })

  it('says which source is not there', async () => {
    cli.write('short.md', 'Whales sing [1].\n')
    const { exitCode, stderr } = await cli.run(['verify', 'short.md', '--source', 'nowhere'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('nowhere')
  })
})
