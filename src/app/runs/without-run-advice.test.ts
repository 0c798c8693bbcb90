import { expect, it } from 'vitest'
import { describeRefusal } from '../../kernel/model/errors/model-refusal.ts'
import { withoutRunAdvice } from './without-run-advice.ts'

it('advice on a time-out is of the question inside a run, and of the service outside', () => {
  const binding = { name: 'Ollama', effect: 'read', timeoutMs: 10_000 } as const
  const late = describeRefusal(binding, new DOMException('late', 'TimeoutError'), false)
  expect(late).toMatchObject({ message: 'Ollama did not answer within 10 s' })
  expect(late.hint).toContain('timeoutSeconds for the model in scholium.yaml')
  const outside = withoutRunAdvice(late) as Error & { hint?: string }
  expect(outside.hint).toMatch(/^The service may be busy or hanging\./)
})
