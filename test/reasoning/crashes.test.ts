import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { defineTool, type Json, type RunContext } from '../../src/kernel/index.ts'
import {
  chainOfThought,
  decompose,
  type ReasoningTrace,
  react,
  selfCorrect,
} from '../../src/reasoning/index.ts'
import {
  faultSubject,
  type ModelCallSeen,
  runFaults,
  type ScriptedAnswer,
  scriptModels,
} from '../../src/testing/index.ts'
import { workflowOf } from '../kernel/runs.ts'

/** A technique at work, and what its model says. */
interface Technique {
  readonly name: string
  readonly work: (context: RunContext) => Promise<{ readonly trace: ReasoningTrace }>
  readonly say: (seen: ModelCallSeen) => ScriptedAnswer
  readonly parallelCalls?: number
}

const double = defineTool({
  name: 'double',
  description: 'Doubles.',
  input: z.object({ n: z.number() }),
  effect: 'read',
  execute: async ({ n }) => 2 * n,
})

const systemOf = ({ prompt }: ModelCallSeen) => String(prompt[0]?.content)

const techniques: readonly Technique[] = [
  {
    name: 'chainOfThought',
    work: (context) => chainOfThought(context, { problem: 'p', model: 'test:named' }),
    say: () => ({ json: { thinking: 't', answer: 'a' } }),
  },
  {
    name: 'react',
    work: (context) => react(context, { goal: 'g', tools: [double] }),
    say: ({ prompt }) => {
      const n = prompt.filter(({ role }) => role === 'tool').length
      const json = { thought: `t${n}`, action: n < 2 ? 'double' : 'finish', action_input: { n } }
      return { text: JSON.stringify(json) }
    },
  },
  {
    name: 'selfCorrect',
    work: (context) => selfCorrect(context, { task: 't' }),
    say: ({ lastText }) => ({ text: `v${lastText.length}` }),
  },
  {
    name: 'decompose',
    work: (context) => decompose(context, { problem: 'root' }),
    say: (seen) => {
      if (systemOf(seen).startsWith('You are given')) return { json: { final_answer: 'all' } }
      const isRoot = !seen.lastText.includes('whole_problem')
      const parts = ['a', { id: 'b', description: 'b', depends_on: ['1'] }, 'c']
      return { json: isRoot ? { sub_problems: parts } : { answer: seen.lastText.length } }
    },
    parallelCalls: 3,
  },
]

describe('a run that dies at any event and is resumed', () => {
  it.each(techniques)(
    'comes to the same by $name, and pays no finished call again',
    async ({ work, say, parallelCalls = 1 }) => {
      const subject = faultSubject(
        () => {
          const { models, paidCalls } = scriptModels(say)
          const workflow = workflowOf(async (context) => {
            const { trace, ...result } = await work(context)
            // Times differ where a run was done in two parts.
            return { ...result, entries: trace.entries.map(({ data }) => data) } as Json
          })
          return { workflow, input: {}, execution: { models }, paidCalls }
        },
        { parallelCalls },
      )
      const report = await runFaults(subject)
      expect(report.problems).toEqual([])
      expect(report.trials).toBeGreaterThan(10)
    },
  )
})
