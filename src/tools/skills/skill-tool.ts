import { readdir, readFile, stat } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import * as z from 'zod'
import type { CodeTool } from '../code/code-tool.ts'
import { declareCodeTool } from '../code/declare-tool.ts'
import { createCodeWorkspace, refuse } from '../code/files/code-workspace.ts'
import { skillBody } from './read-skill.ts'
import { type Skill, skillFile } from './skill.ts'

type SkillText = {
  readonly name: string
  readonly folder: string
  /** From the skill's folder on. */
  readonly file: string
  readonly text: string
  /** The other files of the folder. */
  readonly files: readonly string[]
}

const maxTextBytes = 100_000
const maxListedFiles = 100

/** Reads skills: the instructions of one, or a file of its folder. It runs nothing. */
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
    return refuse(`There is no skill "${name}".`, `There are: ${names}.`)
  }
  const { folder } = skill
  const { path, way } = await createCodeWorkspace({ workspace: folder }).readable(file)
  const text = await readText(path, way)
  const isHead = way === skillFile
  const files = isHead ? await filesIn(folder) : []
  return { name, folder, file: way, text: isHead ? skillBody(text) : text, files }
}

async function readText(path: string, shown: string): Promise<string> {
  const status = await stat(path).catch(() => undefined)
  if (status?.isFile() !== true) return refuse(`${shown} is no file of the skill.`)
  if (status.size > maxTextBytes)
    return refuse(`${shown} has ${status.size} bytes; ${maxTextBytes} can be read.`)
  const bytes = await readFile(path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse(`${shown} is no text.`)
  }
}

/** The files beside the instructions, some folders deep; links are not followed. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  const waiting = [folder]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const path = `${next}${sep}${entry.name}`
      if (entry.name.startsWith('.') || found.length >= maxListedFiles) continue
      if (entry.isDirectory()) waiting.push(path)
      else if (entry.isFile()) found.push(relative(folder, path).split(sep).join('/'))
    }
  }
  return found.filter((way) => way !== skillFile).sort()
}

function presentSkill({ folder, file, text, files }: SkillText): string {
  if (file !== skillFile) return text
  const others = files.length === 0 ? [] : [`Files (read them with file): ${files.join(', ')}`]
  return [text || '(it says nothing)', '', `Folder: ${folder}`, ...others].join('\n')
}
