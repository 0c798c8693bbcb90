import type { CommandSpec } from '../../arguments/command-spec.ts'
import type { OptionSpec } from '../../arguments/option.ts'
import { noWebOption } from '../../arguments/shared-options.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'
import { answerExits } from '../ask/ask-command.ts'

const modelOption: OptionSpec = {
  name: 'model',
  value: 'NAME',
  isRepeatable: true,
  help: 'The language model, such as ollama:llama3.2 or openai:gpt-5.4-mini; "scholium models" lists providers. ROLE=NAME sets one role: analyzer, synthesizer, verifier, embedding. Default: the built-in extractive engine, which is no language model.',
}

/** Which papers are looked for, and where. */
const searchOptions: readonly OptionSpec[] = [
  {
    name: 'category',
    value: 'CATEGORY',
    help: 'Only papers of this category of arXiv, such as cs.CL. What has no category, such as a PDF, counts as well.',
  },
  { name: 'count', short: 'n', value: 'N', help: 'How many papers at most, 1 to 20. Default: 5.' },
  {
    name: 'source',
    value: 'PATH',
    isRepeatable: true,
    help: 'A folder of PDFs, a file, or the word "library": only there, and with --web at arXiv and others too. Default: the library, or with --web the others alone.',
  },
  {
    name: 'web',
    help: 'Ask arXiv, Semantic Scholar and OpenAlex, and download what is free. Default: what the configuration says, else no; nothing but calls of models then leaves this machine.',
  },
  noWebOption,
  {
    name: 'mcp-arxiv',
    value: 'SERVER',
    help: 'With --web: ask arXiv through this MCP server of your .mcp.json first, and arXiv itself where that fails.',
  },
]

/** What is done with them. */
const workOptions: readonly OptionSpec[] = [
  {
    name: 'threshold',
    value: 'SHARE',
    help: 'Leave papers out whose analysis has a confidence below this, 0 to 1. Default: 0.7.',
  },
  {
    name: 'concurrency',
    value: 'N',
    help: 'How many papers are worked on at once, 1 to 16. Default: 4.',
  },
  {
    name: 'claims',
    value: 'POLICY',
    help: 'What becomes of sentences that their pages do not bear out. mark: they are delivered with their verdicts (default); strict: left out; off: nothing is checked.',
  },
]

/** What is made of the result, and of earlier ones. */
const resultOptions: readonly OptionSpec[] = [
  {
    name: 'report',
    value: 'FILE',
    isRepeatable: true,
    help: 'Write a report into this file: .md, or .html as a page that needs nothing else. No file is replaced.',
  },
  {
    name: 'matrix',
    value: 'FILE.csv',
    help: 'Write papers × points into this file: who supports what, who disputes it, on which page.',
  },
  {
    name: 'references',
    value: 'FILE',
    help: 'Write the references into this file: .bib, .ris or .json (CSL).',
  },
  {
    name: 'continue',
    value: 'RUN',
    help: 'Go on from this run ("last" for the newest): keep its papers, analyses and numbers, and make the synthesis anew with what --add brings.',
  },
  {
    name: 'add',
    value: 'WHAT',
    isRepeatable: true,
    help: 'With --continue: a PDF, a folder, or words to search for: in the library, with --web at arXiv too.',
  },
  {
    name: 'fresh',
    help: 'Do the work anew although the same was asked before; else the earlier result is given again, at once and free.',
  },
]

/** `scholium papers` for the help and the reading of its arguments. */
export const papers: CommandSpec = {
  name: 'papers',
  parameters: 'QUERY',
  words: [0, Infinity],
  summary: 'Read papers on a topic: what they agree on, where not, what is open.',
  details: [
    'Papers are searched, downloaded, read and analysed one by one; a synthesis says what they agree on, where they contradict each other and what they leave open, and each point names the pages that say it.',
    'Without the network it works on the library and on folders of PDFs. --web lets it search arXiv.',
    'Asked the same again, with the same papers and models, it gives the earlier result; --fresh asks anew.',
    `${answerExits} An interrupted run can be resumed: no paper is downloaded, read or analysed twice.`,
  ],
  options: [
    ...searchOptions,
    ...workOptions,
    ...resultOptions,
    ...drivingOptions.map((option) => (option.name === 'model' ? modelOption : option)),
  ],
  examples: [
    ['scholium papers "sparse attention" --source papers/', 'a folder of PDFs, offline'],
    ['scholium papers "sparse attention" --web --category cs.CL -n 8', 'from arXiv'],
    [
      'scholium papers "sparse attention" --source papers/ --report report.html --matrix matrix.csv',
      'a report and a table for a spreadsheet',
    ],
    ['scholium papers --continue last --add new.pdf', 'one more paper'],
    ['scholium papers "sparse attention" --source papers/ --model openai:gpt-5.4-mini', ''],
  ],
  load: async () => (await import('./papers.ts')).runPapers,
}
