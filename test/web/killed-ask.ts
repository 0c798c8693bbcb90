// Asks with the web on and kills its own process right after a tool call of which the log has the end: node killed-ask.ts '{"home":…}'
import { createApp } from '../../src/index.ts'

const { question, killAfter, ...options } = JSON.parse(process.argv[2] ?? '{}')
const app = createApp(options)
await app.ask(
  { question, web: true },
  {
    onEvent: (event) => {
      if (event.type === 'step.done' && event.key.includes(killAfter))
        process.kill(process.pid, 'SIGKILL')
    },
  },
)
