/**
 * Asks the questions of the samples, and others, of the whole app with the extractive engine:
 * `node bench/extractive/run.ts [--misses]`, with SCHOLIUM_DATA set for texts from elsewhere too.
 *
 * Most questions were written by the engine's author, some by a reader of the samples. Those over the samples were seen while it
 * was made. The others were asked
 * once before anything was changed for them, with this result: encyclopedia 30 of 34 answered right and 18 of 20 refused, after
 * changes 24 of 28 and 15 of 16 new ones; abstracts 18 of 24 and 12 of 12. The figures below are of the engine as it is.
 */
import { rmSync } from 'node:fs'
import { createExtractiveModel } from '../../src/extractive/extractive-model.ts'
import { askQuestions, type Outcome, type Score } from './ask-questions.ts'
import { questionSets } from './question-sets.ts'

const showMisses = process.argv.includes('--misses')
const minShareAnswered = 0.85
const maxCallMs = 10

for (const set of questionSets(process.env.SCHOLIUM_DATA)) {
  const outcome = await askQuestions(set)
  report(set.name, outcome)
  const { answered, refused } = outcome
  const isEnough = answered.right >= minShareAnswered * answered.asked
  if (set.isTarget && (!isEnough || refused.right < refused.asked)) process.exitCode = 1
  if (set.isTemporary) rmSync(set.folder, { recursive: true })
}
const callMs = await measureCall()
console.log(
  `\na researcher's answer from 10 passages of 190 words: ${callMs.toFixed(1)} ms (target: < ${maxCallMs})`,
)
if (callMs > maxCallMs) process.exitCode = 1

function report(name: string, outcome: Outcome): void {
  const { answered, refused, byKind, misses, rejections, notVerbatim } = outcome
  console.log(`\n${name}: ${shown(answered)} answered right, ${shown(refused)} refused`)
  console.log(`  ${rejections} rejections by critics, ${notVerbatim} cited sentences not verbatim`)
  if (byKind.size > 2) {
    for (const [kind, score] of byKind) console.log(`  ${kind.padEnd(14)}${shown(score)}`)
  }
  if (!showMisses) return
  for (const { question, answer } of misses) console.log(`  missed: ${question}\n    ${answer}`)
}

function shown({ right, asked }: Score): string {
  return `${right} of ${asked}`
}

/** How long the slowest kind of call takes: a researcher's answer from ten passages; the median of 200, in ms. */
async function measureCall(): Promise<number> {
  const model = createExtractiveModel()
  const text =
    'In 1901 Ada Lind of the Harbour Office measured 41 metres of rope on the island of Ombra, because ships needed it. '.repeat(
      9,
    )
  const passages = Array.from({ length: 10 }, (_, index) => ({
    n: index + 1,
    passageId: `p${index}`,
    sourceId: `s${index}`,
    start: 0,
    end: text.length,
    title: `Ombra ${index}`,
    text,
  }))
  const request = 'Who first measured the rope on the island of Ombra?'
  const output = { type: 'json' as const, value: { query: request, passages } }
  const call: Parameters<typeof model.doGenerate>[0] = {
    prompt: [
      { role: 'user', content: [{ type: 'text', text: request }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'call-1', toolName: 'search_library', output },
        ],
      },
    ],
    tools: [{ type: 'function', name: 'search_library', inputSchema: {} }],
    providerOptions: {
      scholium: { role: 'researcher', input: { question: request, request, feedback: null } },
    },
  }
  const times: number[] = []
  for (let count = 0; count < 200; count++) {
    const start = performance.now()
    await model.doGenerate(call)
    times.push(performance.now() - start)
  }
  return times.toSorted((left, right) => left - right)[100] as number
}
