import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createInProcessMemory } from '../../src/agents/actions/tools/agent-memory.ts'
import { libraryActions } from '../../src/agents/actions/tools/library-actions.ts'
import { ragActions } from '../../src/agents/actions/tools/rag-actions.ts'
import { readNamedSet } from '../../src/app/eval/eval-set.ts'
import { addPaths, readSources } from '../../src/app/library/read-sources.ts'
import { verifyReport } from '../../src/app/runs/verify-report.ts'
import { filesPlace } from '../../src/papers/places/files-place.ts'
import { createPaperReader } from '../../src/papers/reading/read-paper.ts'
import { createLibrary } from '../../src/retrieval/create-library.ts'
import type { Library } from '../../src/retrieval/library.ts'
import { createDocumentReader } from '../../src/sources/files/worker/document-reader.ts'
import { openLibraryStore } from '../../src/stores/sqlite/library.ts'
import { doAction } from '../agents/actions/do-action.ts'

let root: string
let folder: string
let library: Library
/** The texts that were read. */
let read: string[]
const { signal } = new AbortController()

/** A folder that somebody else made, with files around it that are none of it; all that must stay unread says SECRET. */
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'scholium-indexing-')))
  folder = join(root, 'folder')
  read = []
  const own = createLibrary(openLibraryStore(':memory:'))
  library = Object.create(own, {
    addAll: {
      value: (additions: Parameters<Library['addAll']>[0]) => {
        read.push(...additions.map(({ document }) => document.text))
        return own.addAll(additions)
      },
    },
  })
  put('outside/secret.md', 'The SECRET lies outside.')
  put('folder-of-another/secret.md', 'The SECRET lies in a folder whose name begins alike.')
  put('folder/a.md', 'These words are for all.')
  put('folder/.env', 'KEY=SECRET')
  put('folder/.keys/secret.md', 'The SECRET is hidden.')
  put('folder/node_modules/p/readme.md', 'SECRET of a package')
})
afterEach(async () => {
  await library.close()
  rmSync(root, { recursive: true, force: true })
})

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** What the folder has as well: a link by its name and where it leads, and the words with which it is said to be left out. */
const traps: readonly (readonly [trap: string, name: string, target: string, said: RegExp])[] = [
  ['a file outside', 'notes.md', '../outside/secret.md', /a link that leads outside /],
  [
    'a file outside, absolutely',
    'notes.md',
    '{root}/outside/secret.md',
    /a link that leads outside /,
  ],
  ['a folder outside', 'more', '../outside', /a link that leads outside /],
  [
    'a folder outside whose name begins alike',
    'more',
    '../folder-of-another',
    /a link that leads outside /,
  ],
  ['the folder around it', 'up', '..', /a link that leads outside /],
  ['a file outside, over another link', 'notes.md', 'first', /a link that leads outside /],
  ['a hidden file in it', 'notes.md', '.env', /a link to a hidden file/],
  ['a hidden folder in it', 'keys', '.keys', /a link to a hidden file/],
  ['a file in a hidden folder', 'notes.md', '.keys/secret.md', /a link to a hidden file/],
  ['installed packages', 'vendor', 'node_modules/p', /a link to installed packages/],
  ['the environment of the process', 'env.md', '/proc/self/environ', /a link that leads outside /],
  ['nothing', 'notes.md', 'absent', /a broken link/],
]

/** All that takes a folder: what it says of it. What it has read is in the library then. */
const doors: readonly (readonly [name: string, read: () => Promise<unknown>])[] = [
  ['library add', () => Array.fromAsync(addPaths(library, [folder], { isListed: true }))],
  ['ask --source', () => readSources(library, [folder], signal)],
  [
    'ask with the sources of a project',
    () => readSources(library, [folder], signal, { within: folder }),
  ],
  ['vector.index_files', () => index('vector.index_files', { paths: '.' })],
  [
    'vector.index_files of the folder itself',
    () => index('vector.index_files', { paths: [folder] }),
  ],
  ['rag.llamaindex.create_index', () => index('rag.llamaindex.create_index', { directory: '.' })],
  ['papers --source', papersOf],
  ['verify --source', verified],
]

