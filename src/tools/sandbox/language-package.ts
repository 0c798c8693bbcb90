import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { ScholiumError } from '../../kernel/errors.ts'

/** The languages of the sandbox. */
export const sandboxLanguages = ['python', 'lua', 'prolog', 'javascript'] as const

/** A language of the sandbox. */
export type SandboxLanguage = (typeof sandboxLanguages)[number]

interface LanguagePackage {
  readonly name: string
  readonly version: string
  /** Additional packages it consists of. */
  readonly parts: readonly string[]
}

const packages: Readonly<Record<SandboxLanguage, LanguagePackage>> = {
  python: { name: 'pyodide', version: '314.0.7', parts: [] },
  lua: { name: 'wasmoon', version: '1.16.0', parts: [] },
  prolog: { name: 'swipl-wasm', version: '8.0.5', parts: [] },
  javascript: {
    name: 'quickjs-emscripten',
    version: '0.32.0',
    parts: [
      'quickjs-emscripten-core',
      '@jitl/quickjs-wasmfile-release-sync',
      '@jitl/quickjs-ffi-types',
    ],
  },
}

/**
 * The folders, without symbolic links, of a language's optional packages, the main one first.
 * @param from the module from which packages are resolved
 * @throws {@link ScholiumError} `invalid_configuration` if the package is not installed
 */
export function languageFolders(
  language: SandboxLanguage,
  from: string = import.meta.url,
): readonly [string, ...string[]] {
  const { name, version, parts } = packages[language]
  try {
    const manifest = realpathSync(createRequire(from).resolve(`${name}/package.json`))
    return [dirname(manifest), ...parts.map((part) => partFolder(part, manifest))]
  } catch (cause) {
    throw new ScholiumError(
      'invalid_configuration',
      `Running ${language} needs the optional package ${name}, which is not installed.`,
      { cause, hint: `Run npm install ${name}@${version}.` },
    )
  }
}

/** Found by its main file: not every package exports its package.json. */
function partFolder(part: string, from: string): string {
  const main = realpathSync(createRequire(from).resolve(part))
  const folder = join(sep, ...part.split('/'), sep)
  return main.slice(0, main.lastIndexOf(folder) + folder.length - 1)
}
