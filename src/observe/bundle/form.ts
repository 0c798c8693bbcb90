import * as z from 'zod'
import type { Hash, JsonObject } from '../../kernel/json.ts'
import type { RunEvent, StepEvent, StoredEvent } from '../../kernel/run/event.ts'

/** The bundle format that this version reads and writes. */
export const bundleSchema = 'scholium.bundle/1'

/** The members of a bundle in order; sources follow `prices.json`, sorted by name. */
export const memberNames = {
  answer: 'answer.json',
  claims: 'claims.json',
  configuration: 'configuration.json',
  csl: 'csl.json',
  log: 'log.ndjson',
  messages: 'messages.ndjson',
  prices: 'prices.json',
  manifest: 'manifest.json',
  signature: 'signature.json',
} as const

/** The name of a source's member. */
export function sourceMember(sourceId: string): string {
  return `sources/${sourceId}.json`
}

/** Whether a bundle may have a member of this name. */
export function isMemberName(name: string): boolean {
  const fixed: readonly string[] = Object.values(memberNames)
  return fixed.includes(name) || /^sources\/[0-9a-f]{64}\.json$/.test(name)
}

const hash = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('A SHA-256 as 64 lower-case hex digits.')
  .transform((text) => text as Hash)
const whole = z.number().int().nonnegative()
const text = z.string()
const anyJson = z.record(z.string(), z.unknown())

/** `manifest.json`. */
export const manifestForm = z.strictObject({
  schema: z.literal(bundleSchema),
  runId: text,
  workflow: text,
  status: text.describe('As the run ended, or unfinished.'),
  events: whole.describe('How many events log.ndjson has.'),
  family: z
    .array(z.strictObject({ runId: text, throughSeq: whole }))
    .describe(
      'The runs whose events these are, the eldest first: a fork shares a prefix of its parent.',
    ),
  versions: z.strictObject({ package: text, workflow: text }).describe('Of the last execution.'),
  texts: z
    .enum(['full', 'cited'])
    .describe(
      'Whether sources have their whole text, or only the passages that were read under the numbers that the answer cites.',
    ),
  replacedPaths: z
    .array(z.string().regex(/^\[(?:folder [1-9]\d*|home)\]$/))
    .describe("What replaces folders of the machine in every member except the sources' texts."),
  missing: z
    .array(z.strictObject({ what: text, why: text }))
    .describe('What could be here and is not.'),
  members: z
    .array(z.strictObject({ name: text, sizeBytes: whole, sha256: hash }))
    .describe('Every member but manifest.json and signature.json, in order.'),
  root: hash.describe('The SHA-256 of this manifest without this field, as canonical JSON.'),
})

/** The parsed manifest. */
export type Manifest = z.infer<typeof manifestForm>

/** `signature.json`. */
export const signatureForm = z.strictObject({
  algorithm: z.literal('ed25519'),
  publicKey: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe("The key's 32 bytes in hex."),
  signature: z
    .string()
    .regex(/^[0-9a-f]{128}$/)
    .describe('Of the text "scholium.bundle/1", a line feed, the root hash and a line feed.'),
})

/** The parsed signature. */
export type Signature = z.infer<typeof signatureForm>

/** A line of `messages.ndjson`. */
export const messageForm = z
  .strictObject({ hash, text })
  .describe('A message under the SHA-256 of its text, which is canonical JSON.')

const span = z.strictObject({ start: whole, end: whole, text })

/** `sources/<id>.json`. Offsets count UTF-16 code units in the text that was read. */
export const sourceForm = z.strictObject({
  source: z.looseObject({
    id: hash.describe("The SHA-256 of the source's bytes."),
    kind: text,
    title: text,
    sizeBytes: whole,
    path: text.optional(),
    url: text.optional(),
    pageCount: whole.optional(),
    csl: anyJson,
  }),
  length: whole.describe('Of the text, in UTF-16 code units.'),
  textHash: hash.describe('The SHA-256 of the text in UTF-8.'),
  pages: z
    .array(z.strictObject({ page: whole, start: whole, end: whole }))
    .describe('Start and end of each page that was read; empty if there are no pages.'),
  text: text.optional().describe('The whole text as it was read.'),
  spans: z.array(span).optional().describe('The passages in place of the text.'),
})

/** A parsed source member. */
export type SourceSnapshot = z.infer<typeof sourceForm>

const stepTypes = [
  'step.started',
  'step.done',
  'step.failed',
  'step.cancelled',
  'step.outcome_unknown',
] as const
const otherTypes = [
  'run.started',
  'run.resumed',
  'run.forked',
  'run.waiting',
  'run.suspended',
  'run.finished',
  'node.done',
  'turn.done',
  'limit.reached',
  'notice',
] as const satisfies readonly RunEvent['type'][]

const tokens = z.looseObject({
  inputTokens: z.number().nonnegative(),
  outputTokens: z.number().nonnegative(),
  costUsd: z.number().nonnegative().nullable(),
})
const place = {
  v: z.literal(1),
  runId: text,
  seq: z.number().int().positive(),
  ts: z.number().nonnegative().describe('Milliseconds since 1970.'),
  epoch: z.number().int().positive(),
  key: text,
  output: z.unknown().optional(),
}

/** A line of `log.ndjson`: a logged event with its output. */
export const eventForm = z.discriminatedUnion('type', [
  z.strictObject({
    ...place,
    type: z.enum(stepTypes),
    data: z.looseObject({
      name: text,
      effect: z.enum(['pure', 'read', 'write']),
      inputHash: hash,
      attempt: z.number().int().positive(),
      startedAt: z.number().nonnegative().optional(),
      steps: whole.optional(),
      usage: tokens.optional(),
    }),
  }),
  z.strictObject({ ...place, type: z.enum(otherTypes), data: anyJson }),
])

/** An event of a bundle. Facts of steps are validated; other event types can contain anything. */
export type BundledEvent =
  | StepEvent
  | (Omit<StoredEvent, 'type'> & { readonly type: (typeof otherTypes)[number] })

/** The JSON Schema of every member whose format the bundle defines. */
export function bundleJsonSchema() {
  const schemaOf = (form: z.ZodType) => {
    const { $schema: _, ...schema } = z.toJSONSchema(form, { io: 'input' }) as JsonObject
    return schema
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A bundle of Scholium',
    description:
      'The members of a .scholium file: each of $defs is the form of one member, or of one line of an .ndjson member.',
    $defs: {
      'manifest.json': schemaOf(manifestForm),
      'signature.json': schemaOf(signatureForm),
      'log.ndjson line': schemaOf(eventForm),
      'messages.ndjson line': schemaOf(messageForm),
      'sources/<id>.json': schemaOf(sourceForm),
    },
  }
}
