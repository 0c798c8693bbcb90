import { existsSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import type { RefusedLine } from '../../eval/question.ts'
import { type QuestionSet, readQuestions } from '../../eval/read-questions.ts'
import { hashWhole, readWhole, withFile } from '../../files/opened.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { sha256 } from '../../kernel/json.ts'
import { type ListedFile, listFiles, pathRuleFor } from '../../sources/list-files.ts'

/** A question set and its name. */
export interface NamedSet extends QuestionSet {
  /** The file's name without its extension. */
  readonly name: string
  readonly file: string
  /** The only folder in which files that a question names are read. */
  readonly folder: string
  readonly hash: string
  /** Hash of the contents of all files that its questions name; empty if there are none. */
  readonly filesHash: string
}

/**
 * Reads a question set. A question that names a file elsewhere, or a folder with a link that leads outside, is refused:
 * a set may come from anywhere, and what its questions read may go to a model.
 * @throws `invalid_input` for an invalid file, and for duplicate ids
 */
export async function readNamedSet(file: string, signal?: AbortSignal): Promise<NamedSet> {
  const bytes = await readBytes(file)
  const name = basename(file).replace(/\.(?:jsonl|ndjson|json)$/i, '')
  const folder = dirname(file)
  const read = readQuestions(decoded(bytes, file), name)
  const own = await withOwnFiles(read, folder, signal)
  const filesHash = await hashOfFiles(own.named, folder)
  return { ...own.set, name, file, folder, hash: sha256(bytes), filesHash }
}

/** The hash of files by their relative paths; empty if there are none. */
export async function hashOfFiles(files: Iterable<ListedFile>, folder: string): Promise<string> {
  const lines: string[] = []
  for (const file of files)
    lines.push(`${relative(folder, file.path)}\0${await hashOfFile(file)}\n`)
  return lines.length === 0 ? '' : sha256(lines.toSorted().join(''))
}

async function hashOfFile(listed: ListedFile): Promise<string> {
  try {
    return await withFile(listed.path, pathRuleFor(listed), (file) => hashWhole(file, maxBytes))
  } catch {
    // Reading it for the question will say why.
    return 'unreadable'
  }
}

/** Maximum size of a set, and of a file hashed for it. */
const maxBytes = 500_000_000

/** The files at a question's path, or why they are not read. */
type Looked = { readonly files: readonly ListedFile[] } | { readonly objection: string }

async function withOwnFiles(
  read: QuestionSet,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly set: QuestionSet; readonly named: Iterable<ListedFile> }> {
  const looked = new Map<string, Looked>()
  const refused: RefusedLine[] = [...read.refused]
  const named = new Map<string, ListedFile>()
  const questions: QuestionSet['questions'][number][] = []
  for (const question of read.questions) {
    const own: Looked[] = []
    for (const file of question.files) {
      const known = looked.get(file) ?? (await lookAt(file, folder, signal))
      looked.set(file, known)
      own.push(known)
    }
    const objections = own.flatMap((one) => ('objection' in one ? [one.objection] : []))
    if (objections[0] !== undefined) refused.push({ line: question.line, reason: objections[0] })
    else questions.push({ ...question, files: question.files.map((file) => resolve(folder, file)) })
    for (const one of own)
      if ('files' in one) for (const file of one.files) named.set(file.path, file)
  }
  refused.sort((one, other) => one.line - other.line)
  return { set: { ...read, questions, refused }, named: named.values() }
}

async function lookAt(
  file: string,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<Looked> {
  const path = resolve(folder, file)
  if (!existsSync(path)) return { objection: `there is no file ${file} next to the question file` }
  const within = signal === undefined ? { within: folder } : { within: folder, signal }
  const { files, passedOver } = await listFiles([path], within)
  const left = passedOver.find(({ isLoss }) => isLoss)
  if (left === undefined) return { files }
  return left.path === path
    ? { objection: `the file ${file} is not read: ${left.why}` }
    : { objection: `in the folder ${file}, ${relative(folder, left.path)}: ${left.why}` }
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readWhole(file, maxBytes)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : message
    throw new ScholiumError(
      'invalid_input',
      `The questions in ${file} cannot be read: ${reason}.`,
      { hint, cause },
    )
  }
}

function decoded(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ScholiumError('invalid_input', `${file} is not UTF-8 text.`, { hint, cause })
  }
}

/** The error for a set without questions. */
export function nothingToAsk({ file, refused }: NamedSet): ScholiumError {
  const [first] = refused
  const why = first === undefined ? 'it is empty' : `line ${first.line}: ${first.reason}`
  return new ScholiumError('invalid_input', `${file} contains no questions: ${why}.`, { hint })
}

const hint = 'Give a file with one JSON object per line, each with a "question".'
