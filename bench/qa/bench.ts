import type { Bench, BenchSize } from '../bench.ts'
import { measureAbstracts } from './abstracts.ts'
import { measureArithmetic } from './arithmetic.ts'
import {
  abstractQuestions,
  schoolExpressions,
  twoPageQuestions,
  wordProblemEquations,
} from './data-sets.ts'
import { measureRefusals, measureTwoPages } from './two-pages.ts'

interface Amounts {
  readonly twoPages: number
  readonly abstracts: number
  readonly calculations: number
}

const amounts: Readonly<Record<BenchSize, Amounts>> = {
  smoke: { twoPages: 2, abstracts: 2, calculations: 5 },
  quick: { twoPages: 1_000, abstracts: 50, calculations: 10_000 },
  full: { twoPages: 1_000, abstracts: 10_000, calculations: 10_000 },
}

/** Public question sets, asked of the whole app with the built-in engine, and the calculator. */
export const bench: Bench = {
  title: 'The built-in engine: public question sets',
  needs: ['SCHOLIUM_DATA'],
  async run({ size, dataFolder }) {
    const { twoPages, abstracts, calculations } = amounts[size]
    const questions = twoPageQuestions(dataFolder).slice(0, twoPages)
    const school = schoolExpressions(dataFolder).slice(0, calculations)
    const equations = wordProblemEquations(dataFolder).slice(0, calculations)
    return [
      ...(await measureTwoPages(questions)),
      ...(await measureRefusals(questions)),
      ...(await measureAbstracts(abstractQuestions(dataFolder).slice(0, abstracts))),
      await measureArithmetic('GSM8K', school, 1),
      // One of the set's own answers is wrong.
      await measureArithmetic('SVAMP', equations, 0.995),
    ]
  },
}
