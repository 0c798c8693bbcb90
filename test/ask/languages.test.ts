import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ContinuedWorld } from './continued-world.ts'

const world = new ContinuedWorld()
beforeAll(async () => {
  await world.open()
  for (const { file, text } of languages) world.write(file, text)
})
afterAll(() => world.close())

/** Facts, a question, what is searched, and an answer: a sentence of the source, one with its number in another form, one with a wrong number. */
const languages = [
  {
    name: 'German',
    file: 'bodensee.md',
    text: '# Bodensee\n\nDer Bodensee ist an der tiefsten Stelle 251,1 Meter tief. Der Rhein fließt durch den See. Im Jahr 2019 lebten 1.250.000 Menschen in der Region.\n',
    question: 'Wie tief ist der Bodensee?',
    search: 'Bodensee tiefste Stelle',
    answer:
      'Der Rhein fließt durch den See [1]. Im Jahr 2019 lebten 1,25 Millionen Menschen in der Region [1]. Der Bodensee ist an der tiefsten Stelle 351,1 Meter tief [1].',
  },
  {
    name: 'Chinese',
    file: 'changjiang.md',
    text: '# 长江\n\n长江全长约6300公里。三峡大坝坝高185米。长江流域人口超过4亿人。\n',
    question: '三峡大坝有多高?',
    search: '大坝高度',
    answer: '三峡大坝坝高１８５米[1]。长江流域人口超过400,000,000人[1]。长江全长约5300公里[1]。',
  },
  {
    name: 'Arabic',
    file: 'nil.md',
    text: '# نهر النيل\n\nيبلغ طول نهر النيل حوالي ٦٦٥٠ كيلومترًا. يبلغ ارتفاع السد العالي ١١١ مترًا. بُني السد العالي بين عامي ١٩٦٠ و١٩٧٠.\n',
    question: 'ما ارتفاع السد العالي؟',
    search: 'إرتفاع سد',
    answer:
      'يبلغ ارتفاع السد العالي ١١١ مترًا [1]. بُني السد العالي بين عامي 1960 و 1970 [1]. يبلغ طول نهر النيل حوالي 5650 كيلومترًا [1].',
  },
] as const

describe.each(languages)('a question in $name', ({ file, question, search, answer, text }) => {
  it.each(['quick', 'standard'] as const)(
    'is answered with quotes found and numbers compared (%s)',
    async (depth) => {
      const given = { json: { result: answer } }
      const research = (seen: { readonly lastRole: string }) =>
        seen.lastRole === 'tool'
          ? given
          : { toolCalls: [{ name: 'search_library', input: { query: search, limit: 3 } }] }
      world.say({
        quick: research,
        researcher: research,
        expert: { json: { expert_answer: answer, reasoning_trace: '' } },
        finalizer: { json: { final_answer: answer, final_reasoning_trace: '' } },
      })
      const sources = [file]
      const told = await world.app().ask({ question, sources, depth })
      // Partial, because of the sentence with a wrong number.
      expect(told.status).toBe('partial')
      expect(told.answer).toBe(answer)
      const verdicts = told.claims.map(({ verdict }) => verdict)
      expect(verdicts).toHaveLength(3)
      expect(verdicts[0]).toBe('verbatim')
      expect(['verbatim', 'supported']).toContain(verdicts[1])
      expect(verdicts[2]).toBe('altered')
      for (const { evidence } of told.claims.slice(0, 1)) expect(text).toContain(evidence[0]?.quote)
    },
  )

  it('gets only quotes from the built-in engine, or none', async () => {
    const app = world.app({ models: { default: 'extractive' } })
    const told = await app.ask({ question, sources: [file] })
    expect(['answered', 'unanswered']).toContain(told.status)
    for (const { verdict } of told.claims) expect(verdict).toBe('verbatim')
  })
})
