import { createExtractiveModel } from '../../src/extractive/extractive-model.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { findBestSentences } from '../qa/bm25.ts'
import { median, timeInTurns } from '../timing.ts'
import { askQuestions } from './ask-questions.ts'
import { type QuestionSet, questionSets } from './question-sets.ts'

/** How many questions of each set, how many sets, and rounds of the timed call. */
const amounts: Readonly<Record<BenchSize, { questions: number; sets: number; rounds: number }>> = {
  smoke: { questions: 3, sets: 1, rounds: 2 },
  quick: { questions: 1_000, sets: 2, rounds: 200 },
  full: { questions: 1_000, sets: 4, rounds: 200 },
}

/** Questions written for this project, asked of the whole app with the built-in engine; over texts of others too if data are here. */
export const bench: Bench = {
  title: 'The built-in engine: our own questions',
  async run({ size, folder, dataFolder }) {
    const { questions, sets, rounds } = amounts[size]
    const measures: Measure[] = []
    for (const set of questionSets(folder, dataFolder).slice(0, sets)) {
      const part = { ...set, questions: set.questions.slice(0, questions) }
      measures.push(...(await measureSet(part)))
    }
    return [...measures, await measureCall(rounds)]
  },
}

async function measureSet(set: QuestionSet): Promise<readonly Measure[]> {
  const { answered, refused, notVerbatim } = await askQuestions(set)
  const share = (of: typeof answered, what: string, atLeast: number): readonly Measure[] =>
    of.asked === 0
      ? []
      : [
          {
            what: `${set.name}: ${what} of ${of.asked}`,
            value: of.right / of.asked,
            ...(set.isTarget && { target: { atLeast } }),
          },
        ]
  return [
    ...share(answered, 'answered correctly', 0.85),
    ...share(refused, 'refused, since the pages do not say,', 1),
    {
      what: `${set.name}: cited sentences that are not verbatim`,
      value: notVerbatim,
      target: { atMost: 0 },
    },
  ]
}

const sentence =
  'In 1901 Ada Lind of the Harbour Office measured 41 metres of rope on the island of Ombra, because ships needed it. '
const request = 'Who first measured the rope on the island of Ombra?'

/** The slowest kind of call: a researcher's answer from ten passages of 190 words. */
async function measureCall(rounds: number): Promise<Measure> {
  const model = createExtractiveModel()
  const pages = Array.from({ length: 10 }, (_, index) => ({
    title: `Ombra ${index}`,
    sentences: Array.from({ length: 9 }, () => sentence),
  }))
  const passages = pages.map(({ title, sentences }, index) => {
    const text = sentences.join('')
    const id = { n: index + 1, passageId: `p${index}`, sourceId: `s${index}` }
    return { ...id, start: 0, end: text.length, title, text }
  })
  const output = { type: 'json' as const, value: { query: request, passages } }
  const result = { type: 'tool-result' as const, toolCallId: 'call-1', toolName: 'search_library' }
  const call: Parameters<typeof model.doGenerate>[0] = {
    prompt: [
      { role: 'user', content: [{ type: 'text', text: request }] },
      { role: 'tool', content: [{ ...result, output }] },
    ],
    tools: [{ type: 'function', name: 'search_library', inputSchema: {} }],
    providerOptions: {
      scholium: { role: 'researcher', input: { question: request, request, feedback: null } },
    },
  }
  const times = await timeInTurns(
    { ours: () => model.doGenerate(call), plain: () => findBestSentences(request, pages, 2) },
    rounds,
  )
  return {
    what: "a researcher's answer from ten passages of 190 words; median",
    value: median(times.ours),
    unit: 'ms',
    yardstick: { what: 'the two best sentences by BM25', value: median(times.plain) },
    target: { atMost: 120 },
  }
}
