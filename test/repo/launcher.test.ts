import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isSupportedNode, ownNodePath } from '../../bin/node-version.js'
import { FakeCheckout } from './fake-checkout.ts'
import { root } from './source-file.ts'

const start = 'tools/start.js'
const lock = 'tools/.install.lock'
const marker = 'node_modules/.scholium-install'

let checkout: FakeCheckout

beforeEach(() => {
  checkout = new FakeCheckout()
})

afterEach(() => checkout.remove())

describe('npm start', () => {
  it('installs once, says so on stderr, and leaves stdout to the command line', async () => {
    const first = await checkout.run([start, 'ask', 'What is 2 + 2?', '--json'])
    expect(first.stderr).toMatch(/installing dependencies … 0 s[\s\S]*done/)
    expect(JSON.parse(first.stdout).args).toEqual(['ask', 'What is 2 + 2?', '--json'])
    const second = await checkout.run([start, 'ask'])
    expect(second).toMatchObject({ exitCode: 0, stderr: '' })
    expect(checkout.npmCalls()).toHaveLength(1)
    expect(checkout.npmCalls()[0]).toEqual(expect.arrayContaining(['ci', '--include=dev']))
  })

  it('runs the demonstration when nothing is asked, and gives back the exit code', async () => {
    expect(JSON.parse((await checkout.run([start])).stdout).args).toEqual(['start'])
    expect((await checkout.run([start, 'fail'])).exitCode).toBe(3)
  })

  it('works where npm was called, not where the package is', async () => {
    const env = {
      npm_lifecycle_event: 'start',
      npm_package_name: 'scholium',
      INIT_CWD: realpathSync(tmpdir()),
    }
    const folderOf = async (env: Readonly<Record<string, string>>) =>
      JSON.parse((await checkout.run([start, 'ask'], { env })).stdout).folder
    expect(await folderOf(env)).toBe(env.INIT_CWD)
    const own = realpathSync(checkout.folder)
    expect(await folderOf({ ...env, npm_package_name: 'another' })).toBe(own)
    expect(await folderOf({ ...env, INIT_CWD: join(own, 'gone') })).toBe(own)
  })

  it('installs again when the lock file has changed', async () => {
    await checkout.run([start])
    checkout.writeLock('2.0.0')
    await checkout.run([start])
    expect(checkout.npmCalls()).toHaveLength(2)
  })

  it('accepts an install made by hand', async () => {
    await checkout.run(['npm-cli.js', 'ci'])
    await checkout.run([start])
    expect(checkout.npmCalls()).toEqual([['ci']])
  })

  it('notices that packages were removed after the install', async () => {
    await checkout.run([start])
    checkout.write('node_modules/.package-lock.json', '{"packages":{}}')
    await checkout.run([start])
    expect(checkout.npmCalls()).toHaveLength(2)
  })
})

describe('an install that fails', () => {
  it.each([
    ['ENOTFOUND', 'the package registry could not be reached'],
    ['ENOSPC', 'the disk is full'],
    ['EACCES', 'may not be written'],
    ['EUSAGE', 'package.json and package-lock.json do not agree'],
    ['EODD', 'npm ended with exit code 1'],
  ])('explains %s, shows what npm said, and is tried again', async (code, reason) => {
    const failed = await checkout.run([start, 'ask'], { npm: `fail ${code}` })
    expect(failed).toMatchObject({ exitCode: 1, stdout: '' })
    expect(failed.stderr).toContain(reason)
    expect(failed.stderr).toContain(`npm error code ${code}`)
    expect([checkout.has(marker), checkout.has(lock)]).toEqual([false, false])
    expect((await checkout.run([start, 'ask'])).exitCode).toBe(0)
  })

  it('does not believe npm when it could not write every file', async () => {
    const fakes = { npm: 'note warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device' }
    const failed = await checkout.run([start, 'ask'], fakes)
    expect(failed).toMatchObject({ exitCode: 1, stdout: '' })
    expect(failed.stderr).toContain('the disk is full')
    await checkout.run([start, 'ask'])
    expect(checkout.npmCalls()).toHaveLength(2)
  })

  it('ends npm and frees the lock when it is told to end', async () => {
    const { child, outcome } = checkout.start([start], { npm: 'wait 20000' })
    await until(() => checkout.npmCalls().length === 1)
    child.kill('SIGTERM')
    expect(await outcome).toMatchObject({ exitCode: 143, stdout: '' })
    expect(checkout.has(lock)).toBe(false)
  })

  it('ends npm at the time limit', async () => {
    const limited = `
      import { installLocked } from './tools/launch/npm.js'
      const install = { folder: '.', doing: 'installing', node: process.execPath, onStart() {} }
      await installLocked({ ...install, limitMs: 300 }).catch((error) => console.log(error.message))`
    const { stdout } = await checkout.run(['--input-type=module', '-e', limited], {
      npm: 'wait 20000',
    })
    expect(stdout).toContain('installing failed: npm had not finished')
  })
})

