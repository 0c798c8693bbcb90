import type { CommandSpec } from '../../arguments/command-spec.ts'

const exportCommand: CommandSpec = {
  name: 'export',
  parameters: 'RUN [FILE]',
  words: [1, 2],
  summary: 'Write a run into one file that anybody can check: answer, log, sources.',
  details: [
    'RUN is an id, its beginning or its end, or "last"; FILE is RUN.scholium when it is left out. The same run gives the same bytes, whenever and wherever it is exported. Nothing is written when a secret would be in it, and no file is written over but a bundle of the same run; one that is signed only by another that is.',
    'The root hash that is printed names the bundle: give it to those who shall check it.',
  ],
  options: [
    { name: 'sign', value: 'KEY.pem', help: 'Sign it with an ed25519 private key in PEM.' },
    {
      name: 'without-text',
      help: "Leave the sources' texts out, but for the passages that were read under cited numbers.",
    },
  ],
  examples: [
    ['scholium export last', ''],
    ['scholium export 20261120-4kz9qd answer.scholium --sign key.pem', ''],
  ],
  load: async () => (await import('./export.ts')).runExport,
}

const verifyCommand: CommandSpec = {
  name: 'verify',
  parameters: 'FILE',
  words: [1, 1],
  summary: 'Check a bundle from its bytes alone, or the citations of any Markdown.',
  details: [
    'Of a bundle: hashes, log, quotes and verdicts. No model, no network and none of the original files are needed. Without --expect or --key a bundle is only shown to agree with itself. Exit code: 0 when it is sound, 1 when not or when it is no bundle, 2 when there is no such file, or HASH or KEY is none.',
    'Of a document in Markdown (.md, .txt and the like, or any file with --source), ours or not: whether each place that it cites is found, and whether it says what the sentence says, as far as code can tell. The places are looked for in --source, or else among the files that it names beside it, and in the library. Exit code: 0 when nothing fails, 3 when a cited place is not found or does not say it.',
  ],
  options: [
    {
      name: 'source',
      value: 'PATH',
      isRepeatable: true,
      help: 'Where the places are that a Markdown file cites: a file or folder.',
    },
    {
      name: 'no-links',
      help: 'Of a document: only numbers, names and footnotes cite, links do not.',
    },
    { name: 'expect', value: 'HASH', help: 'The root hash that it should have: 64 hex digits.' },
    {
      name: 'key',
      value: 'KEY',
      help: 'The public key that should have signed it: its 64 hex digits, or a file in PEM.',
    },
  ],
  examples: [
    ['scholium verify answer.scholium', ''],
    ['scholium verify answer.scholium --key key.pub', 'and whose it is'],
    ['scholium verify report.md --source papers/', 'the citations of a document'],
    ['scholium verify answer.scholium --json', 'every check and what is wrong where, as JSON'],
  ],
  load: async () => (await import('./verify.ts')).runVerify,
}

/** The commands that hand a run to somebody else, and look at what was handed over. */
export const bundleCommands: readonly CommandSpec[] = [exportCommand, verifyCommand]
