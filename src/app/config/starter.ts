import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Environment } from '../trust/user-folders.ts'
import { userConfigFolder } from '../trust/user-folders.ts'
import { findConfigFiles } from './find-files.ts'

/** A new configuration file. */
export interface WrittenStarter {
  readonly path: string
}

/**
 * Writes an initial configuration file, entirely commented out: into the working folder, or as the user's own.
 * @throws `invalid_input` if it exists, `invalid_configuration` if it cannot be written
 */
export function writeStarter(
  environment: Environment,
  folder: string,
  place: 'project' | 'user',
): WrittenStarter {
  const target = place === 'project' ? folder : userConfigFolder(environment)
  if (target === undefined) throw unwritable('your own folder', 'the system does not know it')
  const path = join(target, 'scholium.yaml')
  const { files } = findConfigFiles(environment, folder, undefined)
  const existing = files.find((file) => dirname(file.path) === target)
  if (existing !== undefined) {
    throw new ScholiumError('invalid_input', `A configuration already exists: ${existing.path}.`, {
      hint: 'Edit that file; "scholium config" shows what it sets.',
    })
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
    hint: 'Create the file yourself; "scholium config schema" prints its schema.',
  })
}

/** The schema's address for an editor: relative to the file if the package is inside its folder, else absolute. */
function schemaAddress(folder: string): string {
  const path = fileURLToPath(new URL('../../../schemas/config.schema.json', import.meta.url))
  if (!existsSync(path)) return 'config.schema.json'
  const way = relative(folder, path)
  return way.startsWith('..') ? pathToFileURL(path).href : `./${way.replaceAll('\\', '/')}`
}

function starterText(folder: string): string {
  return `# yaml-language-server: $schema=${schemaAddress(folder)}
# Everything here is optional. "scholium config" shows the values in effect and where they come from.

# models:
#   default: ollama:llama3.2            # model of every role not listed
#   critic:
#     name: openai-compatible:qwen3
#     baseUrl: http://127.0.0.1:8000/v1
#     apiKeyFrom: MY_KEY                # environment variable that holds the key; never the key itself

# limits:                               # per question
#   maxSteps: 40
#   maxTokens: 200000
#   maxCostUsd: 0.50
#   maxSeconds: 120
#   maxLogMb: 64                        # size of the log; default 256

# retryLimit: 5                         # critic rejections in total
# retryLimits: { planner: 1 }           # and by role

# claims: mark                          # or strict: leave out unsupported sentences; off: check nothing
# depth: standard                       # or quick: one agent; thorough: a critic judges every step
# criteria:                             # additional review criteria, by role
#   researcher: Reject claims based on a single source.

# prices:                               # in your own file: for models without a known price
#   openai-compatible:qwen3: { inputUsdPerMTok: 0, outputUsdPerMTok: 0 }

# web: true                             # in your own file: let questions use the web
# mcp: {servers: [browser]}             # in your own file: MCP servers for questions
# python: {enabled: false}             # do not let the expert run Python
# sources: [docs]                       # files and folders searched for every question
# home: .scholium                       # folder of runs and library
`
}
