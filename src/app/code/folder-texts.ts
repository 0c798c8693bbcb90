import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { findSkills } from '../../code/skills/find-skills.ts'
import { listSkills, type Skill } from '../../code/skills/skills.ts'
import { readShippedText } from '../../code/tools/files/shipped-text.ts'
import { isInside } from '../../files/real-place.ts'
import { findHidden } from '../../kernel/text/visible-text.ts'
import { projectHomeName } from '../trust/own-homes.ts'

/** A text file for models. */
interface TextFile {
  /** Relative to the workspace. */
  readonly path: string
  readonly text: string
}

/** Instructions and skills for models: in a folder, which anybody may have written, and in the person's home. */
export interface FolderTexts {
  /** The root of the Git checkout around the workspace, else the workspace; links resolved. */
  readonly root: string
  /** A system prompt that replaces the built-in one. */
  readonly system: TextFile | undefined
  /** `AGENTS.md` files, from the root down to the workspace. */
  readonly agents: readonly TextFile[]
  readonly skills: readonly Skill[]
  /** The skills among them that come from the folder. */
  readonly shippedSkills: readonly Skill[]
  /** The Git branch, if any. */
  readonly branch: string | undefined
  /** Remarks on unusable files. */
  readonly notes: readonly string[]
}

/** Paths of a workspace's system prompt, in order of preference. */
const systemPaths: readonly string[] = [
  '.scholium/prompts/system.md',
  '.scholium/prompts/system.txt',
]
const agentsName = 'AGENTS.md'
const maxInstructionBytes = 100_000

/** Reads instructions and skills for models. @param skills folders of skills in addition to the usual ones */
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
 * Folders of a project's skills, in order of preference: Scholium's, the common one, and that of the program that
 * introduced skills.
 * @see https://agentskills.io/client-implementation/integrating-skills
 */
const skillPlaces: readonly string[] = ['.scholium/skills', '.agents/skills', '.claude/skills']

/** The skills of the project (from the folder up to its root), of the named folders, and of the home. */
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
  // A home with this name belongs to its project.
  const ownHome = home === undefined || basename(home) === projectHomeName ? undefined : home
  const realHome = ownHome && (await realpath(ownHome).catch(() => ownHome))
  const isOwn = ({ folder }: Skill) => realHome !== undefined && isInside(folder, realHome)
  return {
    skills,
    shippedSkills: skills.filter((skill) => isInside(skill.folder, realRoot) && !isOwn(skill)),
    notes: left.length === 0 ? notes : [...notes, tooMany],
  }
}

/** The root of the Git checkout around the workspace, else the workspace. */
function projectRoot(workspace: string): string {
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (dirname(folder) === folder) return workspace
  }
}

/** The folders from one down to another inside it, inclusive. */
function foldersDown(root: string, folder: string): readonly string[] {
  const folders = [folder]
  for (let at = folder; at !== root && dirname(at) !== at; at = dirname(at))
    folders.unshift(dirname(at))
  return folders
}

/** The first of a project's files that exists and contains text. */
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

/**
 * The branch of a checkout, without running Git. Somebody else may have named it, so it is reduced to one short word.
 */
async function gitBranch(root: string): Promise<string | undefined> {
  const head = await readShippedText(root, '.git/HEAD', maxHeadBytes)
  if (head?.ok !== true) return undefined
  return /^ref: refs\/heads\/([\w./+#@-]{1,100})$/m.exec(head.text)?.[1]
}
