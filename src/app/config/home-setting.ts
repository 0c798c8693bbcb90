import { resolve } from 'node:path'
import { findHome, type Home, refusedHomeText } from '../home.ts'
import { entryAt, type HomeOwner, isUsableInProject } from '../trust/own-homes.ts'
import type { Configuration } from './configuration.ts'
import { isOfProject, type Origin, type Setting } from './origin.ts'

/** What decides whose a home is, under a configuration; a project's files have no say in it. */
export function findHomeOwner({
  operators,
  environment,
}: Pick<Configuration, 'operators' | 'environment'>): HomeOwner {
  const trusted = operators.get('trustedHomes') as Setting<readonly string[]> | undefined
  return { environment, ...(trusted === undefined ? {} : { trustedHomes: trusted.value }) }
}

/**
 * The home and its origin. A project's `.scholium` folder takes precedence over the user's own file, and a home that
 * the project's files name over that; neither is used unless this person created it.
 * @throws `invalid_configuration` if no folder can be the home
 */
export function findConfiguredHome(
  configuration: Configuration,
): Home & { readonly origin: Origin } {
  const { settings, operators, folder } = configuration
  const owner = findHomeOwner(configuration)
  const environment = { ...owner.environment, SCHOLIUM_HOME: '' }
  const found = (path?: string) => findHome(path, environment, folder, owner.trustedHomes)
  const chosen = settings.get('home') as Setting<string> | undefined
  const refused = chosen === undefined ? undefined : refusedHome(chosen, owner)
  const set = refused === undefined ? chosen : (operators.get('home') as typeof chosen)
  const other = refused === undefined ? {} : { refused }
  if (set !== undefined && set.origin.kind !== 'user')
    return { ...found(resolvePath(set)), origin: set.origin, ...other }
  const home = found()
  if (set !== undefined && home.from !== 'project')
    return { ...home, ...found(resolvePath(set)), origin: set.origin, ...other }
  const text = home.from === 'project' ? 'the .scholium folder of this project' : 'default'
  return { ...home, origin: { kind: 'default', text, folder }, ...other }
}

/** The remark on a project's home that this person did not create; `undefined` if there is none. */
export function refusedHomeNote(configuration: Configuration): string | undefined {
  const home = findConfiguredHome(configuration)
  return home.refused === undefined ? undefined : refusedHomeText(home)
}

/** The home that a project's files choose, if it exists and this person did not create it. */
function refusedHome(chosen: Setting<string>, owner: HomeOwner): string | undefined {
  const path = resolvePath(chosen)
  if (!isOfProject(chosen.origin) || entryAt(path) === undefined) return undefined
  return isUsableInProject(path, owner) ? undefined : path
}

function resolvePath({ value, origin }: Setting<string>): string {
  return resolve(origin.folder, value)
}
