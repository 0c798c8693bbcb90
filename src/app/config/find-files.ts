import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Environment } from '../trust/user-folders.ts'
import { userConfigFolder } from '../trust/user-folders.ts'
import type { Problem } from './origin.ts'

/** Possible names of a configuration file; YAML includes JSON. */
export const configNames = ['scholium.yaml', 'scholium.yml', 'scholium.json'] as const

/** A configuration file that exists, or was asked for. */
export interface FoundFile {
  readonly path: string
  readonly kind: 'project' | 'named' | 'user'
}

/** Where the configuration is. */
export interface FoundFiles {
  /**
   * The nearest folder, from the working folder upwards, with a configuration file or a `.scholium` folder; else the
   * working folder.
   */
  readonly projectFolder: string
  readonly files: readonly FoundFile[]
  readonly problems: readonly Problem[]
}

/** The configuration files for a working folder: only the one that is `named`, else the project's and the user's. */
export function findConfigFiles(
  environment: Environment,
  folder: string,
  named: string | undefined,
): FoundFiles {
  const projectFolder = findProjectFolder(folder)
  if (named !== undefined) {
    const path = resolve(folder, named)
    return { projectFolder, files: [{ path, kind: 'named' }], problems: [] }
  }
  const userFolder = userConfigFolder(environment)
  const places = [
    ...(projectFolder === userFolder ? [] : ([[projectFolder, 'project']] as const)),
    ...(userFolder === undefined ? [] : ([[userFolder, 'user']] as const)),
  ]
  const found = places.map(([place, kind]) => ({ place, kind, names: namesIn(place) }))
  return {
    projectFolder,
    files: found.flatMap(({ place, kind, names }) =>
      names[0] === undefined ? [] : [{ path: join(place, names[0]), kind }],
    ),
    problems: found.flatMap(({ place, names }) =>
      names.length < 2
        ? []
        : [{ place, message: `holds ${names.join(' and ')}; keep one of them` }],
    ),
  }
}

function findProjectFolder(folder: string): string {
  for (let current = folder; ; current = dirname(current)) {
    if (namesIn(current).length > 0 || existsSync(join(current, '.scholium'))) return current
    if (dirname(current) === current) return folder
  }
}

function namesIn(folder: string): readonly string[] {
  return configNames.filter((name) => existsSync(join(folder, name)))
}