function index(name: string, params: object): Promise<unknown> {
  const memory = createInProcessMemory(() => 0)
  const services = { workspace: folder, library: () => library, memory: () => memory }
  return doAction([...libraryActions(services), ...ragActions(services)], name, params)
}

/** Finds papers and reads them, as a run does. */
async function papersOf(): Promise<unknown> {
  const found = await filesPlace({ paths: [folder], library }).search(
    { query: 'x', limit: 9 },
    signal,
  )
  if (!found.ok) return found
  const reader = createDocumentReader()
  const papers = createPaperReader({ library, reader })
  for (const { path = '', within, ...about } of found.papers) {
    const file = { path, ...(within === undefined ? {} : { within }) }
    await papers.readFile(file, about, signal)
  }
  await reader.close()
  return found
}

async function verified(): Promise<unknown> {
  return verifiedWith({ sources: [folder] }, 'report.md', 'secret.md')
}

/** Checks a report that cites a file; what was read for it counts as read. */
async function verifiedWith(options: object, name: string, cited: string): Promise<unknown> {
  put(name, `The secret is out [1].\n\n## Sources\n\n1. [A file](${cited})\n`)
  const onRead = (path: string) => read.push(readFileSync(path, 'utf8'))
  const { unread } = await verifyReport(join(root, name), { folder: root, ...options, onRead })
  return unread
}

describe.each(doors)('%s', (door, open) => {
  it.each(traps)('leaves out a link to %s, and says so', async (_trap, name, target, said) => {
    symlinkSync(target.replace('{root}', root), join(folder, name))
    if (target === 'first') symlinkSync('../outside/secret.md', join(folder, 'first'))
    const told = JSON.stringify(await open())
    expect(read.join()).toContain('for all')
    expect(read.join()).not.toContain('SECRET')
    // What is hidden is left out on purpose: only who adds to the library is told of each file.
    const isTold = door === 'library add' || /outside|broken/.test(said.source)
    if (isTold && !door.startsWith('rag')) expect(told).toMatch(said)
  })

  it('follows links that lead to what is read anyway, once', async () => {
    put('folder/real/b.md', 'Words behind a link.')
    symlinkSync('real', join(folder, 'door'))
    symlinkSync('../a.md', join(folder, 'real', 'again.md'))
    await open()
    expect(read.filter((text) => text.includes('behind a link'))).toHaveLength(1)
    expect(read.filter((text) => text.includes('for all'))).toHaveLength(1)
  })
})

/** Paths that are named themselves, from the folder on: by a person, or by what somebody else wrote. */
const named: readonly (readonly [path: string, byPerson: 'read' | 'not'])[] = [
  ['.keys/secret.md', 'read'],
  ['../outside/secret.md', 'read'],
  ['link.md', 'read'],
  ['node_modules/p/readme.md', 'read'],
  ['/proc/self/environ', 'not'],
]

describe.each(named)('%s, named itself', (path, byPerson) => {
  beforeEach(() => symlinkSync('../outside/secret.md', join(folder, 'link.md')))

  it('is for a person to name', async () => {
    await Array.fromAsync(addPaths(library, [resolve(folder, path)], { isListed: true }))
    expect(read.join().includes('SECRET')).toBe(byPerson === 'read')
    expect(read.join()).not.toContain('PATH=')
  })

  // Packages are no secret: they are left out since nobody wants them.
  if (path.startsWith('node_modules')) return
  it.each([
    ['a project', () => readSources(library, [resolve(folder, path)], signal, { within: folder })],
    ['an agent file', () => index('vector.index_files', { paths: path })],
    ['questions', () => questionOf(path)],
    ['a report', () => verifiedWith({ folder }, 'folder/report.md', path)],
  ])('is not read where %s names it', async (_who, open) => {
    await open().catch(() => {})
    expect(read.join()).not.toMatch(/SECRET|PATH=/)
  })
})

/** The files of a question: none of them is read where the set is refused. */
async function questionOf(path: string): Promise<void> {
  put('folder/questions.jsonl', JSON.stringify({ question: 'Which?', files: [path] }))
  const { questions, refused } = await readNamedSet(join(folder, 'questions.jsonl'))
  read.push(...questions.flatMap(({ files }) => files.map((file) => readFileSync(file, 'utf8'))))
  expect(refused).toHaveLength(1)
}
