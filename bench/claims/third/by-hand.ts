import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { selectClaimsToJudge } from '../../../src/claims/verify/opinions.ts'
import { type Json, sha256 } from '../../../src/kernel/json.ts'
import { createModelSource } from '../../../src/models/model-source.ts'
import { startScriptedModel } from '../../../src/testing/scripted-model.ts'
import { verifyClaims } from '../verifier.ts'
import { combineVerdicts, type JudgedRow } from './judge-rows.ts'

/** A request of the verifier that nobody has answered. */
export interface OpenRequest {
  readonly hash: string
  /** The texts of its messages. */
  readonly texts: readonly string[]
}

/** Rows judged by code and the recorded verifier. */
export interface VerifiedRows {
  /** Rows that code decides, and those of the sample. */
  readonly rows: readonly JudgedRow[]
  /** Rows that the verifier was asked about. */
  readonly asked: number
  /** Requests without a recorded answer: their rows keep the verdict of code. */
  readonly open: readonly OpenRequest[]
  /** The size of all requests that were answered, and of their answers, in UTF-16 code units. */
  readonly units: { readonly asked: number; readonly answered: number }
}

/** How many rows of each label the verifier was asked about at most. */
const maxOfLabel = 60

/**
 * Judges rows of the held-out half that cite something by code and by a verifier whose answers were written by hand. Of the rows
 * that code leaves open, it is asked about the first 60 of each label in the order of their hashes, each by a request of its own
 * over HTTP; the others are left out.
 */
export async function verifyByHand(judged: readonly JudgedRow[]): Promise<VerifiedRows> {
  const citing = judged.filter(({ label }) => label !== 'no-claim')
  const undecided = citing.filter(
    ({ claims, passages, citations }) =>
      selectClaimsToJudge(claims, passages, citations).length > 0,
  )
  const sample = chooseSample(undecided)
  const answers = readAnswers()
  const open: OpenRequest[] = []
  const units = { asked: 0, answered: 0 }
  const model = await startScriptedModel(({ body }) => {
    const texts = (body.messages as readonly { readonly content: string }[]).map(
      ({ content }) => content,
    )
    const hash = sha256(JSON.stringify(texts)).slice(0, 16)
    const verdicts = answers.get(hash)
    if (verdicts === undefined) {
      open.push({ hash, texts })
      return { json: { verdicts: [] } }
    }
    units.asked += texts.join('').length
    units.answered += JSON.stringify({ verdicts }).length
    return { json: { verdicts } }
  })
  try {
    const byHand = { name: 'openai-compatible:by-hand', baseUrl: model.url, apiKey: 'none' }
    const models = createModelSource({ choices: { default: byHand }, environment: {}, builtIn: {} })
    const rows = citing.filter((row) => !undecided.includes(row))
    for (const row of sample) {
      const claims = await verifyClaims(models, row)
      rows.push({ ...row, claims, verdict: combineVerdicts(claims) })
    }
    return { rows, asked: sample.length, open, units }
  } finally {
    await model.close()
  }
}

function chooseSample(undecided: readonly JudgedRow[]): readonly JudgedRow[] {
  const ordered = undecided.toSorted((one, other) =>
    sha256(one.claim) < sha256(other.claim) ? -1 : 1,
  )
  return [...Map.groupBy(ordered, ({ label }) => label).values()].flatMap((own) =>
    own.slice(0, maxOfLabel),
  )
}

/** The verdicts that were written by hand, by the hash of the request. */
function readAnswers(): ReadonlyMap<string, Json> {
  const file = join(import.meta.dirname, 'verifier-answers.jsonl')
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return new Map(
    lines.map((line) => {
      const { request, verdicts } = JSON.parse(line)
      return [request, verdicts]
    }),
  )
}
