import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { loadPrompts, type PromptName, promptPlaceholders } from '../../src/ask/prompts.ts'
import { sha256 } from '../../src/kernel/index.ts'
import { fillPrompt, promptHashes } from '../../src/team/prompt-files.ts'
import { findRole } from '../../src/testing/index.ts'

const own = new URL('../../src/ask/prompts/', import.meta.url)
const names = Object.keys(promptPlaceholders) as PromptName[]
const folder = mkdtempSync(join(tmpdir(), 'scholium-prompts-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A copy of the prompts in which one is changed. */
function changed(name: PromptName, change: (text: string) => string): URL {
  const copy = mkdtempSync(join(folder, 'p-'))
  cpSync(fileURLToPath(own), copy, { recursive: true })
  const path = join(copy, `${name}.md`)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
  return pathToFileURL(`${copy}/`)
}

describe('loadPrompts', () => {
  it.each(names)('reads %s from its file, placeholders and all', (name) => {
    const text = loadPrompts()[name]
    expect(text).toBe(readFileSync(new URL(`${name}.md`, own), 'utf8').trim())
    const found = [...text.matchAll(/\{([a-z_]+)\}/g)].map(([, placeholder]) => placeholder)
    expect([...new Set(found)].sort()).toEqual([...promptPlaceholders[name]].sort())
  })

  it('takes other prompts that have the placeholders', () => {
    const url = changed('finalizer', (text) => `Be brief. ${text}`)
    expect(loadPrompts(url).finalizer).toMatch(/^Be brief\. You write the final answer/)
  })

  it.each(names.filter((name) => promptPlaceholders[name].length > 0))(
    'refuses %s without its placeholders, and names them',
    (name) => {
      const url = changed(name, (text) => text.replaceAll(/[{}]/g, ''))
      expect(() => loadPrompts(url)).toThrow(
        expect.objectContaining({
          code: 'invalid_configuration',
          message: `The prompt ${name}.md lacks {${promptPlaceholders[name].join('}, {')}}.`,
        }),
      )
    },
  )

  it('refuses a folder in which one is missing, and names it', () => {
    const url = changed('planner', (text) => text)
    rmSync(new URL('planner.md', url))
    expect(() => loadPrompts(url)).toThrow(
      expect.objectContaining({
        code: 'invalid_configuration',
        message: expect.stringContaining('planner.md'),
      }),
    )
  })
})

describe('fillPrompt', () => {
  it('fills every placeholder, also one that stands twice', () => {
    expect(
      fillPrompt('{question}? {question}! {evidence}', { question: 'Why', evidence: 'none' }),
    ).toBe('Why? Why! none')
  })

  it('does not fill what a value contains, nor read signs in it', () => {
    const values = { question: '{evidence} $& $1 $$', evidence: 'secret' }
    expect(fillPrompt('Q: {question}', values)).toBe('Q: {evidence} $& $1 $$')
  })

  it('leaves other braces alone', () => {
    const text = 'Answer with {"result": "…"} and {X}.'
    expect(fillPrompt(text, {})).toBe(text)
  })

  it.each(['missing', 'constructor', 'to_string'])('refuses {%s} without a value', (name) => {
    expect(() => fillPrompt(`{${name}}`, { question: 'x' })).toThrow(
      expect.objectContaining({
        code: 'invalid_configuration',
        message: expect.stringContaining(name),
      }),
    )
  })
})

describe('promptHashes', () => {
  it('has the hash of each prompt', () => {
    const prompts = loadPrompts()
    expect(promptHashes(prompts)).toEqual(
      Object.fromEntries(Object.entries(prompts).map(([name, text]) => [name, sha256(text)])),
    )
  })
})

describe('the scripted team', () => {
  const added = [
    'planner_web',
    'researcher_web',
    'planner_needs',
    'expert_python',
    'expert_final',
    'planner_continued',
    'researcher_continued',
    'expert_continued',
    'critic_continued',
    'finalizer_continued',
    'planner_mcp',
    'researcher_mcp',
    'critic_planner_needs',
    'critic_criteria',
    'finalizer_short',
  ]
  it.each(names.filter((name) => !added.includes(name)))(
    'knows the role of %s by its prompt',
    (name) => {
      expect(findRole({ system: loadPrompts()[name] } as never)).toBe(name)
    },
  )
})
