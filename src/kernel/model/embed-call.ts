import { ScholiumError } from '../errors.ts'
import { type Json, sha256 } from '../json.ts'
import type { Reservation } from '../limits/limit-reached.ts'
import { withDeadline } from '../run/deadline.ts'
import type { Usage } from '../run/event.ts'
import type { RunContext } from '../run/run-context.ts'
import { loadModel, maxAttempts, type PaidCall, paidCall, waitForNext } from '../step/paid-call.ts'
import type { StepAttempt } from '../step/step-attempt.ts'
import { describeRefusal } from './errors/model-refusal.ts'
import type { EmbeddingBinding } from './model.ts'
import { computeCostUsd } from './model-content.ts'
import { tellWarnings } from './model-notice.ts'

/** The vectors of texts, in the order of the texts, all of one length. */
export interface EmbeddingReply {
  readonly vectors: readonly (readonly number[])[]
  /** How many numbers each vector has; 0 without texts. */
  readonly dimensions: number
  /** Usage counted for the calls. */
  readonly usage: Usage
}

/** Options of an embedding call. */
export interface EmbeddingOptions {
  /** Number of dimensions, for models that support fewer. Default: what the model gives. */
  readonly dimensions?: number
}

/**
 * Vectors of texts, in batches one after the other: each is a step `name[1]`, `name[2]`, …, so that none is paid twice. Refusals
 * for a while are tried again, as by `callModel`. Numbers are kept as a float of 32 bits has them.
 *
 * @throws `model_unavailable` (retryable) when the service cannot be reached, `model_failed` when it refuses,
 *   `model_output_malformed` for vectors that are too few, too many or of another length, `limit_reached`
 */
export async function callEmbedding(
  context: RunContext,
  name: string,
  binding: EmbeddingBinding,
  texts: readonly string[],
  options: EmbeddingOptions = {},
): Promise<EmbeddingReply> {
  const vectors: (readonly number[])[] = []
  let { dimensions } = options
  let usage = nothingUsed
  for (const [index, batch] of splitBatches(texts).entries()) {
    const asked = { texts: batch, dimensions: options.dimensions }
    const output = await embedBatch(context, `${name}[${index + 1}]`, binding, asked)
    dimensions ??= output.vectors[0]?.length
    if (output.vectors.some(({ length }) => length !== dimensions))
      throw malformed(
        binding,
        `vectors with ${output.vectors[0]?.length} dimensions, not ${dimensions}`,
      )
    vectors.push(...output.vectors)
    usage = added(usage, output.usage)
  }
  return { vectors, dimensions: vectors[0]?.length ?? 0, usage }
}

const nothingUsed: Usage = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

function added(left: Usage, right: Usage): Usage {
  const isPriced = left.costUsd !== null && right.costUsd !== null
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    costUsd: isPriced ? (left.costUsd as number) + (right.costUsd as number) : null,
  }
}

/** Of one request; services take 96 and more. @see https://docs.cohere.com/reference/embed */
const maxBatchTexts = 96

/** Of one request: services bound its tokens, OpenAI at 300,000. @see https://platform.openai.com/docs/api-reference/embeddings/create */
const maxBatchBytes = 250_000

/** The texts in the portions in which they are sent, which depend on nothing else: they are the steps of a run. */
function splitBatches(texts: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = []
  let sizeBytes = 0
  for (const text of texts) {
    const textBytes = Buffer.byteLength(text)
    const last = batches.at(-1)
    if (last && last.length < maxBatchTexts && sizeBytes + textBytes <= maxBatchBytes) {
      last.push(text)
      sizeBytes += textBytes
    } else {
      batches.push([text])
      sizeBytes = textBytes
    }
  }
  return batches
}

interface Batch {
  readonly texts: readonly string[]
  readonly dimensions: number | undefined
}

type BatchOutput = {
  readonly vectors: readonly (readonly number[])[]
  readonly usage: Usage
}

