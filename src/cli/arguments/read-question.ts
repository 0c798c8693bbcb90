import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { ScholiumError } from '../../kernel/errors.ts'
import { wordToPaste } from '../../kernel/text/shell-word.ts'
import type { Terminal } from '../terminal.ts'

/** Maximum size of a question. */
export const maxQuestionBytes = 1_000_000

/** The error for a missing question. */
const askedFor = {
  none: 'No question was given.',
  hint: 'Ask something: scholium ask "What is CRISPR?"',
}

/**
 * Reads the question after `ask`: the words themselves, stdin for `-`, or a file for `@FILE`.
 * @throws `invalid_input` if it is empty, a file cannot be read, or it exceeds {@link maxQuestionBytes}
 */
export async function readQuestion(
  words: readonly string[],
  terminal: Terminal,
  { none, hint } = askedFor,
): Promise<string> {
  const [first = ''] = words
  if (words.length === 1 && first === '-') return readStdin(terminal)
  if (words.length === 1 && first.startsWith('@')) return readFile(first.slice(1), terminal)
  const question = words.join(' ')
  if (question.trim() !== '') return question
  throw new ScholiumError(
    'invalid_input',
    words.length === 0 ? none : none.replace(/No (.*) was given\./, 'The $1 is empty.'),
    { hint },
  )
}

async function readStdin(terminal: Terminal): Promise<string> {
  const { stdin } = terminal.host
  if (stdin.isTTY) {
    const end = process.platform === 'win32' ? 'Ctrl-Z and Enter' : 'Ctrl-D'
    terminal.tell(`Type the question, then press ${end} on an empty line.`)
  }
  return decode(
    await readBounded(stdin, 'The question on stdin'),
    'The question on stdin',
    terminal,
  )
}

async function readFile(path: string, terminal: Terminal): Promise<string> {
  const name = `The question file ${path}`
  try {
    const stream = createReadStream(resolve(terminal.host.cwd(), path))
    const bytes = await readBounded(stream, name)
    if (isNoText(bytes)) throw noText(name, path)
    return decode(bytes, name, terminal)
  } catch (error) {
    if (error instanceof ScholiumError) throw error
    throw new ScholiumError('invalid_input', `${name} cannot be read: ${describeReason(error)}.`, {
      hint: 'Check the path. To ask a question that begins with @, pass it on stdin: scholium ask -',
      cause: error,
    })
  }
}

/** Whether bytes are binary, such as a PDF, a picture or an archive: they contain zeros or much invalid UTF-8. */
function isNoText(bytes: Buffer): boolean {
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe
  if (isWide) return false
  if (bytes.includes(0) || bytes.subarray(0, 5).toString('latin1') === '%PDF-') return true
  const text = new TextDecoder().decode(bytes)
  const strange = text.match(/\uFFFD/g)?.length ?? 0
  return strange > text.length / 20 && strange > 3
}

function noText(name: string, path: string): ScholiumError {
  const word = wordToPaste(path, process.platform)
  return new ScholiumError(
    'invalid_input',
    `${name} is not a text file.`,
    word === undefined
      ? {}
      : { hint: `To ask about it: scholium ask "What does it say?" --source ${word}` },
  )
}

function describeReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EISDIR: 'it is a folder',
    EACCES: 'permission denied',
  }
  return reasons[code ?? ''] ?? message
}

/** The maximum size, and what to do if there is more. */
const questionBound = {
  maxBytes: maxQuestionBytes,
  hint: 'Put long texts into a file, pass it with --source, and ask about it.',
}

/** Reads a stream up to a maximum size, by default that of a question. @throws `invalid_input` for more */
export async function readBounded(
  stream: AsyncIterable<Buffer>,
  name: string,
  { maxBytes, hint } = questionBound,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of stream) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) {
      const text = `${name} is longer than ${maxBytes / 1_000_000} MB.`
      throw new ScholiumError('invalid_input', text, { hint })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Decodes UTF-8, or UTF-16 with a byte order mark, as some Windows programs write it. */
function decode(bytes: Buffer, name: string, terminal: Terminal): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    terminal.tell(
      `Note: ${name[0]?.toLowerCase()}${name.slice(1)} is not valid ${encoding.toUpperCase()}; invalid bytes were replaced by "\uFFFD".`,
    )
    return new TextDecoder(encoding).decode(bytes)
  }
}
