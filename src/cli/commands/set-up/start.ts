import { fileURLToPath } from 'node:url'
import { withApp } from '../../arguments/app-settings.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { executeRun } from '../../execute-run.ts'

const question = 'What is CRISPR and who invented it?'

const next = [
  ['scholium ask "How fast is light?"', 'ask the sample library another question'],
  ['scholium ask "What is new?" --source paper.pdf', 'ask about one of your files'],
  ['scholium library add FOLDER', 'add your own PDF, Markdown and text files'],
  ['scholium runs show last', 'see how the answer was produced'],
  ['scholium replay last', 're-run it from its log and compare'],
  ['scholium --help', 'all commands'],
] as const

/** `scholium start`, run by `npm start`: a first answer, and what to try next. */
export const runStart: RunCommand = async (invocation) => {
  const { terminal, options } = invocation
  const samples = fileURLToPath(new URL('../../../../samples/library', import.meta.url))
  if (!options.has('quiet')) terminal.tell(`Asking the sample library: ${question}\n`)
  return withApp(
    invocation,
    async (app) => {
      const exitCode = await executeRun({
        invocation,
        drive: (execution) => app.ask({ question, sources: [samples] }, execution),
      })
      if (exitCode !== 130 && !options.has('quiet')) terminal.tell(terminal.asTyped(tryNext()))
      return exitCode
    },
    'new',
  )
}

function tryNext(): string {
  const lines = next.map(([command, meaning]) => `  ${command}\n      ${meaning}`)
  return `\nWhat to try next:\n${lines.join('\n')}`
}
