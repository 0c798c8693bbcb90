import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { findSkills } from '../../code/skills/find-skills.ts'
import { listSkills, type Skill } from '../../code/skills/skills.ts'
import { readShippedText } from '../../code/tools/files/shipped-text.ts'
import { isInside } from '../../files/real-place.ts'
import { findHidden } from '../../kernel/text/visible-text.ts'
import { projectHomeName } from '../trust/own-homes.ts'

/** A file with text for models. */
interface TextFile {
  /** From the workspace on. */
  readonly path: string
  readonly text: string
}

/** What lies ready for models: in a folder, which anybody may have made, and in the person's home. */
export interface FolderTexts {
  /** The folder of the Git checkout that the workspace is in, else the workspace; links followed. */
  readonly root: string
  /** A system prompt in the place of the one that is built in. */
  readonly system: TextFile | undefined
  /** `AGENTS.md` files, from the root down to the workspace. */
  readonly agents: readonly TextFile[]
  readonly skills: readonly Skill[]
  /** The skills among them that the folder brings along. */
  readonly shippedSkills: readonly Skill[]
  /** The Git branch, where there is one. */
  readonly branch: string | undefined
  /** What is said of files that could not be used. */
  readonly notes: readonly string[]
}

/** The system prompts of a workspace, the first that is there. */
const systemPaths: readonly string[] = [
  '.scholium/prompts/system.md',
  '.scholium/prompts/system.txt',
]
const agentsName = 'AGENTS.md'
const maxInstructionBytes = 100_000

/** Reads what lies ready for models. @param skills folders of skills beside the usual ones */
export async function readFolderTexts(
  workspace: string,
  home: string | undefined,
  skills: readonly string[],
): Promise<FolderTexts> {
  const root = projectRoot(workspace)
  const notes: string[] = []
  const known = await knownSkills(workspace, root, home, skills)
  const system = await firstText(
    root,
    systemPaths.map((path) => [join(workspace, path), path]),
    notes,
  )
  const agents: TextFile[] = []
  for (const folder of foldersDown(root, workspace)) {
    const path = join(folder, agentsName)
    const shown = relative(workspace, path) || agentsName
    const found = await firstText(root, [[path, shown]], notes)
    if (found !== undefined) agents.push(found)
  }
  const branch = await gitBranch(root)
  return {
    root: await realpath(root),
    system,
    agents,
    branch,
    ...known,
    notes: [...known.notes, ...notes],
  }
}

/**
 * Where the skills of a project lie, the first first: those of Scholium, those of all programs, and those of the program that had
 * them first.
 * @see https://agentskills.io/client-implementation/integrating-skills
 */
const skillPlaces: readonly string[] = ['.scholium/skills', '.agents/skills', '.claude/skills']

/** The skills of the project, from the folder up to its root, of the folders that were named, and of the home. */
async function knownSkills(
  workspace: string,
  root: string,
  home: string | undefined,
  folders: readonly string[],
): Promise<Pick<FolderTexts, 'skills' | 'shippedSkills' | 'notes'>> {
  const own = foldersDown(root, workspace).toReversed()
  const { skills, notes } = await findSkills([
    ...own.flatMap((folder) =>
      skillPlaces.map((place) => ({
        folder: join(folder, place),
        label: relative(workspace, join(folder, place)),
        within: root,
      })),
    ),
    ...folders.map((folder) => ({ folder, label: folder })),
    ...(home === undefined ? [] : [{ folder: join(home, 'skills'), label: join(home, 'skills') }]),
  ])
  const { left } = listSkills(skills)
  const tooMany = `There are too many skills to list. Left out: ${left.join(', ')}.`
  const realRoot = await realpath(root)
  // A home of that name is a part of its project.
  const ownHome = home === undefined || basename(home) === projectHomeName ? undefined : home
  const realHome = ownHome && (await realpath(ownHome).catch(() => ownHome))
  const isOwn = ({ folder }: Skill) => realHome !== undefined && isInside(folder, realHome)
  return {
    skills,
    shippedSkills: skills.filter((skill) => isInside(skill.folder, realRoot) && !isOwn(skill)),
    notes: left.length === 0 ? notes : [...notes, tooMany],
  }
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

/** The first of some files of a project that is there and holds text. */
async function firstText(
  root: string,
  files: readonly (readonly [path: string, shown: string])[],
  notes: string[],
): Promise<TextFile | undefined> {
  for (const [path, shown] of files) {
    const read = await readShippedText(root, relative(root, path), maxInstructionBytes)
    if (read === undefined) continue
    if (!read.ok) notes.push(`${shown} ${read.why} and was ignored.`)
    else if (read.text.trim() !== '') {
      const { text, isCut } = read
      if (isCut) notes.push(`Only the first ${maxInstructionBytes} bytes of ${shown} are used.`)
      const character = findHidden(text.replaceAll(/\p{Zs}|\r\n/gu, ' '))
      if (character !== undefined)
        notes.push(`${shown} contains invisible characters, such as ${character}.`)
      return { path: shown, text }
    }
  }
  return undefined
}

const maxHeadBytes = 1_000

/** The branch of a checkout, without running Git. Somebody else may have named it: it is one word, and short. */
async function gitBranch(root: string): Promise<string | undefined> {
  const head = await readShippedText(root, '.git/HEAD', maxHeadBytes)
  if (head?.ok !== true) return undefined
  return /^ref: refs\/heads\/([\w./+#@-]{1,100})$/m.exec(head.text)?.[1]
}
