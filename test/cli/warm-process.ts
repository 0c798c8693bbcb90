// A process that runs one command line after another, each over streams, an environment and a folder of its own, so that
// hundreds of tests do not each wait for the same modules to load. Started by `warm-command.ts`.
import { Readable, Writable } from 'node:stream'
import { main } from '../../src/cli/main.ts'
import type { Host } from '../../src/cli/terminal.ts'
import type { WarmCall, WarmOutcome } from './warm-command.ts'

process.on('message', async (call: WarmCall) => {
  process.send?.(await answer(call))
})
// The test that started it has ended.
process.on('disconnect', () => process.exit())

async function answer({ args, env, cwd, stdin }: WarmCall): Promise<WarmOutcome> {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  const [stdout, stderr] = [collected(), collected()]
  const host: Host = {
    stdin: Readable.from(stdin.length === 0 ? [] : [Buffer.from(stdin, 'base64')]) as Host['stdin'],
    stdout: stdout.stream,
    stderr: stderr.stream,
    env: process.env,
    cwd: () => cwd,
  }
  const exitCode = await main(args, host)
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() }
}

/** A stream that is no terminal, and what was written to it. */
function collected(): { readonly stream: Host['stdout']; text(): string } {
  const written: Buffer[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      written.push(chunk)
      done()
    },
  })
  return { stream: stream as Host['stdout'], text: () => Buffer.concat(written).toString() }
}
