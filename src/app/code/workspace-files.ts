import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Json } from '../../kernel/json.ts'
import { createCodeWorkspace } from '../../tools/code/files/code-workspace.ts'
import { decideOutcome, undoChange } from '../../tools/code/files/file-change.ts'
import { type FoundSkills, findSkills } from '../../tools/skills/find-skills.ts'
import { listSkills } from '../../tools/skills/list-skills.ts'
import type { WorkspaceFiles } from '../../workflows/code/file-changes.ts'
import type { Instructions } from '../../workflows/code/instructions.ts'

/** The system prompts of a workspace, the first that is there. */
const systemPaths: readonly string[] = [
  '.scholium/prompts/system.md',
  '.scholium/prompts/system.txt',
]
const agentsName = 'AGENTS.md'
const maxInstructionBytes = 100_000

/** What the files of a session rest on beside its workspace. */
export interface FilesSite {
  /** In which skills of the person's own lie. */
  readonly home?: string
  /** Absolute, or from the workspace on: as its tools have them. */
  readonly closedFolders: readonly string[]
  readonly nowMs: () => number
}

/** Files of a workspace for a session, beside its tools and under their rules. */
export function workspaceFiles(
  workspace: string,
  { home, closedFolders, nowMs }: FilesSite,
): WorkspaceFiles {
  const rules = createCodeWorkspace({ workspace, closedFolders })
  return {
    outcomeOf: (change) => decideOutcome(rules, change),
    undo: (change, text, key) => undoChange(rules, change, text, key),
    readInstructions: async (folders) => {
      const skills = await knownSkills(workspace, home, folders)
      return (await readInstructions(workspace, nowMs(), skills)) as unknown as Json
    },
  }
}

/**
 * Where the skills of a project lie, the first first: those of Scholium, those of all programs, and those of the program that had
 * them first.
 * @see https://agentskills.io/client-implementation/integrating-skills
 */
const skillPlaces: readonly string[] = ['.scholium/skills', '.agents/skills', '.claude/skills']

/** What a session is told before its first request. */
async function readInstructions(
  workspace: string,
  nowMs: number,
  known: FoundSkills,
): Promise<Instructions> {
  const { skills } = known
  const notes = [...known.notes]
  const root = projectRoot(workspace)
  const system = await firstText(
    systemPaths.map((path) => [join(workspace, path), path]),
    notes,
  )
  const agents: { path: string; text: string }[] = []
  for (const folder of foldersDown(root, workspace)) {
    const path = join(folder, agentsName)
    const found = await firstText([[path, relative(workspace, path) || agentsName]], notes)
    if (found !== undefined) agents.push(found)
  }
  const branch = await gitBranch(root)
  return {
    ...(system === undefined ? {} : { system }),
    agents,
    ...(skills.length === 0 ? {} : { skills }),
    platform: process.platform,
    date: new Date(nowMs).toISOString().slice(0, 10),
    ...(branch === undefined ? {} : { branch }),
    notes,
  }
}

/** The skills of the project, from the folder up to its root, of the folders that were named, and of the home. */
async function knownSkills(
  workspace: string,
  home: string | undefined,
  folders: readonly string[],
): Promise<FoundSkills> {
  const root = projectRoot(workspace)
  const own = foldersDown(root, workspace).toReversed()
  const { skills, notes } = await findSkills([
    ...own.flatMap((folder) =>
      skillPlaces.map((place) => ({
        folder: join(folder, place),
        shown: relative(workspace, join(folder, place)),
        within: root,
      })),
    ),
    ...folders.map((folder) => ({ folder, shown: folder })),
    ...(home === undefined ? [] : [{ folder: join(home, 'skills'), shown: join(home, 'skills') }]),
  ])
  const { left } = listSkills(skills)
  const tooMany = `There are too many skills to list them all. Left out: ${left.join(', ')}.`
  return { skills, notes: left.length === 0 ? notes : [...notes, tooMany] }
}

/** The folder of the Git checkout that the workspace is in, else the workspace. */
function projectRoot(workspace: string): string {
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return workspace
  }
}

/** The folders from one down to another in it, both with them. */
function foldersDown(root: string, folder: string): readonly string[] {
  const folders = [folder]
  for (let at = folder; at !== root && dirname(at) !== at; at = dirname(at))
    folders.unshift(dirname(at))
  return folders
}

/** The first of some files that is there and holds text. */
async function firstText(
  files: readonly (readonly [path: string, shown: string])[],
  notes: string[],
): Promise<{ path: string; text: string } | undefined> {
  for (const [path, shown] of files) {
    const size = await stat(path).catch(() => undefined)
    if (size?.isFile() !== true) continue
    const bytes = await readFile(path)
    const text = textOf(bytes.subarray(0, maxInstructionBytes), bytes.length > maxInstructionBytes)
    if (text === undefined) notes.push(`${shown} is no text in UTF-8 and was passed over.`)
    else if (text.trim() !== '') {
      if (bytes.length > maxInstructionBytes)
        notes.push(`Of ${shown} only the first ${maxInstructionBytes} bytes are used.`)
      return { path: shown, text }
    }
  }
  return undefined
}

function textOf(bytes: Uint8Array, isCut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return undefined
  }
}

/** The branch of a checkout, without running Git. */
async function gitBranch(root: string): Promise<string | undefined> {
  const head = await readFile(join(root, '.git', 'HEAD'), 'utf8').catch(() => '')
  return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1]
}
