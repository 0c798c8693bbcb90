import { describe, expect, it } from 'vitest'
import { detectCodeLanguage, toDottedName } from './agent-document.ts'

describe('the language of code', () => {
  it.each([
    ['return {"x": state["xs"][:-1]}', 'python'],
    ['x = 1\nreturn {"x": x}', 'python'],
    ['-- lua\nreturn { x = 1 }', 'lua'],
    ['local x = state.x + 1\nreturn { x = x }', 'lua'],
    ['# a local variable\nreturn {}', 'python'],
    ['% prolog\nstate(x, X), return(y, X).', 'prolog'],
    ['state(value, V),\nV2 is V * 2,\nreturn(result, V2).', 'prolog'],
    [':- use_module(library(clpfd)).\nparent(a, b).', 'prolog'],
    ['grand(X, Z) :- parent(X, Y), parent(Y, Z).', 'prolog'],
    ['parent(a, b).\n?- parent(a, X).', 'prolog'],
    ['// javascript\nreturn { x: 1 }', 'javascript'],
    ['', 'python'],
  ])('%j is %s', (code, language) => {
    expect(detectCodeLanguage(code)).toBe(language)
  })

  it('is the one that is named, whatever the code looks like', () => {
    expect(detectCodeLanguage('-- lua\nreturn 1', 'js')).toBe('javascript')
  })
})

it.each([
  ['actions.llm_call', 'llm.call'],
  ['actions.reason_self_correct', 'reason.self_correct'],
  ['actions.rag_llamaindex_query', 'rag.llamaindex.query'],
  ['actions.a2a_state_get', 'a2a.state.get'],
  ['actions.a2a_send', 'a2a.send'],
  ['actions.notify', 'actions.notify'],
  ['reason.self_correct', 'reason.self_correct'],
])('%s stands for %s', (written, name) => {
  expect(toDottedName(written)).toBe(name)
})
