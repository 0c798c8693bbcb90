import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createInProcessMemory } from '../../src/agents/actions/tools/agent-memory.ts'
import { fileActions } from '../../src/agents/actions/tools/file-actions.ts'
import { libraryActions } from '../../src/agents/actions/tools/library-actions.ts'
import { readAgent } from '../../src/app/agents/read-agent.ts'
import { readMention } from '../../src/app/code/mentioned.ts'
import { readSmallText } from '../../src/app/config/read-file.ts'
import { readNamedSet } from '../../src/app/eval/eval-set.ts'
import { addPaths } from '../../src/app/library/read-sources.ts'
import { AppMcp } from '../../src/app/mcp/mcp.ts'
import { readReferences } from '../../src/app/references/reference-files.ts'
import { styleText } from '../../src/app/references/references.ts'
import { verifyBundle } from '../../src/app/runs/verify-bundle.ts'
import { verifyReport } from '../../src/app/runs/verify-report.ts'
import { findSkills } from '../../src/code/skills/find-skills.ts'
import { createSkillTool } from '../../src/code/skills/skill-tool.ts'
import type { Json, JsonObject } from '../../src/kernel/json.ts'
import { filesPlace } from '../../src/papers/places/files-place.ts'
import { createLibrary } from '../../src/retrieval/create-library.ts'
import type { Library } from '../../src/retrieval/library.ts'
import { openLibraryStore } from '../../src/stores/sqlite/library.ts'
import { doAction } from '../agents/actions/do-action.ts'
import { toolWorld } from '../code/tool-world.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'scholium-paths-')))
const servers: { close(): void }[] = []
let library: Library
beforeAll(() => {
  library = createLibrary(openLibraryStore(':memory:'))
})
afterAll(async () => {
  for (const server of servers) server.close()
  await library.close()
  rmSync(root, { recursive: true, force: true })
})

function deviceAt(path: string): void {
  execFileSync('mknod', [path, 'c', '1', '5'])
}

function hole(path: string): void {
  writeFileSync(path, '%PDF-1.7\n')
  truncateSync(path, 5e12)
}

/** Things other than text files, and how to create them. */
const things: readonly (readonly [name: string, make: (path: string) => unknown])[] = [
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a socket', (path) => servers.push(createServer().listen(path))],
  ['a device', (path) => symlinkSync('/dev/zero', path)],
  ['a terminal', (path) => symlinkSync('/dev/tty', path)],
  ['a folder', (path) => mkdirSync(path)],
  ['the environment of a process', (path) => symlinkSync('/proc/self/environ', path)],
  ['the memory of a process', (path) => symlinkSync('/proc/self/mem', path)],
  ['what a process has opened', (path) => symlinkSync('/proc/self/fd/0', path)],
  ['what a process has opened, by its other name', (path) => symlinkSync('/dev/fd/0', path)],
  ['a hole of 5 TB', hole],
]

const { signal } = new AbortController()
const asked = { signal, key: '', emit: () => {} }

/** What a call of an action gave; rejects where it says that it failed. */
async function done(output: Promise<unknown>): Promise<unknown> {
  const said = (await output) as JsonObject
  if (said.success === false) throw new Error(String(said.error))
  return said
}

const services = (workspace: string) => ({
  workspace,
  library: () => library,
  memory: () => createInProcessMemory(() => 0),
})

async function code(path: string, name: string, input: object): Promise<unknown> {
  const world = await toolWorld({ workspace: dirname(path) })
  try {
    return await world.call(name, { path: basename(path), ...input })
  } finally {
    await world.close()
  }
}

/** Adds paths to the library; rejects where something is refused or left out. */
async function add(paths: readonly string[]): Promise<unknown> {
  const added = await Array.fromAsync(addPaths(library, paths, { isListed: true, signal }))
  const left = added.find(({ outcome }) => outcome === 'refused' || outcome === 'passed_over')
  if (left !== undefined) throw new Error(JSON.stringify(left))
  return added
}

async function grepped(path: string, ignored: boolean): Promise<unknown> {
  const world = await toolWorld({ workspace: dirname(path), ripgrep: 'rg' })
  const found = await world.call<{ readonly files: readonly Json[] }>('grep', {
    ...{ pattern: '.', path: basename(path), literal: false, ignored },
  })
  if (found.files.length > 0) return found
  throw new Error('Nothing was found.')
}

async function skillText(path: string): Promise<unknown> {
  const skill = { name: 'a', description: '', folder: dirname(path) }
  return createSkillTool([skill]).execute({ name: 'a', file: basename(path) }, asked)
}

async function foundSkills(path: string): Promise<unknown> {
  const place = join(dirname(path), 'skills', 'one')
  mkdirSync(place, { recursive: true })
  symlinkSync(path, join(place, 'SKILL.md'))
  const folder = dirname(place)
  const { skills, notes } = await findSkills([{ folder, label: 'skills', within: dirname(path) }])
  if (skills.length === 0) throw new Error(notes.join())
  return skills
}

