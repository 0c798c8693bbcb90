/** A folder with instructions for a kind of work. Its `SKILL.md` is read when a model asks for it, and other files of the folder. */
export type Skill = {
  /** Small letters, digits and hyphens. */
  readonly name: string
  /** What it is for and when to use it, in one line. */
  readonly description: string
  /** Absolute, links followed. */
  readonly folder: string
}

/** A folder of skills. */
export interface SkillPlace {
  /** Absolute. */
  readonly folder: string
  /** As people are told of it. */
  readonly shown: string
  /** Absolute: a skill that leads out of it by a link is left out. Default: links are followed anywhere. */
  readonly within?: string
}

/** The file that makes a folder a skill. */
export const skillFile = 'SKILL.md'
