import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import {
  askAll,
  askOne,
  comparable,
  type Planted,
  plant,
  problemsOf,
  strangersIn,
} from '../../bench/many-runs/crowd.ts'
import { measureHeldMemory } from '../../bench/memory.ts'
import { createApp } from '../../src/index.ts'

const folder = mkdtempSync(join(tmpdir(), 'scholium-many-runs-'))
afterAll(() => rmSync(folder, { recursive: true }))
const appIn = (home: string) => createApp({ home: join(folder, home), environment: {} })
const atOnce = 50

describe('a hundred questions in one process, fifty at once', () => {
  it('know nothing of each other, and each has the answer that it has alone', async () => {
    const questions = plant(join(folder, 'sources'), 0, 100)
    const [together, alone] = [appIn('together'), appIn('alone')]
    const answers = new Map<Planted, string>()
    const [problems, runIds]: [string[], Set<string>] = [[], new Set()]
    await askAll(together, questions, atOnce, async (planted, answer) => {
      answers.set(planted, comparable(answer))
      problems.push(...(await problemsOf(together, planted, answer, runIds)))
    })
    expect(problems).toEqual([])
    expect(runIds.size).toBe(questions.length)
    for (const planted of questions)
      expect(answers.get(planted)).toBe(comparable(await askOne(alone, planted)))
    await together.close()
    await alone.close()
  })

  it('would be told apart where one knew of another', () => {
    const [one, other] = plant(join(folder, 'two'), 200, 2) as [Planted, Planted]
    expect(strangersIn(`${one.holds} and ${other.question}`, one)).toEqual([other.name])
    expect(strangersIn(other.source, one)).toEqual([other.name.toLowerCase()])
  })

  it('leave next to nothing in memory: no run is held', async () => {
    const app = appIn('memory')
    await askAll(app, plant(join(folder, 'first'), 300, 50), atOnce)
    const questions = plant(join(folder, 'later'), 400, 100)
    const before = await measureHeldMemory()
    await askAll(app, questions, atOnce)
    const after = await measureHeldMemory()
    expect((after.heapBytes - before.heapBytes) / 1e6).toBeLessThan(3)
    await app.close()
  })
})
