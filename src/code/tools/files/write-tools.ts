import { relative, resolve, sep } from 'node:path'
import * as z from 'zod'
import { shownPath } from '../../../files/real-place.ts'
import { sha256 } from '../../../kernel/json.ts'
import {
  type CodeTool,
  declareCodeTool,
  type FileMemory,
  type FileResult,
  type Preview,
  pathNames,
} from '../code-tool.ts'
import { makeChange, type PathQueue, type PlannedChange, planChange } from './change-file.ts'
import { formatLine, readCodeText, splitLines } from './code-text.ts'
import { type CodeWorkspace, failCall, findObeyer } from './code-workspace.ts'
import { applyEdits, type Edit } from './edits.ts'
import { readEditableBytes } from './file-bytes.ts'
import { createUnifiedDiff } from './unified-diff.ts'

/** What the tools that change files share. */
export interface WriteToolOptions {
  readonly workspace: CodeWorkspace
  readonly memory: FileMemory
  readonly inTurn: PathQueue
}

type WriteResult = FileResult & {
  /** The lines around the change, as they are now. */
  readonly lines: readonly string[]
  readonly totalLines: number
  readonly isNew: boolean
}

const path = z.string().min(1).describe('The file, from the workspace on.')

/** Creates the tool that writes a file that is new or was read before. */
export function createWriteTool(options: WriteToolOptions): CodeTool {
  const plan = ({ path, content }: { path: string; content: string }) =>
    planWrite(options, path, content)
  return declareCodeTool({
    name: 'write',
    description:
      'Writes a whole file of the workspace, and makes the folders that are missing. A file that is there has to be read first. To change a part of one, use edit.',
    input: z.object({ path, content: z.string().describe('The whole text.') }),
    otherNames: { path: pathNames, content: ['contents', 'text', 'file_text'] },
    effect: 'write',
    preview: async (input) =>
      previewChange('write', await plan(input), await toRelativePath(options, input.path)),
    async execute(input, run): Promise<WriteResult> {
      const { path } = await options.workspace.place(input.path)
      return options.inTurn(path, async () => {
        const planned = await plan(input)
        await makeChange(planned, run)
        return toWriteResult(planned, [])
      })
    },
    present: ({ path, isNew, totalLines, changes }: WriteResult) => {
      if (changes?.length === 0) return `${path} has this text already.`
      return `${isNew ? 'Made' : 'Wrote'} ${path} (${totalLines} lines).`
    },
  })
}

async function planWrite(
  { workspace, memory }: WriteToolOptions,
  written: string,
  content: string,
): Promise<PlannedChange> {
  const place = await workspace.place(written)
  const found = await readEditableBytes(place)
  if (found !== undefined) {
    await workspace.readable(written)
    const known = memory.lastHash(place.relativePath)
    if (known === undefined)
      failCall(
        `${shownPath(place.relativePath)} is there, and was not read.`,
        'Read it first, or use edit.',
      )
    if (known !== sha256(found.bytes))
      failCall(`${shownPath(place.relativePath)} was changed since it was read.`, 'Read it again.')
  }
  return planChange(memory, place, found, { after: content })
}

const line = z.string().describe('A line as read shows it: 12:9af3.')
const replacement = z.string().describe('The new text.')
const exact = {
  old: z.string().describe('The text to be replaced, exactly; it has to stand there once.'),
  new: z.string().describe('What comes in its place.'),
  all: z.boolean().describe('Replaces it everywhere.'),
}
const anchored = {
  from: line.describe('The first line to be replaced, as read shows it: 12:9af3.'),
  to: line.describe('The last line to be replaced; without it only `from` is.'),
  after: line.describe(
    'Instead of `from`: the line after which the text is put; 0 for the beginning.',
  ),
  text: replacement.describe('The new lines; empty to take the old ones out.'),
}
const oneEdit = z.object({ ...exact, ...anchored }).partial()
const editInput = z.object({
  path,
  ...oneEdit.shape,
  edits: z
    .array(z.preprocess(renameEditArguments, oneEdit))
    .max(100)
    .optional()
    .describe(
      'Several changes at once, all of them or none; each is meant for the file as it is now.',
    ),
})

const editNames = {
  old: ['old_string', 'old_text', 'oldText', 'target', 'search'],
  new: ['new_string', 'new_text', 'newText', 'patch', 'replace'],
  all: ['replace_all'],
}

function renameEditArguments(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, member]) => {
    const name = Object.entries(editNames).find(([, others]) => others.includes(key))?.[0]
    return [name ?? key, member]
  })
  return Object.fromEntries(entries)
}

