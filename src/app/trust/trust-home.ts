import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { ScholiumError } from '../../kernel/errors.ts'
import type { RunRecord } from '../../kernel/run/run-store.ts'
import type { Configuration } from '../config/configuration.ts'
import { findConfiguredHome, findHomeOwner } from '../config/home-setting.ts'
import { createAppParts } from '../workflows/workflow-registry.ts'
import { entryAt, findLog, isOwnHome, realPath, trustHome } from './own-homes.ts'
import { rightsText } from './right.ts'
import { recordedRights } from './rights.ts'

/** What is in a home, for a person who decides whether it is theirs. */
export interface HomeContents {
  readonly path: string
  /** The home that was used in its place so far, where it is the one of this project that is not used. */
  readonly usedSoFar?: string
  /** Whether it is known as this person's. */
  readonly isOwn: boolean
  /** Whether its log belongs to this user of the machine. */
  readonly belongsToUser: boolean
  readonly runs: number
  /** The newest run. */
  readonly newest?: RunRecord
  /** Runs that can be resumed, newest first, at most 10, each with a description of the rights it was started with. */
  readonly open: readonly { readonly run: RunRecord; readonly begunWith: string }[]
}

const mostLookedAt = 200
const mostOpen = 10

/**
 * Inspects a home without trusting it.
 * @param folder default: the project's home that is not used, else the current one
 * @throws `invalid_input` if there is no log, `invalid_configuration` for a link, `store_failed`
 */
export async function lookIntoHome(
  configuration: Configuration,
  folder: string | undefined,
): Promise<HomeContents> {
  const used = findConfiguredHome(configuration)
  const path = resolve(configuration.folder, folder ?? used.refused ?? used.path)
  requireLog(path)
  const isRefused = used.refused !== undefined && realPath(used.refused) === realPath(path)
  const parts = createAppParts({ home: path, environment: configuration.environment })
  try {
    const runs = await parts.store.list({ limit: Number.MAX_SAFE_INTEGER })
    const open: HomeContents['open'][number][] = []
    for (const run of runs.slice(0, mostLookedAt)) {
      if (open.length === mostOpen || ['answered', 'partial', 'unanswered'].includes(run.status))
        continue
      const rights = await recordedRights(parts, run.runId, undefined)
      open.push({ run, begunWith: rightsText(rights) })
    }
    const [newest] = runs
    return {
      path,
      ...(isRefused ? { usedSoFar: used.path } : {}),
      isOwn: isOwnHome(path, findHomeOwner(configuration)),
      belongsToUser:
        process.getuid === undefined || statSync(findLog(path)).uid === process.getuid(),
      runs: runs.length,
      ...(newest === undefined ? {} : { newest }),
      open,
    }
  } finally {
    await parts.close()
  }
}

/** @throws `invalid_input` */
function requireLog(path: string): void {
  if (entryAt(findLog(path))?.isFile() === true) return
  throw new ScholiumError(
    'invalid_input',
    `${path} contains no runs, so there is nothing to trust.`,
    {
      hint: 'Give the folder that contains runs.db. A new home is trusted as soon as you create it.',
    },
  )
}

/**
 * Registers a home as this person's: its runs' rights may then be granted again.
 * @throws `invalid_configuration` if it cannot be registered, `store_failed`
 */
export function registerHome(configuration: Configuration, path: string): void {
  const problem = trustHome(path, findHomeOwner(configuration))
  if (problem === undefined) return
  throw new ScholiumError(
    'invalid_configuration',
    `The home ${path} could not be registered as trusted: ${problem}.`,
    {
      hint: `List it in trustedHomes in your own configuration, or in SCHOLIUM_TRUSTED_HOMES.`,
    },
  )
}
