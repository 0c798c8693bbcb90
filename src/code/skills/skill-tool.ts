import { join } from 'node:path'
import * as z from 'zod'
import { exactly, readWhole, withFolder } from '../../files/opened.ts'
import { type CodeTool, declareCodeTool } from '../tools/code-tool.ts'
import { createCodeWorkspace, failCall, type WorkspacePath } from '../tools/files/code-workspace.ts'
import { failForFile } from '../tools/files/file-bytes.ts'
import { getSkillBody, type Skill, skillFile } from './skills.ts'

type SkillText = {
  readonly name: string
  readonly folder: string
  /** Relative to the skill's folder. */
  readonly file: string
  readonly text: string
  /** Other files of the folder. */
  readonly files: readonly string[]
}

const maxTextBytes = 100_000
const maxListedFiles = 100

/** Reads a skill's instructions or another file of its folder. It runs nothing. */
export function createSkillTool(skills: readonly Skill[]): CodeTool {
  return declareCodeTool({
    name: 'skill',
    description:
      'Reads a skill: instructions for a kind of work, of those that are listed. Read it before you begin such work. With `file` it reads another file of the skill.',
    input: z.object({
      name: z.string().min(1).describe('The name of the skill.'),
      file: z.string().min(1).default(skillFile).describe("A file, from the skill's folder on."),
    }),
    otherNames: { name: ['skill', 'skill_name', 'command'], file: ['path', 'file_path'] },
    effect: 'read',
    execute: async ({ name, file }): Promise<SkillText> => readSkill(skills, name, file),
    present: presentSkill,
  })
}

async function readSkill(skills: readonly Skill[], name: string, file: string): Promise<SkillText> {
  const skill = skills.find((one) => one.name === name)
  if (skill === undefined) {
    const names = skills.map((one) => one.name).join(', ')
    return failCall(`There is no skill "${name}".`, `There are: ${names}.`)
  }
  const { folder } = skill
  const rules = createCodeWorkspace({ workspace: folder })
  // The skill was found under its real path: if that path is now a link, another folder took its place.
  if ((await rules.root()) !== folder)
    return failCall(`The folder of the skill "${name}" is no longer there.`)
  const place = await rules.readable(file)
  const { relativePath } = place
  const text = await readText(place)
  const isHead = relativePath === skillFile
  const files = isHead ? await listSkillFiles(folder) : []
  return { name, folder, file: relativePath, text: isHead ? getSkillBody(text) : text, files }
}

async function readText({ path, relativePath }: WorkspacePath): Promise<string> {
  const bytes = await readWhole(path, maxTextBytes, exactly(path)).catch((error) =>
    failForFile(error, relativePath),
  )
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return failCall(`${relativePath} is not a text file.`)
  }
}

/** Files other than the instructions, including subfolders; links are not followed. */
async function listSkillFiles(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  const waiting = ['']
  for (
    let relativePath = waiting.shift();
    relativePath !== undefined;
    relativePath = waiting.shift()
  ) {
    const path = join(folder, relativePath.slice(0, -1))
    // A folder that disappeared has no files.
    const entries = withFolder(path, exactly(path), (opened) => opened.entries())
    for (const entry of await entries.catch(() => [])) {
      if (entry.name.startsWith('.') || found.length >= maxListedFiles) continue
      if (entry.isDirectory()) waiting.push(`${relativePath}${entry.name}/`)
      else if (entry.isFile()) found.push(`${relativePath}${entry.name}`)
    }
  }
  return found.filter((relativePath) => relativePath !== skillFile).sort()
}

function presentSkill({ folder, file, text, files }: SkillText): string {
  if (file !== skillFile) return text
  const others = files.length === 0 ? [] : [`Files (read them with file): ${files.join(', ')}`]
  return [text || '(it says nothing)', '', `Folder: ${folder}`, ...others].join('\n')
}
