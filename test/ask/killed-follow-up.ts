// Asks a follow-up question and kills its own process once the research is done: node killed-follow-up.ts '{"home":…}'
import { createApp } from '../../src/index.ts'

const { question, continue: run, ...options } = JSON.parse(process.argv[2] ?? '{}')
await createApp(options).ask(
  { question, continue: run },
  {
    onEvent: (event) => {
      if (event.type === 'step.done' && event.key.startsWith('ask/expert[1]/'))
        process.kill(process.pid, 'SIGKILL')
    },
  },
)
