import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { Environment } from '../trust/user-folders.ts'
import type { Problem } from './origin.ts'
import { readSmallText } from './read-file.ts'

/** The variables used from a project's `.env`, with the line of each. */
export interface EnvFile {
  readonly path: string
  /** Whether the file exists. */
  readonly isThere: boolean
  readonly variables: Environment
  readonly lines: Readonly<Record<string, number>>
  readonly problems: readonly Problem[]
}

/**
 * Reads a project's `.env`: only variables that are `known`, since such files hold other programs' secrets too. What
 * the real environment sets, even to nothing, takes precedence.
 */
export async function readEnvFile(
  projectFolder: string,
  environment: Environment,
  known: ReadonlySet<string>,
): Promise<EnvFile> {
  const path = join(projectFolder, '.env')
  const read = await readSmallText(path)
  const nothing = { path, variables: {}, lines: {}, problems: [] }
  if (read === undefined) return { ...nothing, isThere: false }
  if (!read.ok)
    return { ...nothing, isThere: true, problems: [{ place: path, message: read.message }] }
  const taken = Object.entries(parseEnv(read.text)).filter(
    ([name]) => known.has(name) && environment[name] === undefined,
  )
  return {
    path,
    isThere: true,
    variables: Object.fromEntries(taken),
    lines: Object.fromEntries(taken.map(([name]) => [name, findLine(read.text, name)])),
    problems: [],
  }
}

/** The last line that sets a variable, which is the one in effect. */
function findLine(text: string, name: string): number {
  const setting = new RegExp(`^\\s*(?:export\\s+)?${name}\\s*=`)
  return text.split('\n').findLastIndex((line) => setting.test(line)) + 1
}
