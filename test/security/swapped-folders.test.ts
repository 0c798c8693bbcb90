import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInProcessMemory } from '../../src/agents/actions/tools/agent-memory.ts'
import { fileActions } from '../../src/agents/actions/tools/file-actions.ts'
import { libraryActions } from '../../src/agents/actions/tools/library-actions.ts'
import { addPaths } from '../../src/app/library/read-sources.ts'
import { findSkills } from '../../src/code/skills/find-skills.ts'
import { createSkillTool } from '../../src/code/skills/skill-tool.ts'
import type { FileResult } from '../../src/code/tools/code-tool.ts'
import { undoChange } from '../../src/code/tools/files/change-file.ts'
import { createCodeWorkspace } from '../../src/code/tools/files/code-workspace.ts'
import { filesPlace } from '../../src/papers/places/files-place.ts'
import { createLibrary } from '../../src/retrieval/create-library.ts'
import type { Library } from '../../src/retrieval/library.ts'
import { openLibraryStore } from '../../src/stores/sqlite/library.ts'
import { doAction } from '../agents/actions/do-action.ts'
import { type ToolWorld, toolWorld } from '../code/tool-world.ts'

/** Calls of each tool. More of them: `SCHOLIUM_SWAP_ROUNDS=20000 npx vitest run test/security/swapped-folders.test.ts`. */
const rounds = Number(process.env.SCHOLIUM_SWAP_ROUNDS ?? 200)
const atOnce = 4

const root = realpathSync(mkdtempSync(join(tmpdir(), 'scholium-swapped-')))
const [work, outside] = [join(root, 'work'), join(root, 'outside')]
let swapper: ChildProcess
let code: ToolWorld
let withRipgrep: ToolWorld

