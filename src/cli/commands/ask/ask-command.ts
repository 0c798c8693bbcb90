import type { CommandSpec } from '../../arguments/command-spec.ts'
import type { OptionSpec } from '../../arguments/option.ts'
import { mcpOptions, noWebOption, webOption } from '../../arguments/shared-options.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'

/** Takes Python from the expert. */
const noPythonOption: OptionSpec = {
  name: 'no-python',
  help: 'Let the expert run no Python. Default: it may, in a process without files and network, where the package for it is installed.',
}

/** The exit codes of the commands that drive a question. */
export const answerExits =
  'Exit code: 0 answered, 1 failed, 2 wrong usage, 3 partial or unanswered, 130 interrupted.'

/** `scholium ask` for the help and the reading of its arguments. */
export const ask: CommandSpec = {
  name: 'ask',
  parameters: 'QUESTION',
  words: [0, Infinity],
  summary: 'Answer a question from your files; every sentence names its place.',
  details: [
    'A team plans, searches, reads, calculates and is criticised; each sentence of the answer is then checked against the place that it cites. An empty library is stood in for by the sample library.',
    'Several words without quotes are joined. "-" reads the question from stdin, "@FILE" from a file.',
    `${answerExits} An interrupted run can be resumed; its id is printed.`,
  ],
  options: [
    {
      name: 'source',
      value: 'PATH',
      isRepeatable: true,
      help: 'A file or folder to search for this question beside the library.',
    },
    {
      name: 'continue',
      value: 'RUN',
      help: 'Go on from the answer of this run ("last" for the newest), with its sources, numbers and settings; the web has to be granted again (--web). The question may leave out what the ones before it say.',
    },
    webOption,
    noWebOption,
    ...mcpOptions,
    noPythonOption,
    ...drivingOptions,
    {
      name: 'retry-limit',
      value: 'N',
      help: 'End after so many rejections by critics. Default: 5.',
    },
    {
      name: 'claims',
      value: 'POLICY',
      help: 'What becomes of sentences that their sources do not bear out. mark: they are delivered with their verdicts (default); strict: rewritten once with their passages, else left out; off: nothing is checked.',
    },
    {
      name: 'answer-format',
      value: 'FORM',
      help: 'full: sentences with their citations (default); short: a number, a few words or a list with commas alone, and below it the sentences from which it was made.',
    },
    {
      name: 'approve-plan',
      help: 'Show the plan and wait for a yes, a no, or what to change, before it is worked on. Without a terminal the run waits for: scholium resume RUN --answer approve',
    },
    {
      name: 'sequential',
      help: 'Work on research steps one after the other, not on up to four at once.',
    },
    {
      name: 'no-sequential',
      help: 'Work on up to four research steps at once although the question before (--continue) did not.',
    },
  ],
  examples: [
    ['scholium ask "What is CRISPR and who invented it?"', ''],
    ['scholium ask "What does the trial conclude?" --source trial.pdf', 'of one file'],
    ['scholium ask --continue last "and in 2020?"', 'after another question'],
    ['scholium ask @question.txt --json', 'one JSON object for programs'],
    ['scholium ask "How fast is light?" --model ollama:llama3.2', 'with a language model'],
  ],
  load: async () => (await import('./ask.ts')).runAsk,
}
