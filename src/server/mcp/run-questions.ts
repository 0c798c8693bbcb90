import { type InputRequests, inputRequired, inputResponse } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { ExecutionOptions } from '../../app.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import { lastQuestion } from '../recorded-run.ts'
import type { McpSite } from './mcp-site.ts'

const requestedSchema = z.object({
  answer: z
    .string()
    .max(20_000)
    .describe('"approve", "refuse", or what should be different, in a sentence.'),
})

const maxMessageChars = 8_000

/** What a waiting run asks, as requests to the person in front of the client; `undefined` if it asks nothing. */
export async function questionsOf(
  { app, form }: McpSite,
  runId: string,
): Promise<InputRequests | undefined> {
  const question = await lastQuestion(app, runId)
  if (question === undefined) return undefined
  const message = cutText(describePrompt(form.of(question.prompt)), maxMessageChars)
  return { [question.key]: inputRequired.elicit({ message, requestedSchema }) }
}

/**
 * Answers a run's questions with what a client returned. A question that is declined or dismissed is refused: nothing would ask it
 * again.
 */
export function answerFrom(
  responses: Readonly<Record<string, unknown>>,
): NonNullable<ExecutionOptions['answer']> {
  return async (_question, key) => {
    const given = inputResponse(responses, key)
    if (given.kind !== 'elicit') return undefined
    if (given.action !== 'accept') return 'refuse'
    const read = requestedSchema.safeParse(given.content)
    return read.success ? read.data.answer : undefined
  }
}

const plan = z.object({
  kind: z.literal('plan'),
  research_steps: z.array(z.string()),
  expert_steps: z.array(z.string()),
  problem: z.string().optional(),
})

function describePrompt(prompt: unknown): string {
  const read = plan.safeParse(prompt)
  if (!read.success) return JSON.stringify(prompt)
  const { research_steps, expert_steps, problem } = read.data
  return [
    ...(problem === undefined ? [] : [`Invalid answer: ${problem}`]),
    'Shall the question be answered by this plan?',
    ...research_steps.map((step, index) => `${index + 1}. ${step}`),
    ...expert_steps.map((step) => `- ${step}`),
  ].join('\n')
}
