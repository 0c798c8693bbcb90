import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'

/** The address of a module in a declaration file. */
const specifier = /(?<=(?:from |import\()(["']))[^"']+(?=\1)/g

/**
 * The types of what the package exports: the declaration files that its entry points need. The compiler leaves `.ts` in
 * their addresses; here they name the files as they are published.
 *
 * @param {string} root the folder of the checkout
 * @returns {Map<string, string>} text by path from `dist`
 * @throws {Error} when the sources have errors of types, or types come from a package that users do not get
 */
export function declarations(root) {
  const folder = mkdtempSync(join(tmpdir(), 'scholium-types-'))
  try {
    compile(root, folder)
    return neededFiles(root, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * @param {string} root
 * @param {string} folder
 */
function compile(root, folder) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [compiler, '--project', join(root, 'tsconfig.build.json'), '--outDir', folder]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root })
  if (status !== 0)
    throw new Error('The declaration files could not be made: see the errors above.')
}

/**
 * @param {string} root
 * @param {string} folder
 */
function neededFiles(root, folder) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const packages = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const entries = Object.values(manifest.exports).flatMap((entry) => entry.types ?? [])
  const waiting = entries.map((path) => path.replace('./dist/', ''))
  /** @type {Map<string, string>} */
  const files = new Map()
  for (const path of waiting) {
    if (files.has(path)) continue
    const text = readFileSync(join(folder, path), 'utf8')
    for (const [name] of text.matchAll(specifier)) {
      if (name.startsWith('.')) {
        waiting.push(posix.join(posix.dirname(path), name.replace(/\.ts$/, '.d.ts')))
      } else if (!isBuiltin(name) && !packages.includes(name)) {
        throw new Error(`dist/${path} has types of ${name}, which users of the package do not get.`)
      }
    }
    const published = text.replaceAll(specifier, (name) => name.replace(/^(\..*)\.ts$/, '$1.js'))
    files.set(path, published)
  }
  return files
}
