import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBundle } from '../../tools/launch/make-bundle.js'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
beforeAll(makeBundle)
afterAll(() => cli.remove())

/** In a process of its own the launcher runs the bundle, which has just been made. */
const run = (...args: readonly string[]) => cli.run(args, { isApart: true })

describe('the bundle', () => {
  it('answers a question and lists its references in a style of citeproc', async () => {
    const { status, models } = jsonOf(await run('ask', 'What is caffeine?', '--json'))
    expect([status, models.planner]).toEqual(['answered', 'extractive'])
    const { stdout } = await run('references', 'last', '--style', 'ieee')
    expect(stdout).toMatch(/^\[1\] .*Caffeine/)
  })

  it('has its readers, its sandbox and its other scripts', async () => {
    const { stdout } = await run('doctor')
    expect(stdout).toContain('Everything works')
    expect(stdout).toContain('✓ working: PDF, Word, Excel, PowerPoint, EPUB, HTML, CSV, pictures')
    expect(stdout).toMatch(/✓ Python \S+ starts/)
    expect(stdout).toMatch(/✓ runs: .* is intact/)
  })
})
