import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countLine, tallyOf } from '../../tools/checks/tally.js'
import { FakeCheckout } from './fake-checkout.ts'
import { root } from './source-file.ts'

let checkout: FakeCheckout

beforeEach(() => {
  checkout = new FakeCheckout()
})

afterEach(() => checkout.remove())

/** A specification of one assertion that stands on this test. */
const specification = (test: string) =>
  JSON.stringify({
    name: 'a',
    sections: [
      { slug: 'a', title: 'A', assertions: [{ id: 'a-1', asks: 'it is so', tests: [test] }] },
    ],
  })
const coverage = 'test/repo/seed-coverage/a.json'

describe('npm test', () => {
  const passing = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }

  it('counts checks and tests in its last line', async () => {
    await installStubs(passing)
    const quick = await lastLine()
    expect(quick).toMatchObject({ exitCode: 0, line: '9 passed, 0 failed' })
    expect(quick.stdout).toContain('"--project=shared","--project=rules"')
    const all = await lastLine('--all')
    expect(all).toMatchObject({ exitCode: 0, line: '10 passed, 0 failed' })
    expect(all.stdout).not.toContain('--project')
  })

  it('counts a type error as a failure, and still runs the tests', async () => {
    await installStubs(passing)
    checkout.write(
      'node_modules/typescript/bin/tsc',
      'process.exit(process.argv.length === 5 ? 1 : 0)',
    )
    expect(await lastLine()).toMatchObject({ exitCode: 1, line: '7 passed, 2 failed' })
  })

  it('counts an assertion whose test did not pass as a failure, and names it', async () => {
    await installStubs(passing)
    checkout.write(coverage, specification('test/a.test.ts › a › was renamed'))
    const { exitCode, line, stdout } = await lastLine('--all')
    expect({ exitCode, line }).toEqual({ exitCode: 1, line: '9 passed, 1 failed' })
    expect(stdout).toContain('a-1: unknown test: test/a.test.ts › a › was renamed')
  })

  it('gives its arguments to Vitest and then runs the tests alone', async () => {
    await installStubs({ ...passing, numPendingTests: 2 })
    const { exitCode, line, stdout } = await lastLine('src/kernel', '-t', 'json')
    expect({ exitCode, line }).toEqual({ exitCode: 0, line: '5 passed, 0 failed, 2 skipped' })
    expect(stdout).toContain('"src/kernel","-t","json"')
  })

  it('fails when nothing ran', async () => {
    await installStubs({ ...passing, numPassedTests: 0 })
    expect(await lastLine('src/nowhere')).toMatchObject({ exitCode: 1, line: '0 passed, 1 failed' })
  })

  it('keeps SCHOLIUM_DATA only when the folder is there', async () => {
    await installStubs(passing)
    process.env.SCHOLIUM_DATA = join(checkout.folder, 'absent')
    const { stdout } = await lastLine().finally(() => delete process.env.SCHOLIUM_DATA)
    expect(stdout).toContain('tests that need it are skipped')
  })

  /** Puts small programs in the place of tsc, Biome and Vitest; Vitest's writes `counts` as its report. */
  async function installStubs(counts: object): Promise<void> {
    await checkout.run(['npm-cli.js', 'ci'])
    const test = { ancestorTitles: ['a'], title: 'is so', status: 'passed' }
    const file = { name: join(checkout.folder, 'test/a.test.ts'), status: 'passed' }
    const testResults = [{ ...file, assertionResults: [test] }]
    const report = JSON.stringify({ ...counts, testResults })
    checkout.write(coverage, specification('test/a.test.ts › a › is so'))
    const modules = 'node_modules'
    checkout.write(`${modules}/typescript/bin/tsc`, '')
    checkout.write(`${modules}/@biomejs/biome/bin/biome`, '')
    checkout.write('tools/build.js', '')
    checkout.write(
      `${modules}/vitest/vitest.mjs`,
      `import { writeFileSync } from 'node:fs'
      const args = process.argv.slice(2)
      console.log(JSON.stringify(args))
      const file = args.find((arg) => arg.startsWith('--outputFile.json=')).slice(18)
      writeFileSync(file, ${JSON.stringify(report)})`,
    )
  }

  async function lastLine(...args: readonly string[]) {
    const { exitCode, stdout } = await checkout.run(['tools/test.js', ...args])
    return { exitCode, line: stdout.trimEnd().split('\n').at(-1), stdout }
  }
})

describe('the count', () => {
  it("reads Vitest's report: passed, failed, skipped, and a file that cannot be loaded", async () => {
    const header = "import { it } from 'vitest'\n"
    checkout.write('a.test.ts', `${header}it('a', () => {})\nit.skip('b', () => {})\nit.todo('c')`)
    checkout.write('b.test.ts', `${header}it('d', () => { throw new Error('d') })`)
    checkout.write('c.test.ts', "import 'not-there'")
    symlinkSync(join(root, 'node_modules'), join(checkout.folder, 'node_modules'))
    const vitest = 'node_modules/vitest/vitest.mjs'
    const report = ['--reporter=json', '--outputFile=report.json']
    const { exitCode } = await checkout.run([vitest, 'run', '--root', '.', ...report])
    const text = readFileSync(join(checkout.folder, 'report.json'), 'utf8')
    const tally = tallyOf(JSON.parse(text), exitCode ?? 1)
    expect(tally).toEqual({ passed: 1, failed: 2, skipped: 2 })
  })

  it('takes a run without a report, and one that failed without a failed test, for a failure', () => {
    const counts = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
    expect(tallyOf(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
    expect(tallyOf({ ...counts, testResults: [] }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 })
  })

  it('mentions skipped tests only when there are some', () => {
    expect(countLine({ passed: 2, failed: 1, skipped: 0 })).toBe('2 passed, 1 failed')
    expect(countLine({ passed: 2, failed: 0, skipped: 4 })).toBe('2 passed, 0 failed, 4 skipped')
  })
})
