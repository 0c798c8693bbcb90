import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { commands } from './arguments/commands.ts'
import { blockOn } from './progress/live-block.ts'
import { type Host, Terminal } from './terminal.ts'

/** A terminal that gives its size as these numbers. */
function terminalOf(size: { readonly columns: number; readonly rows: number }) {
  const stream = () => Object.assign(new PassThrough(), { isTTY: true, ...size })
  const [stdout, stderr] = [stream(), stream()]
  const host = { stdin: process.stdin, stdout, stderr, env: {}, cwd: () => '/' } as unknown as Host
  return { terminal: new Terminal(host, { hasColor: false }), stderr }
}

describe('Terminal', () => {
  it('writes every command as it is typed in a checkout', () => {
    const host = { stdin: process.stdin, stdout: new PassThrough(), stderr: new PassThrough() }
    const env = { npm_lifecycle_event: 'start', npm_package_name: 'scholium' }
    const typed = new Terminal({ ...host, env, cwd: () => '/' } as unknown as Host, {
      hasColor: false,
    })
    for (const { name } of commands)
      expect(typed.asTyped(`Say scholium ${name} now.`)).toBe(`Say npm start -- ${name} now.`)
    expect(typed.asTyped('scholium is a program')).toBe('scholium is a program')
  })

  it('takes a terminal that does not know its size for one of 80 columns', () => {
    const { terminal } = terminalOf({ columns: 0, rows: 0 })
    expect([terminal.stdout.columns, blockOn(terminal).columns]).toEqual([80, 79])
    expect(blockOn(terminal).rows).toBeGreaterThan(10)
    expect(terminalOf({ columns: 40, rows: 5 }).terminal.stdout.columns).toBe(40)
  })
})