/** One batch as a step. */
function embedBatch(
  context: RunContext,
  name: string,
  binding: EmbeddingBinding,
  batch: Batch,
): Promise<BatchOutput> {
  const { texts, dimensions = null } = batch
  const input: Json = {
    model: binding.name,
    role: 'embedding',
    settings: { dimensions },
    texts: { count: texts.length, chain: sha256(texts.map((text) => sha256(text)).join('')) },
  }
  const call = async (attempt: StepAttempt): Promise<BatchOutput> => {
    const { result, usage } = await attemptCalls(context, attempt, binding, batch)
    return { vectors: result.map((vector) => vector.map(toFloat32)), usage }
  }
  return context.step(name, binding.effect, input, call, {
    isPaid: true,
    isEmbedding: true,
    reservation: estimateBatch(binding, texts),
  })
}

/** In the fewest digits that always tell floats of 32 bits apart: services make no finer ones, whatever they write. */
function toFloat32(number: number): number {
  return Number(number.toPrecision(9))
}

/** What services put around each text. */
const tokensAround = 8

/** What one attempt can use up at most: the bytes of the texts, since a token is at least one, and what is put around each. */
function estimateBatch({ price }: EmbeddingBinding, texts: readonly string[]): Reservation {
  const tokens = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + tokensAround, 0)
  return { steps: 1, tokens, costUsd: computeCostUsd(tokens, 0, price) }
}

type Vectors = readonly (readonly number[])[]

/** Makes up to three attempts, each with its own reservation. */
async function attemptCalls(
  context: RunContext,
  attempt: StepAttempt,
  binding: EmbeddingBinding,
  batch: Batch,
): Promise<PaidCall<Vectors>> {
  const model = await loadModel(binding, attempt)
  for (let number = 1; ; number++) {
    try {
      return await paidCall(attempt, estimateBatch(binding, batch.texts), async (tellUsage) => {
        const result = await withDeadline(attempt.signal, binding.timeoutMs, async (abortSignal) =>
          model.doEmbed({ ...createRequest(batch), abortSignal }),
        )
        tellUsage(reportedUsage(binding, result.usage?.tokens))
        tellWarnings(context, binding, result.warnings)
        return checked(binding, result.embeddings, batch)
      })
    } catch (error) {
      const refusal = describeRefusal(binding, error, attempt.signal.aborted)
      if (refusal.code !== 'model_unavailable' || number >= maxAttempts) throw refusal
      await waitForNext(context, attempt, { error, refusal, number })
    }
  }
}

function createRequest({ texts, dimensions }: Batch) {
  return { values: [...texts], ...(dimensions === undefined ? {} : { dimensions }) }
}

/** Some report zero where they know nothing. */
function reportedUsage({ price }: EmbeddingBinding, tokens = 0): Usage | undefined {
  if (tokens <= 0) return undefined
  return { inputTokens: tokens, outputTokens: 0, costUsd: computeCostUsd(tokens, 0, price) }
}

function checked(
  binding: EmbeddingBinding,
  vectors: Vectors,
  { texts, dimensions }: Batch,
): Vectors {
  if (vectors.length !== texts.length)
    throw malformed(binding, `${vectors.length} vectors, not ${texts.length}`)
  const length = dimensions ?? vectors[0]?.length ?? 0
  for (const vector of vectors) {
    if (vector.length === 0) throw malformed(binding, 'an empty vector')
    if (vector.length !== length)
      throw malformed(binding, `vectors with ${vector.length} dimensions, not ${length}`)
    if (!vector.every(Number.isFinite)) throw malformed(binding, 'numbers that are not finite')
  }
  return vectors
}

function malformed({ name }: EmbeddingBinding, what: string): ScholiumError {
  return new ScholiumError('model_output_malformed', `${name} returned ${what}.`, {
    hint: 'Check that it is an embedding model and supports the requested number of dimensions.',
    details: { role: 'embedding' },
  })
}