beforeAll(async () => {
  for (const [folder, words] of [
    [join(work, 'door'), 'inside'],
    [outside, 'OUTSIDE'],
  ] as const) {
    mkdirSync(join(folder, 'deep'), { recursive: true })
    writeFileSync(join(folder, 'note.txt'), `${words} a note that many would like to read\n`)
    writeFileSync(join(folder, 'deep', 'more.txt'), `${words} more words of the same kind\n`)
    writeFileSync(join(folder, 'SKILL.md'), `---\nname: door\ndescription: ${words}\n---\n${words}`)
  }
  writeFileSync(join(outside, 'only-OUTSIDE.txt'), 'OUTSIDE alone there is such a file\n')
  code = await toolWorld({ workspace: work })
  withRipgrep = await toolWorld({ workspace: work, ripgrep: process.env.SCHOLIUM_RIPGREP ?? 'rg' })
  const script = fileURLToPath(new URL('swap-folder.ts', import.meta.url))
  swapper = spawn(process.execPath, [script, join(work, 'door'), outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(swapper.stdout as NonNullable<typeof swapper.stdout>, 'data')
})
afterAll(async () => {
  if (swapper.exitCode === null && swapper.signalCode === null) {
    swapper.kill('SIGKILL')
    await once(swapper, 'exit')
  }
  await code.close()
  await withRipgrep.close()
  rmSync(root, { recursive: true, force: true })
})

const { signal } = new AbortController()
const memory = createInProcessMemory(() => 0)

/** A library of its own, and all that is in it afterwards. */
async function inLibrary(fill: (library: Library) => Promise<unknown>): Promise<unknown> {
  const library = createLibrary(openLibraryStore(':memory:'))
  try {
    const said = await fill(library)
    const sources = await library.list()
    return [said, await Promise.all(sources.map(({ id }) => library.text(id)))]
  } finally {
    await library.close()
  }
}

const index = (n: number) =>
  inLibrary((library) => {
    const services = { workspace: work, library: () => library, memory: () => memory }
    const params = { paths: ['door', '.'], collection: `c${n}` }
    return doAction(libraryActions(services), 'vector.index_files', params)
  })

async function writeAndUndo(n: number): Promise<unknown> {
  const made = await code.call<FileResult>('write', { path: `door/undo-${n}.txt`, content: 'x' })
  const rules = createCodeWorkspace({ workspace: work })
  return Promise.all(
    (made.changes ?? []).map((change) => undoChange(rules, change, undefined, 'undo')),
  )
}

const added = (library: Library) => Array.fromAsync(addPaths(library, [work], { isListed: true }))
const papersOf = (library: Library) =>
  filesPlace({ paths: [work], library }).search({ query: 'words', limit: 1 }, signal)
const files = fileActions({ workspace: work })
const skills = [{ name: 'door', description: '', folder: join(work, 'door') }]
const skill = createSkillTool(skills)

/** What is called while the folder is swapped, with the number of the round; what writes comes last, since it fills the folder. */
const calls: readonly (readonly [name: string, call: (n: number) => Promise<unknown>])[] = [
  ['read', () => code.call('read', { path: 'door/note.txt' })],
  ['read, deeper', () => code.call('read', { path: 'door/deep/more.txt' })],
  ['read what is not there', () => code.call('read', { path: 'door/only.txt' }).catch(told)],
  ['list', () => code.call('list', { path: 'door' })],
  ['glob', () => code.call('glob', { pattern: '**/*.txt', path: '.' })],
  ['grep', () => code.call('grep', { pattern: 'OUTSIDE|inside' })],
  ['grep with ripgrep', () => withRipgrep.call('grep', { pattern: 'OUTSIDE|inside' })],
  ['file.read', () => doAction(files, 'file.read', { path: 'door/note.txt' })],
  ['vector.index_files', index],
  ['library add', () => inLibrary((library) => added(library))],
  ['files as papers', () => inLibrary((library) => papersOf(library))],
  ['find skills', () => findSkills([{ folder: work, label: 'work', within: work }])],
  [
    'skill',
    () => skill.execute({ name: 'door', file: 'SKILL.md' }, { signal, key: '', emit() {} }),
  ],
  ['edit', (n) => code.call('edit', { path: 'door/note.txt', old: 'a note', new: `a note ${n}` })],
  ['write', (n) => code.call('write', { path: `door/new-${n}.txt`, content: 'written' })],
  ['write, making folders', (n) => code.call('write', { path: `door/${n}/b/c.txt`, content: 'x' })],
  ['write, then undo', writeAndUndo],
  ['file.write', (n) => doAction(files, 'file.write', { path: `door/a-${n}.txt`, content: 'x' })],
]

/** An error as its caller reads it. */
function told(error: Error & { hint?: string }): string {
  return `${error.message} ${error.hint ?? ''}`
}

/** All names and contents of a folder, with when and where they were written. */
function contentsOf(folder: string): unknown {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return names.map((name) => {
    const path = join(folder, name)
    const status = statSync(path)
    const text = status.isFile() ? readFileSync(path, 'utf8') : ''
    return [name, status.mtimeMs, status.ino, status.size, text]
  })
}

/** Elsewhere nothing can be held by its descriptor: there a file is compared after opening, and two swaps may go unseen. */
describe.runIf(process.platform === 'linux')('while a folder is swapped for a link', () => {
  it.each(calls)(
    '%s touches nothing outside',
    async (_name, call) => {
      const before = contentsOf(outside)
      let done = 0
      let next = 0
      const callOften = async () => {
        // One that succeeds has to be among them.
        while (next < rounds || done === 0) {
          const outcome = await call(next++).then(
            (output) => {
              const failed = (output as { success?: unknown } | null)?.success === false
              if (!failed) done++
              return JSON.stringify(output)
            },
            // Refused: it met the link, or nothing.
            (error) => told(error),
          )
          expect(outcome).not.toContain('OUTSIDE')
        }
      }
      await Promise.all(Array.from({ length: atOnce }, callOften))
      expect(contentsOf(outside)).toEqual(before)
      expect(swapper.exitCode).toBe(null)
    },
    60_000 + 100 * rounds,
  )
})
