import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Environment } from '../trust/user-folders.ts'
import { userConfigFolder } from '../trust/user-folders.ts'
import { findConfigFiles } from './find-files.ts'

/** A configuration file that was written. */
export interface WrittenStarter {
  readonly path: string
}

/**
 * Writes a first configuration file, all of it commented out: into the working folder, or the user's own.
 * @throws `invalid_input` where there is one already, `invalid_configuration` where it cannot be written
 */
export function writeStarter(
  environment: Environment,
  folder: string,
  place: 'project' | 'user',
): WrittenStarter {
  const target = place === 'project' ? folder : userConfigFolder(environment)
  if (target === undefined) throw unwritable('your own folder', 'it is not known to the system')
  const path = join(target, 'scholium.yaml')
  const { files } = findConfigFiles(environment, folder, undefined)
  const existing = files.find((file) => dirname(file.path) === target)
  if (existing !== undefined) {
    throw new ScholiumError(
      'invalid_input',
      `There is a configuration already: ${existing.path}.`,
      {
        hint: 'Edit that file; "scholium config" shows what it sets.',
      },
    )
  }
  try {
    mkdirSync(target, { recursive: true })
    writeFileSync(path, starterText(target), { flag: 'wx' })
  } catch (error) {
    throw unwritable(path, error instanceof Error ? error.message : String(error))
  }
  return { path }
}

function unwritable(path: string, why: string): ScholiumError {
  return new ScholiumError('invalid_configuration', `${path} cannot be written: ${why}.`, {
    hint: 'Write the file yourself where you may; "scholium config schema" prints what it can hold.',
  })
}

/** Where the schema is for an editor: from the file where the package lies below its folder, else in full. */
function schemaAddress(folder: string): string {
  const path = fileURLToPath(new URL('../../../schemas/config.schema.json', import.meta.url))
  if (!existsSync(path)) return 'config.schema.json'
  const way = relative(folder, path)
  return way.startsWith('..') ? pathToFileURL(path).href : `./${way.replaceAll('\\', '/')}`
}

function starterText(folder: string): string {
  return `# yaml-language-server: $schema=${schemaAddress(folder)}
# Everything here is optional. "scholium config" shows what holds and where it comes from.

# models:
#   default: ollama:llama3.2            # the model of every role that is not named
#   critic:
#     name: openai-compatible:qwen3
#     baseUrl: http://127.0.0.1:8000/v1
#     apiKeyFrom: MY_KEY                # the variable of .env that holds the key; never the key itself

# limits:                               # what one question may use at most
#   maxSteps: 40
#   maxTokens: 200000
#   maxCostUsd: 0.50
#   maxSeconds: 120
#   maxLogMb: 64                        # recorded; 256 where nothing is said

# retryLimit: 5                         # rejections by critics, of all work together
# retryLimits: { planner: 1 }           # and by whose work

# claims: mark                          # or strict: sentences that do not hold are left out; off: nothing is checked
# criteria:                             # what the critics look for beside the usual, by role
#   researcher: Reject what rests on one source.

# prices:                               # in your own file: of models whose price is not known
#   openai-compatible:qwen3: { inputUsdPerMTok: 0, outputUsdPerMTok: 0 }

# web: true                             # in your own file: questions may search and read on the web
# mcp: {servers: [browser]}             # in your own file: MCP servers that questions may use
# python: {enabled: false}             # the expert runs no Python
# sources: [docs]                       # files and folders that each question searches
# home: .scholium                       # where runs and library are kept
`
}
