import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Configuration } from '../config/configuration.ts'
import type { Setting } from '../config/origin.ts'
import type { Check, Finding } from './finding.ts'

/** Checks that the files and folders that each question searches exist and are readable. */
export function sourcesCheck({ settings }: Configuration): Check {
  const setting = settings.get('sources') as Setting<readonly string[]> | undefined
  return {
    name: 'the sources',
    area: 'sources',
    async run(_signal, tell) {
      if (setting === undefined) return
      const { value, origin } = setting
      for (const path of value) tell(await lookAt(resolve(origin.folder, path), origin.text))
    },
  }
}

async function lookAt(path: string, place: string): Promise<Finding> {
  const shown = `${path} (${place})`
  const problem = (text: string, hint: string): Finding => ({
    area: 'sources',
    status: 'problem',
    text: `${shown} ${text}`,
    hint,
  })
  try {
    const status = await stat(path)
    const isFolder = status.isDirectory()
    if (!isFolder && !status.isFile())
      return problem(
        'is neither a file nor a folder',
        `Change or remove the entry under "sources".`,
      )
    await access(path, isFolder ? constants.R_OK | constants.X_OK : constants.R_OK)
    return { area: 'sources', status: 'ok', text: `${shown} can be read` }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return problem(
        'does not exist',
        `Create it, or fix the path under "sources", which is relative to the configuration file.`,
      )
    if (code === 'EACCES' || code === 'EPERM')
      return problem(
        'cannot be read: permission denied',
        'Change its permissions, or remove it from "sources".',
      )
    return problem(`cannot be read: ${message}`, 'Fix that, or remove it from "sources".')
  }
}
