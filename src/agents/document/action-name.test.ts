import { expect, it } from 'vitest'
import { dottedName } from './action-name.ts'

it.each([
  ['actions.llm_call', 'llm.call'],
  ['actions.reason_self_correct', 'reason.self_correct'],
  ['actions.rag_llamaindex_query', 'rag.llamaindex.query'],
  ['actions.a2a_state_get', 'a2a.state.get'],
  ['actions.a2a_send', 'a2a.send'],
  ['actions.notify', 'actions.notify'],
  ['reason.self_correct', 'reason.self_correct'],
])('%s stands for %s', (written, name) => {
  expect(dottedName(written)).toBe(name)
})
