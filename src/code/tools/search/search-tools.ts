import { lstat } from 'node:fs/promises'
import * as z from 'zod'
import { exactly, withFolder } from '../../../files/opened.ts'
import { shownPath } from '../../../files/real-place.ts'
import { type CodeTool, declareCodeTool, folderNames } from '../code-tool.ts'
import { type CodeWorkspace, failCall } from '../files/code-workspace.ts'
import { failForFile } from '../files/file-bytes.ts'
import { compileGlob } from './glob-pattern.ts'
import { normalizePattern } from './line-pattern.ts'
import { type SearchOutcome, searchFiles } from './search-files.ts'
import { compareBytes, walkFolder } from './walk-folder.ts'

const folder = z
  .string()
  .min(1)
  .default('.')
  .describe('The folder, from the workspace on; the workspace without it.')
const ignored = z
  .boolean()
  .default(false)
  .describe('Also what .gitignore and .ignore name, such as node_modules.')
const maxEntries = 500

type Entries = {
  readonly path: string
  readonly entries: readonly string[]
  readonly total: number
}

/** Creates the tool that lists a folder. */
export function createListTool(workspace: CodeWorkspace): CodeTool {
  return declareCodeTool({
    name: 'list',
    description: 'Lists what is in a folder of the workspace: folders end with /, links with @.',
    input: z.object({ path: folder }),
    otherNames: { path: folderNames },
    effect: 'read',
    async execute({ path }): Promise<Entries> {
      const place = await workspace.place(path)
      const opened = withFolder(place.path, exactly(place.path), (folder) => folder.entries())
      const found = await opened.catch((error) => failToList(error, place.relativePath))
      const entries = found
        .sort((one, other) => compareBytes(one.name, other.name))
        .map((entry) => {
          const sign = entry.isDirectory() ? '/' : entry.isSymbolicLink() ? '@' : ''
          return `${entry.name}${sign}`
        })
      const folders = entries.filter((name) => name.endsWith('/'))
      const ordered = [...folders, ...entries.filter((name) => !name.endsWith('/'))]
      return {
        path: place.relativePath,
        entries: ordered.slice(0, maxEntries),
        total: ordered.length,
      }
    },
    present: ({ path, entries, total }: Entries) => {
      if (total === 0) return `(${path} is empty)`
      return [...entries, ...formatCutNote(entries.length, total)].join('\n')
    },
  })
}

function failToList(error: unknown, relativePath: string): never {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') failCall(`${shownPath(relativePath)} does not exist.`)
  if (code === 'ENOTDIR') failCall(`${shownPath(relativePath)} is not a folder.`, 'Use read.')
  return failForFile(error, relativePath)
}

function formatCutNote(shown: number, total: number): readonly string[] {
  return shown < total ? [`(${shown} of ${total})`] : []
}

type Paths = { readonly paths: readonly string[]; readonly isCut: boolean }

/** Creates the tool that finds files by their paths. */
export function createGlobTool(workspace: CodeWorkspace): CodeTool {
  return declareCodeTool({
    name: 'glob',
    description:
      'Finds files of the workspace by their paths: src/**/*.ts, **/package.json, *.{js,ts}. A pattern without / is looked for in all folders. Gives at most 500, in order.',
    input: z.object({ pattern: z.string().min(1).max(1_000), path: folder, ignored }),
    otherNames: { path: folderNames, pattern: ['glob', 'glob_pattern', 'query'] },
    effect: 'read',
    timeoutMs: 60_000,
    async execute({ pattern, path, ignored }, { signal }): Promise<Paths> {
      const place = await workspace.place(path)
      const root = await workspace.root()
      const from = place.relativePath === '.' ? '' : place.relativePath
      const glob = createPathTest([pattern])
      const options = { respectsIgnore: !ignored, isClosed: workspace.isClosed, signal }
      const paths: string[] = []
      for await (const { relativePath, isFolder } of walkFolder(root, from, options)) {
        if (isFolder || !glob(from === '' ? relativePath : relativePath.slice(from.length + 1)))
          continue
        if (paths.length === maxEntries) return { paths, isCut: true }
        paths.push(relativePath)
      }
      return { paths, isCut: false }
    },
    present: ({ paths, isCut }: Paths) => {
      if (paths.length === 0) return '(no file has such a path)'
      return [...paths, ...(isCut ? [`(the first ${maxEntries}; there are more)`] : [])].join('\n')
    },
  })
}

