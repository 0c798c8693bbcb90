import * as z from 'zod'

/**
 * A folder with instructions for a kind of work. A model reads its `SKILL.md` and other files of the folder on demand.
 */
export type Skill = {
  /** Lowercase letters, digits and hyphens. */
  readonly name: string
  /** What it is for and when to use it, in one line. */
  readonly description: string
  /** Absolute, links resolved. */
  readonly folder: string
}

/** A folder that contains skills. */
export interface SkillFolder {
  /** Absolute. */
  readonly folder: string
  /** How the folder is named in notes. */
  readonly label: string
  /** Absolute: a skill that leads out of it by a link is left out. Default: links may lead anywhere. */
  readonly within?: string
}

/** The file that makes a folder a skill. */
export const skillFile = 'SKILL.md'

/** Skills as listed for a model. */
interface SkillList {
  /** One line per skill; empty if there are none. */
  readonly text: string
  /** Names of skills that did not fit. */
  readonly left: readonly string[]
}

const maxListCharacters = 8_000

/** Names and descriptions, as many as fit. */
export function listSkills(skills: readonly Skill[]): SkillList {
  const lines: string[] = []
  const left: string[] = []
  let characters = 0
  for (const { name, description } of skills) {
    const line = `- ${name}: ${description}`
    characters += line.length + 1
    if (characters > maxListCharacters) left.push(name)
    else lines.push(line)
  }
  return { text: lines.join('\n'), left }
}

/** The front matter of a `SKILL.md`, or what is wrong with it. */
type SkillHead =
  | { readonly ok: true; readonly name: string; readonly description: string }
  | { readonly ok: false; readonly reason: string }

const maxNameCharacters = 64
const maxDescriptionCharacters = 1_024

const headSchema = z.object({
  name: z
    .string('its name is missing')
    .regex(
      /^[a-z\d]+(?:-[a-z\d]+)*$/,
      'its name must consist of lower-case letters, digits and hyphens',
    )
    .max(maxNameCharacters, `its name has more than ${maxNameCharacters} characters`),
  description: z.string('its description is missing').trim().min(1, 'its description is empty'),
})

/**
 * Reads a skill's front matter; a long description is cut.
 * @see https://agentskills.io/specification
 */
export async function readSkillHead(text: string): Promise<SkillHead> {
  const yaml = findFrontMatter(text)
  if (yaml === undefined)
    return refuseSkill('it does not start with front matter between --- lines')
  const { parse } = await import('yaml')
  let parsed: unknown
  try {
    parsed = parse(yaml, { maxAliasCount: 0, logLevel: 'error' })
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return refuseSkill(`its front matter cannot be read: ${line}`)
  }
  const read = headSchema.safeParse(parsed ?? {})
  if (!read.success)
    return refuseSkill(read.error.issues[0]?.message ?? 'its front matter is invalid')
  const description = read.data.description.replaceAll(/\s+/g, ' ')
  const isLong = description.length > maxDescriptionCharacters
  return {
    ok: true,
    name: read.data.name,
    description: isLong
      ? `${description.slice(0, maxDescriptionCharacters - 1).toWellFormed()}…`
      : description,
  }
}

/** The instructions after the front matter. */
export function getSkillBody(text: string): string {
  const matter = /^(?:\uFEFF)?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)
  return text.slice(matter?.[0].length ?? 0).trim()
}

function findFrontMatter(text: string): string | undefined {
  return /^(?:\uFEFF)?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1]
}

function refuseSkill(reason: string): SkillHead {
  return { ok: false, reason }
}
