// A process that ran Lua, keeps a spare process for the next run, and is to be killed.
import { createSandbox } from '../../src/tools/sandbox/sandbox.ts'

const sandbox = createSandbox()
await sandbox.run({ language: 'lua', code: '1' }, new AbortController().signal)
process.stdout.write('ready\n')
setInterval(() => {}, 1_000)