describe('the bundle', () => {
  const command = 'bin/scholium.js'
  const bundling = 'bundling the sources'
  const placeOf = async (args: readonly string[]) =>
    JSON.parse((await checkout.run(args)).stdout).place

  it('is made once, and again after a change of the sources', async () => {
    const starts = [await checkout.run([start]), await checkout.run([start])]
    checkout.write('src/cli/late.ts', "export const said = 'second'")
    starts.push(await checkout.run([start]), await checkout.run([start]))
    const bundled = starts.map(({ stderr }) => stderr.includes(bundling))
    expect(bundled).toEqual([true, false, true, false])
    expect(starts.map(({ stdout }) => JSON.parse(stdout).place)).toEqual(Array(4).fill('bundle'))
  })

  it('is what the command runs as long as the sources are the same, and else they are', async () => {
    expect(await placeOf([command])).toBe('sources')
    await checkout.run([start])
    expect(await placeOf([command])).toBe('bundle')
    checkout.write('src/note.md', 'A prompt.')
    expect(await placeOf([command])).toBe('sources')
  })

  it('says where the sources are wrong, and runs nothing', async () => {
    checkout.write('src/cli/main.ts', 'export const main = (')
    const { exitCode, stdout, stderr } = await checkout.run([start])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/could not be bundled:[\s\S]*main\.ts:1/)
  })

  it('continues for a process that runs when another one takes its place', async () => {
    const { child, outcome } = checkout.start([start, 'later'])
    await Promise.race([once(child.stdout ?? child, 'data'), outcome])
    checkout.write('src/cli/later.ts', "export const said = 'second'")
    expect((await checkout.run([start])).stderr).toContain(bundling)
    child.stdin?.end('go on')
    expect((await outcome).stdout).toMatch(/first\n$/)
  })
})

