import { afterAll, describe, expect, it } from 'vitest'
import { CommandLine } from './command.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())

describe('start', () => {
  it('answers a first question from the samples, then says what to try, as it can be typed', async () => {
    const env = { npm_lifecycle_event: 'start', npm_package_name: 'scholium' }
    const { exitCode, stdout, stderr } = await cli.run(['start'], { env })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('CRISPR')
    expect(stdout).toMatch(/\nSources\n\[\d+\] /)
    expect(stderr).toMatch(/^Asking the sample library: What is CRISPR and who invented it\?\n/)
    const commands = stderr
      .slice(stderr.indexOf('What to try next'))
      .match(/^ {2}npm start -- .+$/gm)
    expect(commands).toHaveLength(6)
  })

  it('asks the samples also where the library holds other things', async () => {
    cli.write('other.md', '# Other\n\nNothing of interest stands here.\n')
    await cli.run(['library', 'add', 'other.md'])
    expect((await cli.run(['start', '--quiet'])).stdout).toMatch(/\nSources\n\[\d+\] .*crispr/i)
  })
})
