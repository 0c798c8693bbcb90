import * as z from 'zod'

/** What a `SKILL.md` says of itself, or what is wrong with it. */
export type SkillHead =
  | { readonly ok: true; readonly name: string; readonly description: string }
  | { readonly ok: false; readonly reason: string }

const maxNameCharacters = 64
const maxDescriptionCharacters = 1_024

const head = z.object({
  name: z
    .string('its name is missing')
    .regex(/^[a-z\d]+(?:-[a-z\d]+)*$/, 'its name has to be small letters, digits and hyphens')
    .max(maxNameCharacters, `its name has more than ${maxNameCharacters} characters`),
  description: z.string('its description is missing').trim().min(1, 'its description is empty'),
})

/**
 * The front matter of a skill; a long description is cut.
 * @see https://agentskills.io/specification
 */
export async function readSkillHead(text: string): Promise<SkillHead> {
  const yaml = frontMatter(text)
  if (yaml === undefined) return refused('it does not begin with front matter between --- lines')
  const { parse } = await import('yaml')
  let parsed: unknown
  try {
    parsed = parse(yaml, { maxAliasCount: 0, logLevel: 'error' })
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    return refused(`its front matter cannot be read: ${line}`)
  }
  const read = head.safeParse(parsed ?? {})
  if (!read.success) return refused(read.error.issues[0]?.message ?? 'its front matter is none')
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

/** The instructions of a skill: what stands after its front matter. */
export function skillBody(text: string): string {
  const matter = /^(?:\uFEFF)?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)
  return text.slice(matter?.[0].length ?? 0).trim()
}

function frontMatter(text: string): string | undefined {
  return /^(?:\uFEFF)?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1]
}

function refused(reason: string): SkillHead {
  return { ok: false, reason }
}
