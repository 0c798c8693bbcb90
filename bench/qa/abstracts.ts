import { splitSentences } from '../../src/claims/language/sentences.ts'
import type { Measure } from '../bench.ts'
import { askLibrary, type Reply } from './ask-library.ts'
import { type AbstractQuestion, halfOf, halves } from './data-sets.ts'

/** Asks one of PubMedQA's questions with its abstract, which lacks the conclusion, as the library. */
export async function askAbstract({ id, question, parts }: AbstractQuestion): Promise<Reply> {
  const sentences = parts.flatMap(({ text }) =>
    splitSentences(text).map(({ start, end }) => `${text.slice(start, end)} `),
  )
  const [reply] = await askLibrary([{ title: `Abstract ${id}`, sentences }], [question])
  if (reply === undefined) throw new Error(`No reply to "${question}".`)
  return reply
}

/** How often the engine quotes something, and how often it says yes, no or maybe and is right, next to always saying yes. */
export async function measureAbstracts(
  questions: readonly AbstractQuestion[],
): Promise<readonly Measure[]> {
  const measures: Measure[] = []
  for (const half of halves) {
    const own = questions.filter(({ id }) => halfOf(id) === half)
    if (own.length === 0) continue
    const share = (count: number) => count / own.length
    let [quoted, right] = [0, 0]
    for (const question of own) {
      const { isRefusal, short } = await askAbstract(question)
      if (!isRefusal) quoted++
      if (short.toLowerCase() === question.decision) right++
    }
    const yes = own.filter(({ decision }) => decision === 'yes').length
    const what = `PubMedQA, ${half}, ${own.length} questions`
    measures.push(
      {
        what: `${what}: right yes, no or maybe`,
        value: share(right),
        yardstick: { what: 'always yes', value: share(yes) },
      },
      { what: `${what}: sentences quoted`, value: share(quoted) },
    )
  }
  return measures
}
