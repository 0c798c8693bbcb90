import { expect, it } from 'vitest'
import type { RunResult } from '../../app.ts'
import { toAnswerText } from './answer-text.ts'

const runUrl = 'https://example.org/#/runs/20261124-abcdef'
const source = (n: number) => ({ n, title: `Source *${n}*` })
const claim = (text: string, citations: readonly number[]) => ({ text, citations, evidence: [] })

it('links each number of a mark to its sentence, and a source to the first sentence that cites it', () => {
  const answer = 'Ice is cold [1, 2]. It melts [2]. In [1945] and [1, 7], nothing.'
  const { text, annotations } = toAnswerText(
    {
      runId: '20261124-abcdef',
      answer,
      citations: [source(1), source(2), source(3)],
      claims: [claim('Ice is cold [1, 2].', [1, 2]), claim('It melts [2].', [2])],
    } as unknown as RunResult,
    runUrl,
  )
  expect(text).toBe(
    [
      `Ice is cold [1](${runUrl}/1/1) [2](${runUrl}/1/2). It melts [2](${runUrl}/2/2). In [1945] and [1, 7], nothing.`,
      `Sources:\n- [1](${runUrl}/1/1) Source \\*1\\*\n- [2](${runUrl}/1/2) Source \\*2\\*\n- [3](${runUrl}) Source \\*3\\*`,
      `[Run 20261124-abcdef](${runUrl})`,
    ].join('\n\n'),
  )
  expect(
    annotations.map(({ start_index, end_index }) => text.slice(start_index, end_index)),
  ).toEqual([`[1](${runUrl}/1/1)`, `[2](${runUrl}/1/2)`, `[2](${runUrl}/2/2)`])
})
