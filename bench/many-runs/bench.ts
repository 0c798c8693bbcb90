import { join } from 'node:path'
import { type App, createApp } from '../../src/index.ts'
import type { Bench, BenchSize } from '../bench.ts'
import { measureHeldMemory } from '../memory.ts'
import { timeMs } from '../timing.ts'
import { askAll, askOne, comparable, type Planted, plant, problemsOf } from './crowd.ts'

const amounts: Readonly<Record<BenchSize, { count: number; warmUp: number }>> = {
  smoke: { count: 10, warmUp: 5 },
  quick: { count: 300, warmUp: 100 },
  full: { count: 1_000, warmUp: 100 },
}
const atOnce = 50

/** Whether many questions to the built-in engine in one process keep apart and leave nothing behind, and what each takes. */
export const bench: Bench = {
  title: 'Many questions in one process',
  async run({ size, folder }) {
    const { count, warmUp } = amounts[size]
    const appIn = (home: string) => createApp({ home: join(folder, home), environment: {} })
    const [together, alone] = [appIn('together'), appIn('alone')]
    try {
      await askAll(together, plant(join(folder, 'first'), 0, warmUp), atOnce)
      await askAll(alone, plant(join(folder, 'second'), 0, warmUp), 1)
      const questions = plant(join(folder, 'sources'), warmUp, count)
      const before = await measureHeldMemory()
      const togetherMs = await timeMs(() => askAll(together, questions, atOnce))
      const after = await measureHeldMemory()
      const aloneMs = await timeMs(() => askAll(alone, questions, 1))
      const problems = await findProblems(questions, together, alone)
      for (const problem of problems.slice(0, 20)) console.log(problem)
      return [
        {
          what: `a question, ${atOnce} of ${count} at once`,
          value: togetherMs / count,
          unit: 'ms',
          yardstick: { what: 'one after another', value: aloneMs / count },
          target: { atMost: 1.2 },
        },
        {
          what: `growth of the heap over ${count} questions`,
          value: Math.max(0, after.heapBytes - before.heapBytes) / 1_000_000,
          unit: 'MB',
          target: { atMost: 5 },
        },
        {
          what: `wrong, mixed up or other than alone, of ${count} answers`,
          value: problems.length,
          target: { atMost: 0 },
        },
      ]
    } finally {
      await together.close()
      await alone.close()
    }
  },
}

/** Asks all again, so that nothing of this is in the memory that is measured. */
async function findProblems(
  questions: readonly Planted[],
  together: App,
  alone: App,
): Promise<readonly string[]> {
  const problems: string[] = []
  const runIds = new Set<string>()
  const answers = new Map<Planted, string>()
  await askAll(together, questions, atOnce, async (planted, answer) => {
    answers.set(planted, comparable(answer))
    problems.push(...(await problemsOf(together, planted, answer, runIds)))
  })
  for (const planted of questions)
    if (comparable(await askOne(alone, planted)) !== answers.get(planted))
      problems.push(`${planted.name}: alone it has another answer`)
  return problems
}
