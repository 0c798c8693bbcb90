import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf, linesOf } from './command.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())
beforeAll(() => {
  mkdirSync(join(cli.folder, 'papers'))
  cli.write('papers/tides.md', '# Tides\n\nThe Moon raises two bulges of water on the Earth.\n')
  cli.write('papers/winds.txt', 'Trade winds blow from the east near the equator.\n')
  cli.write('papers/empty.txt', '')
})

describe('library', () => {
  it('is empty at first, and says how to fill it', async () => {
    expect((await cli.run(['library', 'list'])).stdout).toContain('scholium library add PATH')
    expect(jsonOf(await cli.run(['library', 'list', '--json']))).toEqual([])
  })

  it('adds a folder, names each refusal in one line, and ends with 3 then', async () => {
    const { exitCode, stdout, stderr } = await cli.run(['library', 'add', 'papers'])
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^refused papers\/empty\.txt: .+\n2 added, 1 refused\n$/)
    expect(stderr).toMatch(/\d added papers\/tides\.md · \d+\.\d s\n/)
  })

  it('leaves what is there, and reads what has changed', async () => {
    cli.write('papers/winds.txt', 'Trade winds blow from the east, and monsoons turn.\n')
    const outcome = await cli.run([
      'library',
      'add',
      'papers/tides.md',
      'papers/winds.txt',
      '--json',
    ])
    expect(outcome.exitCode).toBe(0)
    expect(jsonOf(outcome)).toMatchObject({ added: 0, updated: 1, unchanged: 1, refused: 0 })
  })

  it('ends with 1 when nothing could be read', async () => {
    expect(await cli.run(['library', 'add', 'papers/empty.txt'])).toMatchObject({ exitCode: 1 })
  })

  it('streams a line for each file', async () => {
    const lines = linesOf(
      await cli.run(['library', 'add', 'papers', '--output-format', 'stream-json']),
    )
    expect(lines.map(({ type }) => type)).toEqual(['file', 'file', 'file', 'result'])
  })

  it('lists, searches, and removes by the id that the list shows or by path', async () => {
    const list = (await cli.run(['library', 'list'])).stdout
    expect(list).toMatch(/^ID +KIND +PAGES +TITLE +PATH\n/)
    const found = await cli.run(['library', 'search', 'bulges', 'of', 'water', '--limit', '1'])
    expect(found.stdout).toMatch(/^Tides — papers\/tides\.md\n {4}.*two bulges of water/)
    const id = /^(\w{8}) .*tides\.md$/m.exec(list)?.[1] ?? ''
    expect(await cli.run(['library', 'remove', id])).toMatchObject({
      exitCode: 0,
      stdout: '1 source removed\n',
    })
    expect(await cli.run(['library', 'remove', 'papers/winds.txt'])).toMatchObject({ exitCode: 0 })
    expect(jsonOf(await cli.run(['library', 'list', '--json']))).toEqual([])
  })
})
