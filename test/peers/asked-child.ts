// Asks over a home, or resumes its last run, and writes the answer to stdout: node asked-child.ts '{"home":…,"killAt":"key"}'. With `killAt` it kills itself at the first event that is called so.
import { writeSync } from 'node:fs'
import { createApp } from '../../src/index.ts'

const { asked, resume, killAt, ...options } = JSON.parse(process.argv[2] ?? '{}')
const app = createApp(options)
const onEvent = (event: { readonly type: string; readonly key: string }) => {
  if (killAt !== undefined && `${event.type} ${event.key}`.includes(killAt))
    process.kill(process.pid, 'SIGKILL')
}
const answer = resume ? await app.resume('last', { onEvent }) : await app.ask(asked, { onEvent })
writeSync(1, JSON.stringify(answer))
await app.close()