/** Tests paths against globs, one of which has to match. A glob without `/` applies to the last name. */
function createPathTest(globs: readonly string[]): (relativePath: string) => boolean {
  const tests = globs.map((glob) => {
    const plain = glob.replace(/^\.?\//, '')
    try {
      return compileGlob(plain.includes('/') ? plain : `**/${plain}`)
    } catch {
      return failCall(`${shownPath(glob)} is not a path pattern.`)
    }
  })
  return (relativePath) => tests.length === 0 || tests.some((test) => test(relativePath.split('/')))
}

const grepInput = z.object({
  pattern: z.string().min(1).max(2_000).describe('A regular expression, for one line at a time.'),
  path: z.string().min(1).default('.').describe('The folder or file, from the workspace on.'),
  glob: z.string().max(1_000).optional().describe('Only files with such a path: *.ts, src/**'),
  literal: z.boolean().default(false).describe('Takes the pattern as plain text.'),
  ignore_case: z.boolean().default(false),
  context: z.coerce.number().int().min(0).max(20).default(0).describe('Lines around each match.'),
  max_results: z.coerce.number().int().min(1).max(1_000).default(100).describe('How many matches.'),
  ignored,
})

/** Creates the tool that finds lines in files. */
export function createGrepTool(workspace: CodeWorkspace, ripgrep: string | undefined): CodeTool {
  return declareCodeTool({
    name: 'grep',
    description:
      'Finds lines in the text files of the workspace. Each comes as read shows it, `number:hash|text`, under the path of its file; with context, `>` is before those that match. Says when there are more. Files over 10 MB, files that may hold secrets and what is no text are left out.',
    input: grepInput,
    otherNames: {
      path: folderNames,
      glob: ['include', 'include_files'],
      context: ['context_lines'],
    },
    effect: 'read',
    timeoutMs: 60_000,
    async execute(input, { signal }): Promise<SearchOutcome & { contextLines: number }> {
      const { pattern, literal, ignore_case, max_results, context, ignored } = input
      const place = await workspace.place(input.path)
      await lstat(place.path).catch((error) => failToList(error, place.relativePath))
      const search = {
        root: await workspace.root(),
        from: place.relativePath === '.' ? '' : place.relativePath,
        pattern: normalizePattern({ text: pattern, isLiteral: literal, ignoresCase: ignore_case }),
        isWanted: createPathTest(input.glob === undefined ? [] : [input.glob]),
        respectsIgnore: !ignored,
        maxMatches: max_results,
        contextLines: context,
        signal,
      }
      return { ...(await searchFiles(workspace, search, ripgrep)), contextLines: context }
    },
    present: renderMatches,
  })
}

const maxCharacters = 60_000

function renderMatches(outcome: SearchOutcome & { readonly contextLines: number }): string {
  const { files, matchCount, isCut, tooSlow, contextLines } = outcome
  const notes = tooSlow.length > 0 ? [`(took too long in: ${tooSlow.slice(0, 10).join(', ')})`] : []
  if (isCut) notes.push(`(the first ${matchCount} matches; there are more)`)
  if (files.length === 0) return ['(no line fits)', ...notes].join('\n')
  const lines = files.flatMap(({ path, lines }) => [
    path,
    ...lines.map(({ number, hash, text, isMatch }) => {
      const sign = contextLines === 0 ? '' : isMatch ? '> ' : '  '
      return `${sign}${number}:${hash}|${text}`
    }),
  ])
  const text = lines.join('\n')
  if (text.length > maxCharacters)
    notes.push('(cut: too much to be shown; search for less or in fewer files)')
  return [text.slice(0, maxCharacters).toWellFormed(), ...notes].join('\n')
}
