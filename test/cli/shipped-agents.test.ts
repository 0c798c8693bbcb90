import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentAnswer, type App, createApp } from '../../src/app.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import type { Script } from '../../src/testing/scripted-reply.ts'
import { root } from '../repo/source-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-agents-'))
let script: Script = () => ({ status: 500 })
let model: ScriptedModel
let app: App
beforeAll(async () => {
  mkdirSync(join(folder, 'home'))
  cpSync(join(root, 'samples/library'), join(folder, 'samples/library'), { recursive: true })
  cpSync(join(root, 'agents'), join(folder, 'agents'), { recursive: true })
  model = await startScriptedModel((seen) => script(seen))
  app = createApp({
    home: join(folder, 'home'),
    folder,
    environment: { OPENAI_BASE_URL: model.url },
    models: { default: 'openai-compatible:scripted' },
  })
})
afterAll(async () => {
  await app.close()
  await model.close()
  rmSync(folder, { recursive: true })
})

const text = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Runs a shipped file, and holds its replay against it. */
async function run(name: string, input = {}, says: Script = script): Promise<AgentAnswer> {
  script = says
  const before = model.requests.length
  const result = await app.runAgent(`agents/${name}.yaml`, input)
  expect(result).toMatchObject({ status: 'answered', gaps: [] })
  const asked = model.requests.length
  expect(asked - before).toBe(result.usage.modelCalls)
  expect(await app.replay(result.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  expect(model.requests).toHaveLength(asked)
  return result
}

describe('every shipped agent file', () => {
  const names = readdirSync(join(root, 'agents')).filter((name) => name.endsWith('.yaml'))

  it.each(names)('%s is valid, without a warning', async (name) => {
    const check = await app.validateAgent(`agents/${name}`, { isStrict: true })
    expect(check).toMatchObject({ isValid: true, problems: [] })
  })

  it.each(names)('%s says how it is run and what it needs', (name) => {
    const head = text(`agents/${name}`)
    expect(head).toMatch(new RegExp(`^# .*\n#\n# {3}scholium run agents/${name}`))
    expect(head).toContain('# Needs: ')
  })
})

describe('cited-search', () => {
  it('finds passages of a folder and says where they stand', async () => {
    const { output, usage } = await run('cited-search', { question: 'How fast is light?' })
    expect(output).toMatch(/^How fast is light\?\n\n\[1\] [\s\S]*speed of light/i)
    expect(usage.modelCalls).toBe(0)
    expect((await run('cited-search', { folder: 'nowhere' })).output).toContain('could not be read')
  })
})

describe('data-report', () => {
  it('calculates and writes what stands in a table', async () => {
    const { output } = await run('data-report')
    expect(output).toMatchObject({
      summary: [
        { group: 'Adelie', n: 4, mean: 3562.5, median: 3600 },
        { group: 'Chinstrap', n: 3 },
        { group: 'Gentoo', n: 4, mean: 5087.5, median: 5100, spread: 707.5 },
      ],
      left_out: 1,
    })
    expect(text('report.md')).toContain('| Gentoo | 4 | 5087.5 | 5100 | 707.5 | none |')
  })
})

describe('logic-puzzle', () => {
  it('is solved in Prolog and checked in Lua', async () => {
    const { output } = await run('logic-puzzle')
    expect(String(output).split('\n').toSorted()).toEqual([
      'Lua checked 3 of them; 0 are wrong.',
      'flour + oats + yeast = 10',
      'flour + salt = 10',
      'oats + salt + sugar + yeast = 10',
    ])
    expect((await run('logic-puzzle', { target: 100 })).output).toContain('No choice')
  })
})

describe('literature-screen', () => {
  it('judges each paper, and tells of one that cannot be read', async () => {
    const files = ['samples/library/crispr.md', 'missing.md', 'samples/library/metre.md']
    const { output } = await run('literature-screen', { files }, ({ lastText }) => ({
      json: {
        thinking: 'For and against.',
        answer: /metre/i.test(lastText) ? 'Exclude: it measures.' : 'Include: it edits genes.',
      },
    }))
    expect(output).toMatchObject({
      included: ['samples/library/crispr.md'],
      screening: [
        { decision: 'include', why: 'it edits genes' },
        { decision: 'unclear', why: expect.stringContaining('missing.md') },
        { decision: 'exclude', why: 'it measures' },
      ],
    })
    expect(text('screening.md')).toContain('| samples/library/metre.md | exclude | it measures |')
  })
})

describe('self-correcting-writer', () => {
  it('writes, is criticised, improves, and keeps the text', async () => {
    const { output } = await run(
      'self-correcting-writer',
      { rounds: 1 },
      ({ lastText, system }) => {
        if (/know every word/.test(system)) return { text: 'Rayleigh is no word for pupils.' }
        return {
          text: /Rayleigh/.test(lastText) ? 'Blue light is scattered most.' : 'A first text.',
        }
      },
    )
    expect(output).toMatchObject({
      text: 'Blue light is scattered most.',
      criticism: ['Rayleigh is no word for pupils.'],
    })
    expect(text('draft.md')).toBe('Blue light is scattered most.')
  })
})

describe('review-panel', () => {
  it('counts the votes and lets the editor write', async () => {
    const { output } = await run('review-panel', {}, ({ system }) => {
      if (system.includes('editor')) return { text: 'Please revise it: there was no control.' }
      return { text: system.includes('writing') ? 'accept' : 'revise' }
    })
    expect(output).toEqual({
      decision: 'revise',
      votes: { accept: 1, revise: 2 },
      unanimous: false,
      letter: 'Please revise it: there was no control.',
    })
  })
})

describe('research-plan', () => {
  it('plans, works on each subtask with tools, and writes the report', async () => {
    const subtask = (id: string, dependencies: readonly string[] = []) => ({
      id,
      description: `Find ${id}.`,
      dependencies: [...dependencies],
    })
    const { output } = await run('research-plan', {}, ({ lastText, lastRole, tools, body }) => {
      if (!tools.includes('vector_query'))
        return { json: { subtasks: [subtask('caffeine'), subtask('penicillin', ['caffeine'])] } }
      const [, what = 'nothing'] = /Find (\w+)\./.exec(JSON.stringify(body)) ?? []
      if (lastRole === 'tool') {
        expect(lastText).toContain(what)
        return { toolCalls: [{ name: 'final_answer', input: { answer: `On ${what}.` } }] }
      }
      const query = { query: what, collection: 'research-plan', k: 1 }
      return { toolCalls: [{ name: 'vector_query', input: query }] }
    })
    expect(output).toMatchObject({ status: { total: 2, completed: 2 } })
    expect(text('plan-report.md')).toMatch(
      /## Find caffeine\.\n\nOn caffeine\.[\s\S]*On penicillin/,
    )
  })
})
