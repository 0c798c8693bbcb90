import { resolve } from 'node:path'
import { findHome, type Home, refusedHomeText } from '../home.ts'
import { entryAt, type HomeOwner, isUsableInProject } from '../trust/own-homes.ts'
import type { Configuration } from './configuration.ts'
import { isOfProject, type Origin, type Setting } from './origin.ts'

/** By what it is told under a configuration whose a home is: a project's files have no say in it. */
export function findHomeOwner({
  operators,
  environment,
}: Pick<Configuration, 'operators' | 'environment'>): HomeOwner {
  const trusted = operators.get('trustedHomes') as Setting<readonly string[]> | undefined
  return { environment, ...(trusted === undefined ? {} : { trustedHomes: trusted.value }) }
}

/**
 * The home, and where that was said. A project's `.scholium` folder counts for more than the user's own file, and one that its files
 * name for more than that; neither is used unless this person made it.
 * @throws `invalid_configuration` where no folder can be a home
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

/** What is to be said of a home of the project that this person did not make; `undefined` where there is none. */
export function refusedHomeNote(configuration: Configuration): string | undefined {
  const home = findConfiguredHome(configuration)
  return home.refused === undefined ? undefined : refusedHomeText(home)
}

/** The home that a project's files choose, where it is there and this person did not make it. */
function refusedHome(chosen: Setting<string>, owner: HomeOwner): string | undefined {
  const path = resolvePath(chosen)
  if (!isOfProject(chosen.origin) || entryAt(path) === undefined) return undefined
  return isUsableInProject(path, owner) ? undefined : path
}

function resolvePath({ value, origin }: Setting<string>): string {
  return resolve(origin.folder, value)
}
