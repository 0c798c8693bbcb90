import type { CommandSpec } from '../../arguments/command-spec.ts'
import { runOptions } from '../../arguments/option.ts'
import { webOption } from '../../arguments/shared-options.ts'

/** `scholium eval` for the help and the reading of its arguments. */
export const evalCommand: CommandSpec = {
  name: 'eval',
  parameters: 'QUESTIONS.jsonl',
  words: [1, 1],
  summary: 'Ask every question of a file and score the answers.',
  details: [
    'A line is one JSON object: {"question": …, "answer": …}, if wanted with "id", "answers", "labels", and "files" or "context". The records of HotpotQA, GSM8K, SVAMP, PubMedQA, FEVER, Climate-FEVER and SciFact are known as they are published.',
    'Each question is a run, which "scholium runs show" shows. The folder of the evaluation keeps what was done: the same command again goes on where it ended, and asks nothing twice. It holds results.jsonl and report.html, a page with charts that needs nothing else.',
    'Scores: exact match and F1 as in SQuAD, the rules of GAIA, labels, claims that their sources support, cost, time. Limits hold for each question by itself.',
    'Exit code: 0 when every question was asked, 1 when some failed, 3 when lines could not be read, 130 when it was interrupted.',
  ],
  options: [
    {
      name: 'workflow',
      value: 'NAME',
      help: 'What answers: ask (default). It is the only workflow that can be scored so far.',
    },
    {
      name: 'out',
      value: 'DIR',
      help: 'The folder of the evaluation. Default: eval- and the name of the file.',
    },
    { name: 'concurrency', value: 'N', help: 'How many questions at once. Default: 2.' },
    {
      name: 'limit',
      value: 'N',
      help: 'Ask only the first so many. A higher limit later goes on.',
    },
    {
      name: 'answer-format',
      value: 'FORM',
      help: 'short: a number, a few words or a list alone, which can be compared (default); full: sentences with their citations.',
    },
    {
      name: 'source',
      value: 'PATH',
      isRepeatable: true,
      help: 'A file or folder to search for every question beside the library and its own.',
    },
    webOption,
    ...runOptions,
    {
      name: 'retry-limit',
      value: 'N',
      help: 'End a question after so many rejections by critics. Default: 5.',
    },
    { name: 'claims', value: 'POLICY', help: 'mark (default), strict or off, as for ask.' },
  ],
  examples: [
    ['scholium eval questions.jsonl', ''],
    [
      'scholium eval gsm8k.jsonl --limit 50 --model ollama:llama3.2',
      'the first 50, with a language model',
    ],
    ['scholium eval questions.jsonl --json > scores.json', 'the scores for programs'],
  ],
  load: async () => (await import('./eval.ts')).runEval,
}
