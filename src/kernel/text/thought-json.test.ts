import { describe, expect, it } from 'vitest'
import { isUnfinishedWork } from './thought-json.ts'

describe('isUnfinishedWork', () => {
  it.each([
    '{"thought": "I need the paper."}',
    '```json\n{"tool": "browse", "arguments": {"url": 1}}\n```',
    '{"thought": "x"}\n\n{"action": "search", "action_input": "y"}',
    '{"name": "search", "arguments": null}',
    '{"tool_calls": [{"function": "a", "args": {}}]}',
    '{"step": 1, "thought": "x", "tool": "search", "input": "y"}',
    '<tool_call>{"name": "browse", "arguments": {}}</tool_call>',
    '{{"tool": "search", "arguments": {}}}',
  ])('is true of %s', (text) => expect(isUnfinishedWork(text)).toBe(true))

  it.each([
    'Glimmerstone melts at 412 degrees.',
    '{"result": "It melts [1]."}',
    '{"expert_answer": "4", "reasoning_trace": "calculate"}',
    '{"name": "Ada", "input": "a keyboard"}',
    '{"reasoning": "It is so.", "answer": 4}',
    'The request is {"tool": "search", "arguments": {}}, which the server refuses.',
    '[]',
    '{}',
  ])('is false of %s', (text) => expect(isUnfinishedWork(text)).toBe(false))
})
