import { expect, it } from 'vitest'
import type { RunEvent } from '../../kernel/run/event.ts'
import { describeRun } from './describe-run.ts'

const ended = (key: string, output: object) =>
  ({ type: 'node.done', key, data: {}, output }) as unknown as RunEvent

it('names the node that failed, whether its patch does or not', () => {
  const error = { code: 'internal', message: 'It broke.' }
  expect(describeRun([ended('papers/synthesizer[1]', { error })])).toEqual([
    'The synthesizer failed: It broke.',
  ])
  expect(describeRun([ended('ask/expert[1]', { error, errorComponent: 'expert' })])).toEqual([
    'The expert failed: It broke.',
  ])
})
