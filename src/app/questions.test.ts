import { describe, expect, it } from 'vitest'
import { ScholiumError } from '../kernel/errors.ts'
import { waitingQuestion } from './questions.ts'

describe('the question of a run that waits', () => {
  it('is what its error carries, and none for another error', () => {
    const prompt = { kind: 'question', text: 'Publish?' }
    const waiting = new ScholiumError('waiting', 'It waits.', { details: { prompt } })
    expect(waitingQuestion(waiting)).toEqual(prompt)
    const other = new ScholiumError('internal', 'A bug.', { details: { prompt } })
    expect(waitingQuestion(other)).toBeUndefined()
    expect(waitingQuestion(new Error('no'))).toBeUndefined()
  })
})
