import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeBundle } from '../tools/launch/make-bundle.js'
import { root } from './repo/source-file.ts'

/** Writes the addresses of the loaded modules into a file when the process ends. */
const hook = `
  import { writeFileSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
  process.on('exit', () => writeFileSync(process.env.LOADED_FILE, JSON.stringify(loaded)))`

/**
 * The modules, as paths in the checkout, that a process evaluates from the bundle, which is made first where it is out of
 * date. A chunk is evaluated as a whole, so all that is in it counts.
 * @param run starts the process with these variables, and waits for its end
 */
export async function evaluatedBy(
  run: (env: Readonly<Record<string, string>>) => Promise<unknown>,
): Promise<readonly string[]> {
  await makeBundle()
  const folder = mkdtempSync(join(tmpdir(), 'scholium-evaluated-'))
  const LOADED_FILE = join(folder, 'loaded.json')
  try {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`
    await run({ NODE_OPTIONS, LOADED_FILE })
    const loaded = JSON.parse(readFileSync(LOADED_FILE, 'utf8')) as string[]
    return loaded.filter((url) => url.startsWith('file:')).flatMap(modulesIn)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The same of a program, whose imports count from the root of the checkout. */
export function evaluatedByProgram(code: string): Promise<readonly string[]> {
  return evaluatedBy((env) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], {
      cwd: root,
      env: { ...process.env, ...env },
    }),
  )
}

/** The modules of a file: of a chunk those that the bundler names in its comments, else the file itself. */
function modulesIn(url: string): readonly string[] {
  const path = fileURLToPath(url)
  if (!path.startsWith(join(root, 'dist'))) return [path.replace(root, '')]
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(/^\/\/ ((?:src|node_modules)\/\S+\.\w+)$/gm)].map(
    ([, name = '']) => name,
  )
}
