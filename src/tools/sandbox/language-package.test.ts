import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { languageFolders, sandboxLanguages } from './language-package.ts'

it.each([
  ['python', 'pyodide@314.0.7'],
  ['lua', 'wasmoon@1.16.0'],
  ['prolog', 'swipl-wasm@8.0.5'],
  ['javascript', 'quickjs-emscripten@0.32.0'],
] as const)('says what to install where %s is missing', (language, install) => {
  const elsewhere = pathToFileURL(join(mkdtempSync(join(tmpdir(), 'scholium-')), 'x.js')).href
  expect(() => languageFolders(language, elsewhere)).toThrow(
    expect.objectContaining({
      code: 'invalid_configuration',
      hint: `Run npm install ${install}.`,
    }),
  )
})

it('finds a language that is there, and the packages that it is made of', () => {
  expect(languageFolders('python')).toEqual([expect.stringMatching(/pyodide$/)])
  expect(languageFolders('javascript')).toEqual([
    expect.stringMatching(/quickjs-emscripten$/),
    expect.stringMatching(/quickjs-emscripten-core$/),
    expect.stringMatching(/quickjs-wasmfile-release-sync$/),
    expect.stringMatching(/quickjs-ffi-types$/),
  ])
})

it('asks for the versions that this package names', () => {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
  const named = JSON.parse(manifest).optionalDependencies as Record<string, string>
  for (const language of sandboxLanguages) {
    const [folder] = languageFolders(language)
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    expect(named[name]).toBe(version)
  }
})
