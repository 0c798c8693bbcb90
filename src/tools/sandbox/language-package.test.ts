import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { languageFolder } from './language-package.ts'

it('says what to install where a language is missing', () => {
  const elsewhere = pathToFileURL(join(mkdtempSync(join(tmpdir(), 'scholium-')), 'x.js')).href
  expect(() => languageFolder('python', elsewhere)).toThrow(
    expect.objectContaining({
      code: 'invalid_configuration',
      hint: 'Run npm install pyodide@314.0.7.',
    }),
  )
})

it('finds a language that is there', () => {
  expect(languageFolder('python')).toMatch(/pyodide$/)
})