async function mention(path: string): Promise<unknown> {
  const parts = { home: { path: '/nowhere' } } as never
  const input = { mcp: [], workspace: dirname(path) } as never
  const said = await readMention(parts, basename(path), input, signal)
  if ('why' in said || said.text.startsWith('(The file')) throw new Error(JSON.stringify(said))
  return said
}

async function papers(path: string): Promise<unknown> {
  const found = await filesPlace({ paths: [path], library }).search(
    { query: 'x', limit: 1 },
    signal,
  )
  if (!found.ok || found.papers.length === 0) throw new Error(JSON.stringify(found))
  return found
}

async function small(path: string): Promise<unknown> {
  const read = await readSmallText(path)
  if (read?.ok !== true) throw new Error(read?.message ?? 'There is no file.')
  return read
}

/** Whatever takes a path and gives what is there. */
const doors: readonly (readonly [name: string, open: (path: string) => Promise<unknown>])[] = [
  ['read', (path) => code(path, 'read', {})],
  ['read, far in', (path) => code(path, 'read', { offset: 1_000_000 })],
  ['edit', (path) => code(path, 'edit', { old: 'a', new: 'b' })],
  ['write over', (path) => code(path, 'write', { content: 'b' })],
  ['grep', (path) => grepped(path, false)],
  ['grep with ripgrep', (path) => grepped(path, true)],
  ['a mention', mention],
  ['a file of a skill', skillText],
  ['a skill', foundSkills],
  [
    'file.read',
    (path) => {
      const params = { path: basename(path), encoding: 'base64' }
      return done(doAction(fileActions(services(dirname(path))), 'file.read', params))
    },
  ],
  [
    'vector.index_files',
    async (path) => {
      const actions = libraryActions(services(dirname(path)))
      const said = await doAction(actions, 'vector.index_files', { paths: basename(path) })
      if ((said as { indexed?: number }).indexed) return said
      throw new Error(JSON.stringify(said))
    },
  ],
  ['library add', (path) => add([path])],
  ['library add of its folder', (path) => add([dirname(path)])],
  ['papers', papers],
  ['an agent file', (path) => readAgent(path, dirname(path), {} as never)],
  ['a configuration', small],
  ['the servers of a folder', async (path) => new AppMcp({ configFiles: [path] }, {}).servers],
  ['the questions of an evaluation', (path) => readNamedSet(path)],
  ['a file of references', (path) => readReferences(path, '/')],
  ['a style', (path) => styleText(path, '/')],
  ['verify of a report', (path) => verifyReport(path)],
  ['verify of a bundle', (path) => verifyBundle(path).then(({ fileKind }) => other(fileKind))],
  ['a key', (path) => verifyBundle(import.meta.filename, { key: path })],
]

/** Only a bundle is treated as one. */
function other(fileKind: string): void {
  if (fileKind !== 'bundle') throw new Error(fileKind)
}

const isLinux = process.platform === 'linux'
/** Only who may make devices can try one that lies in the folder. */
const own = process.getuid?.() === 0 ? ([['a device in the folder', deviceAt]] as const) : []

describe.runIf(isLinux).each([...things, ...own])('%s', (thing, make) => {
  const folder = join(root, thing.replaceAll(/\W+/g, '-'))
  const path = join(folder, 'thing.bib')
  beforeAll(() => {
    mkdirSync(folder)
    make(path)
  })

  const isFolder = thing === 'a folder'
  const opened = doors.filter(([door]) => !(isFolder && /library|index|papers/.test(door)))
  it.each(opened)('is not read by %s', async (_door, open) => {
    // Nothing else tells an end from none than the limit of the test itself.
    const said = await open(path).then(
      (gave) => `gave ${JSON.stringify(gave)?.slice(0, 200)}`,
      (error: Error) => `refused: ${error.message}`,
    )
    expect(said).toMatch(/^refused: /)
    expect(said).not.toMatch(/PATH=/)
    expect(said).not.toContain('/proc/self/fd/1')
  })
})

describe.runIf(isLinux)('a folder of the system', () => {
  const own = `/proc/${process.pid}`
  it.each(['environ', 'mem', 'maps', 'fd/0', 'root/etc/passwd', 'cwd/package.json'])(
    'as the workspace gives nothing of %s',
    async (way) => {
      const read = done(doAction(fileActions(services(own)), 'file.read', { path: way }))
      await expect(read).rejects.toThrow(
        /generated by the system|is outside|not a regular file|is not/,
      )
      await expect(code(join(own, 'x'), 'read', { path: way })).rejects.toThrow(
        /generated by the system|is outside|not a regular file|is not/,
      )
    },
  )

  it.each(['environ', 'mem', 'maps', 'task/self/environ'])(
    'gives nothing of %s to who names it',
    async (way) => {
      await expect(add([join(own, way)])).rejects.toThrow(/generated by the system|no such file/)
    },
  )
})
