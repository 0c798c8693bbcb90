import type { CommandSpec } from '../../arguments/command-spec.ts'
import type { OptionSpec } from '../../arguments/option.ts'
import { noWebOption } from '../../arguments/shared-options.ts'
import { drivingOptions } from '../../arguments/trace-options.ts'
import { answerExits } from '../ask/ask-command.ts'

const modelOption: OptionSpec = {
  name: 'model',
  value: 'NAME',
  isRepeatable: true,
  help: 'Language model, such as ollama:llama3.2 or openai:gpt-5.4-mini; "scholium models" lists providers. ROLE=NAME sets one role: analyzer, synthesizer, verifier, embedding. Default: the built-in extractive engine, which is not a language model.',
}

/** Which papers to search for, and where. */
const searchOptions: readonly OptionSpec[] = [
  {
    name: 'category',
    value: 'CATEGORY',
    help: 'Only papers of this arXiv category, such as cs.CL. Papers without a category, such as local PDFs, are kept.',
  },
  { name: 'count', short: 'n', value: 'N', help: 'Maximum number of papers, 1 to 20. Default: 5.' },
  {
    name: 'source',
    value: 'PATH',
    isRepeatable: true,
    help: 'Where to look: a folder of PDFs, a file, or "library". With --web, online services are searched as well. Default: the library, or with --web only online services.',
  },
  {
    name: 'web',
    help: 'Search arXiv, Semantic Scholar and OpenAlex, and download free PDFs. Default: as configured, otherwise no; then only model calls leave this machine.',
  },
  noWebOption,
  {
    name: 'mcp-arxiv',
    value: 'SERVER',
    help: 'With --web: search arXiv through this MCP server of your .mcp.json first, falling back to arXiv itself.',
  },
]

/** How to process them. */
const workOptions: readonly OptionSpec[] = [
  {
    name: 'threshold',
    value: 'SHARE',
    help: 'Leave out papers whose analysis has a confidence below this, 0 to 1. Default: 0.7.',
  },
  {
    name: 'concurrency',
    value: 'N',
    help: 'Number of papers processed in parallel, 1 to 16. Default: 4.',
  },
  {
    name: 'claims',
    value: 'POLICY',
    help: 'How to treat unsupported sentences. mark: keep them with their verdicts (default); strict: leave them out; off: check nothing.',
  },
]

/** What to do with the result, and with earlier ones. */
const resultOptions: readonly OptionSpec[] = [
  {
    name: 'report',
    value: 'FILE',
    isRepeatable: true,
    help: 'Write a report to this file: .md, or .html for a self-contained page. Never overwrites a file.',
  },
  {
    name: 'matrix',
    value: 'FILE.csv',
    help: 'Write a table of papers × points to this file: which paper supports or disputes which point, and on which page.',
  },
  {
    name: 'references',
    value: 'FILE',
    help: 'Write the references to this file: .bib, .ris or .json (CSL).',
  },
  {
    name: 'continue',
    value: 'RUN',
    help: 'Extend this run ("last" for the newest): keep its papers, analyses and citation numbers, add those of --add, and write a new synthesis.',
  },
  {
    name: 'add',
    value: 'WHAT',
    isRepeatable: true,
    help: 'With --continue: add a PDF, a folder, or the results of a search in the library (with --web also arXiv).',
  },
  {
    name: 'fresh',
    help: 'Do not reuse the result of an identical earlier query.',
  },
]

/** Help and options of `scholium papers`. */
export const papers: CommandSpec = {
  name: 'papers',
  parameters: 'QUERY',
  words: [0, Infinity],
  summary: 'Review papers on a topic: agreements, contradictions and open questions.',
  details: [
    'Finds, downloads, reads and analyses papers, then writes a synthesis: what they agree on, where they contradict each other, and what remains open. Every point cites its pages.',
    'Works offline on the library and on folders of PDFs. --web lets it search arXiv and other services.',
    'The same query with the same papers and models returns the earlier result at no cost, unless --fresh is given.',
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
      'with a report and a spreadsheet table',
    ],
    ['scholium papers --continue last --add new.pdf', 'add a paper'],
    ['scholium papers "sparse attention" --source papers/ --model openai:gpt-5.4-mini', ''],
  ],
  load: async () => (await import('./papers.ts')).runPapers,
}