/** Creates the tool that edits parts of a file. */
export function createEditTool(options: WriteToolOptions): CodeTool {
  const plan = (input: z.output<typeof editInput>) => planEdit(options, input)
  return declareCodeTool({
    name: 'edit',
    description:
      'Changes a text file of the workspace. Either `old` and `new`: a text that stands there once, exactly, and what comes in its place (`all` for every place). Or lines as read shows them: `from` and `to` (12:9af3) with the new `text`, or `after` with a text to put in. The hash says which line you mean: if it was changed since, nothing is done and you are shown the lines as they are.',
    input: editInput,
    otherNames: { path: pathNames, ...editNames },
    effect: 'write',
    preview: async (input) =>
      previewChange('edit', (await plan(input)).planned, await toRelativePath(options, input.path)),
    async execute(input, run): Promise<WriteResult> {
      const { path } = await options.workspace.place(input.path)
      return options.inTurn(path, async () => {
        const { planned, pieces } = await plan(input)
        await makeChange(planned, run)
        return toWriteResult(planned, pieces)
      })
    },
    readsFiles: ({ path }) => [path],
    present: ({ path, lines }: WriteResult) => [`Edited ${path}. It is now:`, ...lines].join('\n'),
  })
}

type Pieces = ReturnType<typeof applyEdits>['pieces']

async function planEdit(
  { workspace, memory }: WriteToolOptions,
  input: z.output<typeof editInput>,
): Promise<{ readonly planned: PlannedChange; readonly pieces: Pieces }> {
  const place = await workspace.readable(input.path)
  const found = await readEditableBytes(place)
  if (found === undefined)
    return failCall(`${shownPath(place.relativePath)} does not exist.`, 'Use write to make it.')
  const read = readCodeText(found.bytes)
  if (typeof read === 'string')
    return failCall(
      `${shownPath(place.relativePath)} is not UTF-8 text.`,
      'Change it with a program.',
    )
  const { edits = [], path: _path, ...single } = input
  const all = Object.keys(single).length === 0 ? edits : [single, ...edits]
  if (all.length === 0) failCall('No edit is given.', 'Give old and new, or from and text.')
  const { text, pieces } = applyEdits(read.text, all.map(toEdit))
  if (text === read.text)
    failCall('The edit changes nothing.', 'What it would write is there already.')
  const after = { byteOrderMark: read.byteOrderMark, after: text }
  return { planned: await planChange(memory, place, found, after), pieces }
}

function toEdit(given: z.output<typeof oneEdit>): Edit {
  const { old, new: next, all, from, to, after, text } = given
  const named = [old, from, after].filter((part) => part !== undefined)
  if (named.length > 1) failCall('An edit has one of `old`, `from` and `after`.')
  if (old !== undefined && next !== undefined) return { old, new: next, all }
  if (from !== undefined && text !== undefined) return { from, to, text }
  if (after !== undefined && text !== undefined) return { after, text }
  return failCall('An edit is not whole.', 'Give old and new, or from and text, or after and text.')
}

/** A path relative to the workspace with links unresolved: a link's own name may be one that other programs obey. */
async function toRelativePath({ workspace }: WriteToolOptions, written: string): Promise<string> {
  const root = await workspace.root()
  return relative(root, resolve(root, written)).split(sep).join('/')
}

async function previewChange(
  name: string,
  planned: PlannedChange,
  written: string,
): Promise<Preview> {
  const { change, before, after, place } = planned
  const { diff, addedLines, removedLines, isCut } = await createUnifiedDiff(
    place.relativePath,
    before,
    after,
  )
  const cut = isCut ? ', too long to be shown whole' : ''
  const size = ` (+${addedLines} −${removedLines}${cut})`
  const title = `${before === undefined ? 'create' : name} ${place.relativePath}${size}`
  const who = findObeyer(place.relativePath) ?? findObeyer(written)
  const obeyed = who === undefined ? {} : { obeyedBy: who }
  return { title, diff, paths: [place.relativePath], ...obeyed, changes: [change] }
}

const linesAround = 2
const maxShownLines = 60

function toWriteResult(
  { place, change, after, before }: PlannedChange,
  pieces: Pieces,
): WriteResult {
  const all = splitLines(after)
  const isNear = (start: number, end: number) =>
    pieces.some((piece) => piece.start <= end && piece.end >= start)
  const touched = all.flatMap(({ start, end }, index) => (isNear(start, end) ? [index] : []))
  const shown = new Set(
    touched.flatMap((index) =>
      Array.from({ length: linesAround * 2 + 1 }, (_, near) => index - linesAround + near),
    ),
  )
  const indexes = [...shown].filter((index) => all[index] !== undefined).sort((a, b) => a - b)
  const lines = indexes
    .slice(0, maxShownLines)
    .map((index) => formatLine(index + 1, all[index]?.text ?? ''))
  if (indexes.length > maxShownLines) lines.push(`… (${indexes.length - maxShownLines} more lines)`)
  return {
    path: place.relativePath,
    ...(change.after === null ? {} : { hash: change.after }),
    changes: change.before === change.after ? [] : [change],
    isNew: before === undefined,
    lines,
    totalLines: all.length,
  }
}
