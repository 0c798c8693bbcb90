import * as z from 'zod'
import type { Json } from '../../kernel/json.ts'

/** The largest number in a figure, so that differences are still finite. */
export const maxDrawn = 1e300

const text = (most: number) =>
  z
    .string()
    .max(most)
    .transform((value) => value.toWellFormed())

const label = text(400)
const numbers = z.array(z.number().min(-maxDrawn).max(maxDrawn)).min(1).max(400)

const figureSchema = z
  .object({
    kind: z.enum(['line', 'scatter', 'bar', 'hist']),
    title: label,
    xLabel: label,
    yLabel: label,
    /** Positions of the points; for a histogram the bin edges, one more than bins. */
    xs: numbers.optional(),
    ys: numbers,
    labels: z.array(label).max(200).optional(),
  })
  .refine(({ kind, xs, ys, labels }) => {
    if (kind === 'bar') return labels?.length === ys.length
    return xs?.length === (kind === 'hist' ? ys.length + 1 : ys.length)
  }, 'its parts do not fit each other')

/** A figure's content as recorded by the child and checked here. */
export type FigureData = z.output<typeof figureSchema>

const json: z.ZodType<Json> = z.json().transform(wellFormed)

const resultSchema = z.object({
  value: json,
  error: z
    .object({
      type: text(1_000),
      message: text(10_000),
      line: z.int().positive().nullable(),
      traceback: text(20_000),
    })
    .nullable(),
  figures: z.array(figureSchema).max(4),
})

/** The result of code as reported by its child. */
export type ChildResult = z.output<typeof resultSchema>

const lineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), nonce: z.string() }),
  z.object({ type: z.literal('snapshot_refused'), nonce: z.string() }),
  z.object({ type: z.literal('output'), nonce: z.string(), text: text(1_000_000) }),
  z.object({
    type: z.literal('done'),
    nonce: z.string(),
    rest: text(1_000_000),
    result: z
      .string()
      .transform((json) => JSON.parse(json) as unknown)
      .pipe(resultSchema),
  }),
  z.object({ type: z.literal('failed'), nonce: z.string(), message: text(10_000) }),
])

/** A valid line from a child. */
export type ChildLine = z.output<typeof lineSchema>

/** A child's line; `undefined` if it did not write it itself or it is invalid. */
export function childLine(line: string, nonce: string): ChildLine | undefined {
  try {
    const parsed = lineSchema.parse(JSON.parse(line))
    return parsed.nonce === nonce ? parsed : undefined
  } catch {
    return undefined
  }
}

/** JSON with well-formed texts only, as the log requires. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).map(([name, member]) => [
    name.toWellFormed(),
    wellFormed(member ?? null),
  ])
  return Object.fromEntries(members)
}
