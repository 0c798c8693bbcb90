import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { ScholiumError } from '../../kernel/errors.ts'

/** A language of the sandbox. */
export type SandboxLanguage = 'python'

interface LanguagePackage {
  readonly name: string
  readonly version: string
}

const packages: Readonly<Record<SandboxLanguage, LanguagePackage>> = {
  python: { name: 'pyodide', version: '314.0.7' },
}

/**
 * The folder of the optional package that a language is, without symbolic links.
 * @param from the module that needs it: packages are looked for from there
 * @throws {@link ScholiumError} `invalid_configuration` when the package is not installed
 */
export function languageFolder(language: SandboxLanguage, from: string = import.meta.url): string {
  const { name, version } = packages[language]
  try {
    return realpathSync(dirname(createRequire(from).resolve(`${name}/package.json`)))
  } catch (cause) {
    throw new ScholiumError(
      'invalid_configuration',
      `Running ${language} needs the optional package ${name}, which is not installed.`,
      { cause, hint: `Run npm install ${name}@${version}.` },
    )
  }
}
