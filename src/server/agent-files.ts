import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isInside } from '../files/real-place.ts'
import { RequestError } from './request-error.ts'
import { agentName } from './run-schemas.ts'
import type { RunPolicy } from './server-options.ts'

/** The names of the operator's agent files, sorted. */
export async function listAgents(policy: RunPolicy): Promise<readonly string[]> {
  return [...(await agentPaths(policy)).keys()].sort()
}

/** The path of an agent file. @throws `not_found` */
export async function findAgent(policy: RunPolicy, name: string): Promise<string> {
  const path = (await agentPaths(policy)).get(name)
  if (path !== undefined) return path
  throw new RequestError(
    'not_found',
    `There is no agent "${name}".`,
    'The operator offers a folder of agent files: scholium serve --agents DIR',
  )
}

/** Paths of agent files by their names. A link that leads out of the folder is none. */
async function agentPaths({ agentsFolder }: RunPolicy): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>()
  if (agentsFolder === undefined) return paths
  const folder = await realpath(agentsFolder)
  for (const file of (await readdir(agentsFolder)).sort()) {
    const [, name] = /^(.+)\.ya?ml$/.exec(file) ?? []
    if (name === undefined || paths.has(name) || !agentName.safeParse(name).success) continue
    const path = join(agentsFolder, file)
    const real = await realpath(path).catch(() => undefined)
    if (real !== undefined && isInside(real, folder)) paths.set(name, path)
  }
  return paths
}
