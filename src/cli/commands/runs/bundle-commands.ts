import type { CommandSpec } from '../../arguments/command-spec.ts'

const exportCommand: CommandSpec = {
  name: 'export',
  parameters: 'RUN [FILE]',
  words: [1, 2],
  summary: 'Export a run as one file that anyone can verify: answer, log and sources.',
  details: [
    'RUN is a run id, its first or last characters, or "last". FILE defaults to RUN.scholium. Exports are reproducible: the same run always gives the same bytes. Nothing is written if the bundle would contain a secret. Only an older bundle of the same run is overwritten, and a signed one only by a signed one.',
    'The printed root hash identifies the bundle: pass it on to whoever verifies it.',
  ],
  options: [
    { name: 'sign', value: 'KEY.pem', help: 'Sign it with an Ed25519 private key in PEM format.' },
    {
      name: 'without-text',
      help: 'Leave out the full texts of sources; include only the passages behind the citations.',
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
  summary: 'Verify a bundle offline, or check the citations of any Markdown file.',
  details: [
    'For a bundle, it checks hashes, log, quotes and verdicts, without a model, the network or the original files. Without --expect or --key, it only shows that the bundle is consistent with itself. Exit code: 0 if valid, 1 if not valid or not a bundle, 2 if the file does not exist or HASH or KEY is malformed.',
    'For any Markdown document (.md, .txt and the like, or any file with --source), it checks whether each cited passage exists and, as far as code can tell, supports the sentence. Citations are resolved in --source, otherwise in files next to the document that it names, and in the library. Exit code: 0 if nothing fails, 3 if a citation is missing or does not support its sentence.',
  ],
  options: [
    {
      name: 'source',
      value: 'PATH',
      isRepeatable: true,
      help: 'A file or folder that the Markdown file cites.',
    },
    {
      name: 'no-links',
      help: 'For documents: do not treat links as citations, only numbers, names and footnotes.',
    },
    { name: 'expect', value: 'HASH', help: 'Expected root hash: 64 hex digits.' },
    {
      name: 'key',
      value: 'KEY',
      help: 'Public key of the expected signer: 64 hex digits, or a PEM file.',
    },
  ],
  examples: [
    ['scholium verify answer.scholium', ''],
    ['scholium verify answer.scholium --key key.pub', 'also check who signed it'],
    ['scholium verify report.md --source papers/', 'check the citations of a document'],
    ['scholium verify answer.scholium --json', 'every check and every problem, as JSON'],
  ],
  load: async () => (await import('./verify.ts')).runVerify,
}

/** The commands that export a run, and verify an exported one. */
export const bundleCommands: readonly CommandSpec[] = [exportCommand, verifyCommand]
