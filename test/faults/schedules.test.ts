import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRun } from '../../src/kernel/index.ts'
import { createModelSource } from '../../src/models/model-source.ts'
import { openRunStore } from '../../src/stores/sqlite/run-store.ts'
import {
  compareSchedules,
  passagesIn,
  type Schedule,
  type TeamScript,
} from '../../src/testing/index.ts'
import { TestTeam } from '../ask/team.ts'
import { linesIn, postExecution, postWorkflow, startPostModel } from './write-graph.ts'

const seeds = Array.from({ length: 8 }, (_, index) => index + 1)
const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

/** Several tool calls at once, in both agents that have tools; the second search mints the number that the first one cites. */
const parallel: TeamScript = {
  researcher: (seen) =>
    seen.lastRole === 'tool'
      ? { json: { result: 'Glimmerstone melts at 412 degrees Celsius [2].' } }
      : {
          toolCalls: ['varnel bird', 'glimmerstone melts', 'Harrowmere cliffs', 'moths'].map(
            (query) => ({
              name: 'search_library',
              input: { query, limit: 2 },
            }),
          ),
        },
  expert: (seen) =>
    seen.lastRole === 'tool'
      ? {
          json: {
            expert_answer: 'Glimmerstone melts at 412 degrees Celsius [2].',
            reasoning_trace: 'x',
          },
        }
      : {
          toolCalls: ['400 + 12', '2 * 206', '1 +'].map((expression) => ({
            name: 'calculate',
            input: { expression },
          })),
        },
}

/** Researchers that search twice at once, each for a thing of its own; the last one is given what the first one found. */
const several: TeamScript = {
  planner: {
    json: {
      research_steps: [
        'glimmerstone melts',
        'varnel feeds',
        'Ada Quill',
        'moths',
        'place of step 1',
      ],
      needs: [[], [], [], [], [1]],
      expert_steps: ['Answer.'],
    },
  },
  researcher: (seen) => {
    const query = /Research this: (.*)/.exec(seen.lastText)?.[1]
    if (query === 'place of step 1') return { json: { result: 'It was found by Ada Quill [1].' } }
    const calls = [query, 'Harrowmere'].map((words) => ({
      name: 'search_library',
      input: { query: words, limit: 2 },
    }))
    if (query !== undefined) return { toolCalls: calls }
    const [first] = passagesIn(seen.lastText)
    const said = first?.text.includes('varnel')
      ? 'The varnel is a bird that weighs 32 grams'
      : 'Glimmerstone melts at 412 degrees Celsius'
    return { json: { result: `${said} [${first?.n}].` } }
  },
}

describe('what runs at once', () => {
  it('in research on several steps does not depend on the order in which it ends', async () => {
    const report = await compareSchedules(seeds, async (schedule: Schedule) => {
      const { result, events } = await team.ask('What is known of Harrowmere?', {
        team: several,
        sequential: false,
        parts: { library: schedule.shuffle(team.library) },
        schedule: (models) => schedule.shuffleModels(models),
      })
      expect(result.status).toBe('answered')
      expect(result.citations).toMatchObject([{ n: 1, title: 'Glimmerstone' }, { n: 2 }])
      return { result, events }
    })
    expect(report.differences).toEqual([])
    expect(report.orders).toBeGreaterThan(3)
  })

  it('in a question does not depend on the order in which it ends', async () => {
    const report = await compareSchedules(seeds, async (schedule: Schedule) => {
      const { expertTools, library } = team.parts({})
      const parts = {
        library: schedule.shuffle(library),
        expertTools: expertTools.map((tool) => schedule.shuffle(tool)),
      }
      const { result, events } = await team.ask('When does glimmerstone melt?', {
        team: parallel,
        parts,
      })
      expect(result.status).toBe('answered')
      expect(result.citations).toMatchObject([{ n: 2, title: 'Glimmerstone' }])
      return { result, events }
    })
    expect(report.differences).toEqual([])
    expect(report.orders).toBeGreaterThan(3)
  })

  it('in branches of a graph does not depend on it either', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'scholium-schedules-'))
    const store = openRunStore(join(folder, 'runs.db'))
    const model = await startPostModel()
    const models = createModelSource({
      choices: { default: 'openai-compatible:scripted' },
      environment: { OPENAI_BASE_URL: model.url },
      builtIn: {},
    })
    const report = await compareSchedules(seeds, async (schedule) => {
      const path = join(folder, `${schedule.seed}.txt`)
      const workflow = postWorkflow(path, (tool) => schedule.shuffle(tool))
      const execution = postExecution(store, model.url, schedule.shuffleModels(models))
      const { result, runId } = await startRun(workflow, {}, `run-${schedule.seed}`, execution)
      expect([...linesIn(path).values()]).toEqual([1, 1, 1])
      return { result, events: await Array.fromAsync(store.events(runId)) }
    })
    await model.close()
    await store.close()
    rmSync(folder, { recursive: true })
    expect(report.differences).toEqual([])
    expect(report.orders).toBeGreaterThan(3)
  })
})
