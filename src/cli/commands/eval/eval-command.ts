import type { CommandSpec } from '../../arguments/command-spec.ts'
import { runOptions } from '../../arguments/option.ts'
import { webOption } from '../../arguments/shared-options.ts'

/** Help and options of `scholium eval`. */
export const evalCommand: CommandSpec = {
  name: 'eval',
  parameters: 'QUESTIONS.jsonl',
  words: [1, 1],
  summary: 'Answer every question in a file and score the answers.',
  details: [
    'Each line is a JSON object: {"question": …, "answer": …}, optionally with "id", "answers", "labels", and "files" or "context". The published formats of HotpotQA, GSM8K, SVAMP, PubMedQA, FEVER, Climate-FEVER and SciFact are recognised.',
    'Each question is a run that "scholium runs show" can show. The output folder holds results.jsonl and report.html, a self-contained page with charts. If the command is interrupted, run it again: it continues and asks no question twice.',
    "Scores: exact match and F1 as in SQuAD, GAIA's rules, labels, supported claims, cost and time. Limits apply to each question separately.",
    'Exit code: 0 if every question was asked, 1 if some failed, 3 if some lines could not be read, 130 if interrupted.',
  ],
  options: [
    {
      name: 'workflow',
      value: 'NAME',
      help: 'Workflow to evaluate: ask (default), the only one that can be scored so far.',
    },
    {
      name: 'out',
      value: 'DIR',
      help: 'Output folder. Default: eval- followed by the file name.',
    },
    {
      name: 'concurrency',
      value: 'N',
      help: 'Number of questions answered in parallel. Default: 2.',
    },
    {
      name: 'limit',
      value: 'N',
      help: 'Ask only the first N questions. Run again with a higher limit to continue.',
    },
    {
      name: 'answer-format',
      value: 'FORM',
      help: 'short: only a number, a few words or a list, which can be compared (default); full: sentences with citations.',
    },
    {
      name: 'source',
      value: 'PATH',
      isRepeatable: true,
      help: "Search this file or folder for every question, in addition to the library and the question's own files.",
    },
    webOption,
    ...runOptions,
    {
      name: 'retry-limit',
      value: 'N',
      help: 'Stop a question after N critic rejections. Default: 5.',
    },
    { name: 'depth', value: 'DEPTH', help: 'quick, standard (default) or thorough, as for ask.' },
    { name: 'claims', value: 'POLICY', help: 'mark (default), strict or off, as for ask.' },
  ],
  examples: [
    ['scholium eval questions.jsonl', ''],
    [
      'scholium eval gsm8k.jsonl --limit 50 --model ollama:llama3.2',
      'the first 50, with a language model',
    ],
    ['scholium eval questions.jsonl --json > scores.json', 'scores for scripts'],
  ],
  load: async () => (await import('./eval.ts')).runEval,
}
