import { z } from 'zod'
import type { ContextText, Draft } from './question.ts'

const text = z.string().trim().min(1)
/** A number is written as JavaScript writes it: 17, not 17.0. Whether something is so can be said in two ways. */
const gold = z.union([
  text.transform((one) => [one]),
  z.number().transform((one) => [String(one)]),
  z.boolean().transform((is) => (is ? ['yes', 'true'] : ['no', 'false'])),
])

const context = z
  .union([
    text.transform((only): readonly ContextText[] => [{ title: 'Context', text: only }]),
    z.array(
      z.union([
        text.transform((one) => ({ title: '', text: one })),
        z.object({ title: z.string(), text }),
      ]),
    ),
  ])
  .transform((texts) =>
    texts.map(({ title, text }, index) => ({ title: title || `Context ${index + 1}`, text })),
  )

const fields = z.object({
  id: z.union([text, z.number().transform(String)]).optional(),
  question: text,
  answer: gold.nullable().optional(),
  answers: z.array(gold).optional(),
  labels: z.array(text).min(2).optional(),
  files: z.union([text.transform((one) => [one]), z.array(text)]).optional(),
  context: context.optional(),
})

/**
 * Reads a record of one's own: `question`, and if they are known `answer` or `answers`, `labels`, and `files` or `context`.
 * @throws a `ZodError` for a record whose fields hold something else
 */
export function readOwnRecord(record: unknown): Draft {
  const { id, question, answer, answers, labels, files, context } = fields.parse(record)
  return {
    question,
    answers: answers?.flat() ?? answer ?? [],
    ...(id === undefined ? {} : { id }),
    ...(labels === undefined ? {} : { labels }),
    ...(files === undefined ? {} : { files }),
    ...(context === undefined ? {} : { context }),
  }
}
