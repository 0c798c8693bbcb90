import type { Dirent } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { exactly, FileRefused, insideOf, readWhole, withFolder } from '../../files/opened.ts'
import { isInside } from '../../files/real-place.ts'
import { readSkillHead, type Skill, type SkillFolder, skillFile } from './skills.ts'

/** The skills of several folders, and notes about those left out. */
export interface FoundSkills {
  readonly skills: readonly Skill[]
  readonly notes: readonly string[]
}

const maxFolders = 200
const maxSkillBytes = 200_000

/**
 * Finds skills. If two have the same name, the one of the earlier folder is used; an identical copy is not reported.
 * Missing folders are ignored.
 */
export async function findSkills(places: readonly SkillFolder[]): Promise<FoundSkills> {
  const skills = new Map<string, Skill>()
  const seen = new Set<string>()
  const notes: string[] = []
  for (const place of places) {
    const names = await listSkillFolders(place, notes)
    if (names.length > maxFolders)
      notes.push(`${place.label}: only the first ${maxFolders} folders are used.`)
    for (const name of names.slice(0, maxFolders)) {
      const shown = `${place.label}/${name}`
      const found = await readSkillFolder(place, name)
      if ('reason' in found) notes.push(`The skill ${shown} was skipped: ${found.reason}.`)
      else if (!seen.has(found.folder)) {
        const other = skills.get(found.name)
        if (other === undefined) skills.set(found.name, found)
        else if (other.description !== found.description)
          notes.push(`The skill ${shown} was skipped: ${other.folder} has the same name.`)
        seen.add(found.folder)
      }
    }
  }
  return { skills: [...skills.values()], notes }
}

async function listSkillFolders(
  { folder, label, within }: SkillFolder,
  notes: string[],
): Promise<readonly string[]> {
  const rule = within === undefined ? undefined : insideOf(await realpath(within))
  const opened = withFolder(folder, rule, (found) => found.entries())
  const entries: readonly Dirent[] = await opened.catch((error) => {
    if (error instanceof FileRefused)
      notes.push(`The skills of ${label} were skipped: ${error.message}.`)
    return []
  })
  return entries
    .filter((entry) => !entry.name.startsWith('.') && !entry.isFile())
    .map(({ name }) => name)
    .sort()
}

async function readSkillFolder(
  { folder: parent, within }: SkillFolder,
  name: string,
): Promise<Skill | { readonly reason: string }> {
  try {
    const folder = await realpath(join(parent, name))
    const path = await realpath(join(folder, skillFile))
    const isOut = within !== undefined && !isInside(folder, await realpath(within))
    if (isOut || !isInside(path, folder)) return { reason: 'it links outside its folder' }
    const bytes = await readWhole(path, maxSkillBytes, exactly(path))
    const head = await readSkillHead(bytes.toString('utf8'))
    return head.ok ? { name: head.name, description: head.description, folder } : head
  } catch (error) {
    if (error instanceof FileRefused) return { reason: `its ${skillFile} ${error.says}` }
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { reason: `it has no ${skillFile}` }
    return { reason: `it cannot be read (${code ?? String(error)})` }
  }
}
