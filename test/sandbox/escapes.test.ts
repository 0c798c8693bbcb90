import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'
import { attacks, lastAttacks } from './attacks.ts'

// However slow the machine is, every attack is to be tried.
const sandbox = createSandbox({ limits: { wallMs: 60_000 }, spareMs: 0 })
// Most attacks leave no interpreter behind; where one is left, the next attack finds it as it was.
const session = sandbox.openSession()
const never = new AbortController().signal
const target = join(tmpdir(), `scholium-escape-${process.pid}`)
const pyodide = fileURLToPath(import.meta.resolve('pyodide/package.json'))
let connections = 0
const server = createServer((socket) => {
  connections++
  socket.destroy()
})

const run = (code: string) => session.run({ language: 'python', code }, never)
const runAlone = (code: string) => sandbox.run({ language: 'python', code }, never)
const facts = () => {
  const { port } = server.address() as { readonly port: number }
  return [
    `PORT, PARENT = ${port}, ${process.pid}`,
    `TARGET, PACKAGE = ${JSON.stringify(target)}, ${JSON.stringify(pyodide)}`,
  ].join('\n')
}

beforeAll(async () => {
  process.env.SCHOLIUM_SECRET = 'secret'
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  delete process.env.SCHOLIUM_SECRET
  server.close()
  await sandbox.close()
})

describe('Python in the sandbox', () => {
  it('gets nothing by what it tries', async () => {
    const code = `
${facts()}
tried, came = 0, {}
for name, attack in ${JSON.stringify(attacks)}.items():
  tried += 1
  print(name)
  names = dict(globals(), harm=None)
  try:
    exec(attack, names)
    if names['harm']: came[name] = str(names['harm'])[:200]
  except BaseException:
    pass
[tried, came]`
    const { output, value, error, figures } = await run(code)
    expect(error, output).toBeNull()
    expect(value).toEqual([Object.keys(attacks).length, {}])
    expect(figures.join()).not.toContain('<script')
    expect(connections).toBe(0)
  }, 90_000)

  it('writes files that nobody else sees', async () => {
    const code = `
import os
target = ${JSON.stringify(target)}
os.makedirs(os.path.dirname(target), exist_ok=True)
open(target, 'w').write('x')`
    expect((await run(code)).value).toBe(1)
    expect(existsSync(target)).toBe(false)
  }, 90_000)

  // Last, since each ends its interpreter, and Python takes seconds to start.
  it.each(Object.entries(lastAttacks))(
    'harms only itself when it %s',
    async (_, attack) => {
      const { value, error, figures } = await run(`${facts()}\n${attack}`)
      const harmless = ['SandboxCrashed', 'MemoryLimitExceeded', 'RecursionError', 'MemoryError']
      expect(value).toBeNull()
      expect(error?.type).toBeOneOf(harmless)
      expect(figures).toEqual([])
      expect(existsSync(target)).toBe(false)
    },
    90_000,
  )

  it('leaves nothing for the next run', async () => {
    const leave = `import builtins, json; builtins.left = 1; json.left = 1; open('/tmp/left', 'w')`
    const find = `
import builtins, json, os
[hasattr(builtins, 'left'), hasattr(json, 'left'), os.path.exists('/tmp/left')]`
    await runAlone(leave)
    expect((await runAlone(find)).value).toEqual([false, false, false])
  }, 90_000)
})
