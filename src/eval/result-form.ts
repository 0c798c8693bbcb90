import { z } from 'zod'
import type { EvalResult } from './result.ts'

const count = z.number().min(0)
const rate = z.boolean().nullable()

/** The form of a line of `results.jsonl`; what it does not know is kept. */
export const resultForm = z.looseObject({
  schema: z.literal('scholium.eval-result/1'),
  id: z.string(),
  set: z.string(),
  runId: z.string().nullable(),
  question: z.string(),
  answers: z.array(z.string()),
  answer: z.string(),
  scored: z.string(),
  status: z.enum(['answered', 'partial', 'unanswered', 'failed']),
  stopReason: z.string(),
  scores: z.object({ exactMatch: rate, gaia: rate, f1: count.max(1).nullable(), label: rate }),
  claims: z.array(
    z.object({ text: z.string(), citations: z.array(z.number()), verdict: z.string() }),
  ),
  coverage: z.looseObject({ claims: count, checked: count, verbatim: count, supported: count }),
  costUsd: count.nullable(),
  seconds: count.nullable(),
  usage: z.object({
    inputTokens: count,
    outputTokens: count,
    embeddingTokens: count,
    modelCalls: count,
    toolCalls: count,
  }),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      hint: z.string().nullable(),
      retryable: z.boolean(),
    })
    .nullable(),
}) as unknown as z.ZodType<EvalResult>