describe('two starts at once', () => {
  it('install once and bundle once', async () => {
    const runs = [1, 2, 3].map(() => checkout.run([start, 'ask'], { npm: 'wait 500' }))
    const outcomes = await Promise.all(runs)
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    expect(checkout.npmCalls()).toHaveLength(1)
    expect(outcomes.filter(({ stderr }) => stderr.includes('bundling'))).toHaveLength(1)
  })

  it('wait for the npm of a start that was killed', async () => {
    const { child, outcome } = checkout.start([start], { npm: 'wait 800' })
    await until(() => checkout.npmCalls().length === 1)
    child.kill('SIGKILL')
    const second = await checkout.run([start, 'ask'])
    expect(second.exitCode).toBe(0)
    await outcome
    expect(checkout.npmCalls()).toHaveLength(1)
  })

  it('take over a lock whose holders are gone', async () => {
    const gone = checkout.start(['-e', ''])
    await gone.outcome
    checkout.write(lock, JSON.stringify({ host: hostname(), pids: [gone.child.pid] }))
    const runs = [1, 2, 3].map(() => checkout.run([start, 'ask'], { npm: 'wait 300' }))
    expect((await Promise.all(runs)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    expect(checkout.npmCalls()).toHaveLength(1)
  })
})

describe('a Node that is too old', () => {
  /** Makes a Node believe that it is an old one; what it starts does not. */
  const pretend = `data:text/javascript,
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })`
  const old = ['--import', pretend.replaceAll(/\s+/g, ' ')]
  const ownNode = ownNodePath()?.slice(root.length) ?? ''

  it.skipIf(ownNode === '')(
    'gets a newer one, which runs the command line and is first in PATH',
    async () => {
      const first = await checkout.run([...old, start, 'ask'], { node: ownNode })
      expect(first.stderr).toContain('fetching a newer Node than 20.20.2')
      const told = JSON.parse(first.stdout)
      expect(told).toMatchObject({ args: ['ask'], path: join(checkout.folder, ownNode, '..') })
      const second = await checkout.run([...old, start, 'fail'], { node: ownNode })
      expect(second).toMatchObject({ exitCode: 3, stderr: '' })
      expect(checkout.npmCalls()).toHaveLength(2)
    },
  )

  it.skipIf(ownNode === '').each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)('passes %s on, waits, and gives back the exit code', async (signal, exitCode) => {
    await checkout.run([...old, start, 'ask'], { node: ownNode })
    const { child, outcome } = checkout.start([...old, start, 'wait'])
    await Promise.race([once(child.stdout ?? child, 'data'), outcome])
    child.kill(signal)
    const ended = await outcome
    expect(ended.exitCode).toBe(exitCode)
    expect(ended.stdout).toContain(signal)
  })

  it('says what to do when npm did not install one, and tries again the next time', async () => {
    const { exitCode, stdout, stderr } = await checkout.run([...old, start, 'ask'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('Scholium needs Node 22.18 or newer; this is 20.20.2')
    expect(stderr).toContain('Install a newer Node')
    await checkout.run([...old, start, 'ask'])
    expect(checkout.npmCalls()).toHaveLength(2)
  })

  it('says why npm did not fetch one, which npm itself takes for success', async () => {
    const fakes = { npm: 'note http fetch GET https://x/node attempt 1 failed with ENOTFOUND' }
    const { exitCode, stderr } = await checkout.run([...old, start, 'ask'], fakes)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('could not be fetched: the package registry could not be reached')
  })

  it('is refused by the command itself, with exit code 2', async () => {
    const { exitCode, stderr } = await checkout.run([...old, 'bin/scholium.js', 'ask'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Run `npm start` once')
  })

  it.each([
    ['18.20.8', false],
    ['22.17.1', false],
    ['22.18.0', true],
    ['23.5.0', false],
    ['23.6.0', true],
    ['24.0.0', true],
    ['26.10.0', true],
  ])('%s is supported: %s', (version, isSupported) => {
    expect(isSupportedNode(version)).toBe(isSupported)
  })
})

describe('scholium', () => {
  const command = 'bin/scholium.js'

  it('prints the version of the package alone', async () => {
    expect(await checkout.run([command, '--version'])).toEqual({
      exitCode: 0,
      stdout: '1.2.3\n',
      stderr: '',
    })
  })

  it('runs the build where there are no sources', async () => {
    checkout.write('dist/cli/main.js', 'export const main = async () => 7')
    expect((await checkout.run([command])).exitCode).toBe(0)
    checkout.write('dist/files/cache-folder.js', 'export function keepCompiledCode() {}')
    await checkout.run(['-e', "require('fs').rmSync('src', { recursive: true })"])
    expect((await checkout.run([command])).exitCode).toBe(7)
  })

  it('says what to do when a package is missing', async () => {
    checkout.write('src/cli/main.ts', "import 'not-there'")
    const { exitCode, stderr } = await checkout.run([command])
    expect(exitCode).toBe(2)
    expect(stderr).toBe(
      'scholium: The package not-there is not installed. Run `npm start` once in its folder.\n',
    )
  })

  it('hides the note about node:sqlite and no other warning', async () => {
    const warn = (text: string) => `process.emitWarning('${text}', 'ExperimentalWarning')`
    const lines = [warn('SQLite is an experimental feature'), warn('Other is one too')]
    checkout.write('src/cli/main.ts', `${lines.join('\n')}\nexport const main = () => 0`)
    const { stderr } = await checkout.run([command])
    expect(stderr).toContain('Other is one too')
    expect(stderr).not.toContain('SQLite')
  })
})

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(20)
}
