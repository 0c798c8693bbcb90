import type { Measure } from '../bench.ts'
import { median } from '../timing.ts'
import { answerF1, normalized, supportScore } from './answer-scores.ts'
import { askLibrary, type Reply } from './ask-library.ts'
import { findBestSentences } from './bm25.ts'
import { halfOf, halves, type Page, type TwoPageQuestion } from './data-sets.ts'

/** How one way of answering did on one question. */
interface Result {
  readonly question: TwoPageQuestion
  /** The F1 of the sentences that are quoted, to those that the set names. */
  readonly supportF1: number
  /** Whether the right answer occurs in what is quoted. */
  readonly isContained: boolean
  readonly isAnswered: boolean
  readonly short: string
}

/** HotpotQA's questions, each with its ten pages as the library. */
export async function askOverOwnPages(
  questions: readonly TwoPageQuestion[],
): Promise<readonly Reply[]> {
  const replies: Reply[] = []
  for (const { pages, question } of questions)
    replies.push(...(await askLibrary(pages, [question])))
  return replies
}

/** HotpotQA's questions over their own ten pages and over all pages, next to the two best sentences by BM25, which always answers. */
export async function measureTwoPages(
  questions: readonly TwoPageQuestion[],
): Promise<readonly Measure[]> {
  const replies = await askOverOwnPages(questions)
  const pages = uniquePages(questions)
  const together = questions.map((question) => ({ ...question, pages }))
  const asked = await askLibrary(
    pages,
    together.map(({ question }) => question),
  )
  return [
    ...measureSet('ten pages each', questions, replies),
    ...measureSet(`all ${pages.length} pages`, together, asked),
    {
      what: 'HotpotQA: cited sentences that are not verbatim',
      value: [...replies, ...asked].reduce((sum, { notVerbatim }) => sum + notVerbatim, 0),
      target: { atMost: 0 },
    },
    {
      what: 'HotpotQA: a question over ten pages; median',
      value: median(replies.map(({ wallMs }) => wallMs)),
      unit: 'ms',
    },
  ]
}

function measureSet(
  name: string,
  questions: readonly TwoPageQuestion[],
  replies: readonly Reply[],
): readonly Measure[] {
  return halves.flatMap((half) => {
    const isOwn = ({ question }: Result) => halfOf(question.id) === half
    const engine = questions.map((one, index) => toResult(one, replies[index])).filter(isOwn)
    if (engine.length === 0) return []
    const plain = questions
      .map((one) => toBaseline(one, findBestSentences(one.question, one.pages, 2)))
      .filter(isOwn)
    const given = engine.filter(({ short }) => short !== '')
    const what = `HotpotQA, ${name}, ${half}`
    const share = (results: readonly Result[], scoreOf: (result: Result) => number) =>
      results.reduce((sum, result) => sum + scoreOf(result), 0) / results.length
    const row = (
      figure: string,
      scoreOf: (result: Result) => number,
      atLeast: number,
    ): Measure => ({
      what: `${what}: ${figure}`,
      value: share(engine, scoreOf),
      yardstick: { what: 'the two best sentences by BM25', value: share(plain, scoreOf) },
      target: { atLeast },
    })
    return [
      row('F1 of the sentences quoted', ({ supportF1 }) => supportF1, 0.5),
      row(`answer contained, of ${engine.length}`, ({ isContained }) => Number(isContained), 0.35),
      row(`answered, of ${engine.length}`, ({ isAnswered }) => Number(isAnswered), 0.6),
      ...(given.length === 0
        ? []
        : [
            {
              what: `${what}: F1 of the ${given.length} short answers given`,
              value: share(given, ({ short, question }) => answerF1(short, question.answer)),
            },
          ]),
    ]
  })
}

function toResult(question: TwoPageQuestion, reply: Reply | undefined): Result {
  if (reply === undefined) throw new Error(`No reply to "${question.question}".`)
  const isSame = normalized(reply.short) === normalized(question.answer)
  return {
    question,
    supportF1: supportScore(reply.quoted, question.support).f1,
    isContained: contains(reply.answer, question.answer) || isSame,
    isAnswered: !reply.isRefusal,
    short: reply.short,
  }
}

function toBaseline(
  question: TwoPageQuestion,
  chosen: readonly { readonly key: string; readonly text: string }[],
): Result {
  const keys = new Set(chosen.map(({ key }) => key))
  return {
    question,
    supportF1: supportScore(keys, question.support).f1,
    isContained: contains(chosen.map(({ text }) => text).join(' '), question.answer),
    isAnswered: true,
    short: '',
  }
}

function contains(text: string, answer: string): boolean {
  if (/^(?:yes|no)$/.test(answer)) return false
  return ` ${normalized(text)} `.includes(` ${normalized(answer)} `)
}

/** Asks each question where no page answers it, and counts how often it is answered nevertheless. BM25 always answers. */
export async function measureRefusals(
  questions: readonly TwoPageQuestion[],
): Promise<readonly Measure[]> {
  const swapped: Reply[] = []
  for (const [index, { question }] of questions.entries()) {
    const { pages } = questions[(index + 1) % questions.length] as TwoPageQuestion
    swapped.push(...(await askLibrary(pages, [question])))
  }
  const needed = new Set(questions.flatMap(({ support }) => [...support].map(titleOf)))
  const others = uniquePages(questions).filter(({ title }) => !needed.has(title))
  const without = await askLibrary(
    others,
    questions.map(({ question }) => question),
  )
  const cases = [
    ['the ten pages of another question', swapped],
    [`${others.length} pages like those needed, without them`, without],
  ] as const
  return halves.flatMap((half) => {
    const isOwn = (_reply: Reply, index: number) => halfOf(questions[index]?.id ?? '') === half
    return cases.flatMap(([name, replies]): readonly Measure[] => {
      const own = replies.filter(isOwn)
      if (own.length === 0) return []
      const answered = own.filter(({ isRefusal }) => !isRefusal).length
      const value = answered / own.length
      const yardstick = { what: 'BM25, which always answers', value: 1 }
      const what = `HotpotQA, over ${name}, ${half}: answered nevertheless, of ${own.length}`
      return [{ what, value, yardstick, target: { atMost: 0.2 } }]
    })
  })
}

function uniquePages(questions: readonly TwoPageQuestion[]): readonly Page[] {
  const pages = questions.flatMap((question) => question.pages)
  return [...new Map(pages.map((page) => [page.title, page])).values()]
}

function titleOf(key: string): string {
  return key.slice(0, key.lastIndexOf('#'))
}
