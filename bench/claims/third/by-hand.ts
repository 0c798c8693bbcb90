import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { selectClaimsToJudge } from '../../../src/claims/verify/opinions.ts'
import { type Json, sha256 } from '../../../src/kernel/json.ts'
import { createModelSource } from '../../../src/models/model-source.ts'
import { startScriptedModel } from '../../../src/testing/scripted-model.ts'
import { verifyClaims } from '../verifier.ts'
import { combineVerdicts, type JudgedRow } from './judge-rows.ts'

/** A request of the verifier to which nobody has written an answer, with the row that it is about. */
export interface OpenRequest {
  readonly hash: string
  /** The texts of its messages. */
  readonly texts: readonly string[]
}

/** Rows judged by code and the recorded verifier. */
export interface VerifiedRows {
  readonly rows: readonly JudgedRow[]
  /** Requests without a recorded answer: their rows keep the verdict of code. */
  readonly open: readonly OpenRequest[]
  /** Requests that were answered, with their size and that of the answers in UTF-16 code units. */
  readonly answered: number
  readonly askedUnits: number
  readonly answeredUnits: number
}

/** How many sentences of each label the verifier was asked about at most, of those that code leaves open. */
const maxOfLabel = 60

/**
 * The sample of the held-out half that was answered by hand: of each label that cites something the first ones that code leaves
 * open, in the order of the hashes of their texts.
 */
export function chooseSample(rows: readonly JudgedRow[]): readonly JudgedRow[] {
  const open = rows.filter(({ half, label, ...row }) => {
    const isOpen = selectClaimsToJudge(row.claims, row.passages, row.citations).length > 0
    return half === 'held-out' && label !== 'no-claim' && isOpen
  })
  const ordered = open.toSorted((one, other) => (sha256(one.claim) < sha256(other.claim) ? -1 : 1))
  const chosen = new Set(
    [...Map.groupBy(ordered, ({ label }) => label).values()].flatMap((own) =>
      own.slice(0, maxOfLabel),
    ),
  )
  return ordered.filter((row) => chosen.has(row))
}

/** Judges rows by code and a verifier whose answers were written by hand, each row by a request of its own over HTTP. */
export async function verifyByHand(rows: readonly JudgedRow[]): Promise<VerifiedRows> {
  const recorded = readRecorded()
  const open: OpenRequest[] = []
  const sizes = { answered: 0, askedUnits: 0, answeredUnits: 0 }
  const model = await startScriptedModel(({ body }) => {
    const texts = (body.messages as { content: string | { text: string }[] }[]).map(({ content }) =>
      typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
    )
    const hash = sha256(JSON.stringify(texts)).slice(0, 16)
    const verdicts = recorded.get(hash)
    if (verdicts === undefined) {
      open.push({ hash, texts })
      return { json: { verdicts: [] } }
    }
    sizes.answered++
    sizes.askedUnits += texts.join('').length
    sizes.answeredUnits += JSON.stringify({ verdicts }).length
    return { json: { verdicts } }
  })
  try {
    const name = 'openai-compatible:by-hand'
    const models = createModelSource({
      choices: { default: { name, baseUrl: model.url, apiKey: 'none' } },
      environment: {},
      builtIn: {},
    })
    const verified: JudgedRow[] = []
    for (const row of rows) {
      const claims = await verifyClaims(models, row)
      verified.push({ ...row, claims, verdict: combineVerdicts(claims) })
    }
    return { rows: verified, open, ...sizes }
  } finally {
    await model.close()
  }
}

/** The verdicts that were written by hand, by the hash of the request. */
function readRecorded(): ReadonlyMap<string, Json> {
  const file = join(import.meta.dirname, 'verifier-answers.jsonl')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  return new Map(
    lines.map((line) => {
      const { request, verdicts } = JSON.parse(line)
      return [request, verdicts]
    }),
  )
}
