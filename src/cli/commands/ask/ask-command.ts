import type { CommandSpec } from '../../arguments/command-spec.ts'
import type { OptionSpec } from '../../arguments/option.ts'
import { mcpOptions, noWebOption, webOption } from '../../arguments/shared-options.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'

/** Withholds Python from the expert. */
const noPythonOption: OptionSpec = {
  name: 'no-python',
  help: 'Do not let the expert run Python. Default: allowed if the Python package is installed, in a sandbox without files or network.',
}

/** The exit codes of commands that answer a question. */
export const answerExits =
  'Exit code: 0 answered, 1 failed, 2 usage error, 3 partially answered or unanswered, 130 interrupted.'

/** Help and options of `scholium ask`. */
export const ask: CommandSpec = {
  name: 'ask',
  parameters: 'QUESTION',
  words: [0, Infinity],
  summary: 'Answer a question from your files, with a citation for every sentence.',
  details: [
    'A team of agents plans, researches, calculates and reviews. Every sentence of the answer is then checked against the passage it cites. If your library is empty, the sample library is used.',
    'Unquoted words are joined. "-" reads the question from stdin, "@FILE" from a file.',
    `${answerExits} An interrupted run can be resumed; its id is printed.`,
  ],
  options: [
    {
      name: 'source',
      value: 'PATH',
      isRepeatable: true,
      help: 'Search this file or folder for this question, in addition to the library.',
    },
    {
      name: 'continue',
      value: 'RUN',
      help: 'Follow up on this run ("last" for the newest), keeping its sources, citation numbers and settings; web access must be granted again (--web). The question may refer to earlier ones.',
    },
    webOption,
    noWebOption,
    ...mcpOptions,
    noPythonOption,
    ...drivingOptions,
    {
      name: 'depth',
      value: 'DEPTH',
      help: 'How much work goes into the answer. quick: one agent searches and writes it, in 2 or 3 model calls; standard: a team with the critics that are needed (default); thorough: a critic judges every step. The claims are checked in all three.',
    },
    {
      name: 'estimate',
      help: 'Print the expected model calls, tokens and dollars, from earlier questions of the same depth and models, and ask nothing.',
    },
    {
      name: 'retry-limit',
      value: 'N',
      help: 'Stop after N critic rejections. Default: 5.',
    },
    {
      name: 'claims',
      value: 'POLICY',
      help: 'How to treat unsupported sentences. mark: keep them with their verdicts (default); strict: rewrite them once from their passages, otherwise leave them out; off: check nothing.',
    },
    {
      name: 'answer-format',
      value: 'FORM',
      help: 'full: sentences with citations (default); short: only a number, a few words or a comma-separated list, followed by the sentences it is based on.',
    },
    {
      name: 'approve-plan',
      help: 'Show the plan and ask for approval or changes before it is carried out. Without a terminal the run waits for: scholium resume RUN --answer approve',
    },
    {
      name: 'sequential',
      help: 'Run research steps one at a time instead of up to four in parallel.',
    },
    {
      name: 'no-sequential',
      help: 'Run up to four research steps in parallel even if the continued run did not.',
    },
  ],
  examples: [
    ['scholium ask "What is CRISPR and who invented it?"', ''],
    ['scholium ask "What does the trial conclude?" --source trial.pdf', 'about one file'],
    ['scholium ask --continue last "and in 2020?"', 'a follow-up question'],
    ['scholium ask --depth quick "Who found penicillin?"', 'a quick answer'],
    ['scholium ask @question.txt --json', 'JSON output for scripts'],
    ['scholium ask "How fast is light?" --model ollama:llama3.2', 'with a language model'],
  ],
  load: async () => (await import('./ask.ts')).runAsk,
}
