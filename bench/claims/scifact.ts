/**
 * Measures verdicts on claims that people worded freely: `node bench/claims/scifact.ts [--model provider:name]` with
 * SCHOLIUM_DATA set. Without a model the check by code is measured. `--calls` shows the claims that were called carried.
 * Ends with 1 where the target is missed.
 */
import { createHash } from 'node:crypto'
import type { Verdict } from '../../src/citations/claim.ts'
import {
  climateClaims,
  climatePairs,
  type FreeClaim,
  type Gold,
  scifactClaims,
} from './free-claims.ts'
import { wilson } from './interval.ts'
import { type Verify, verifyByCode, verifyByModel } from './verifier.ts'

type Judged = FreeClaim & { readonly verdict: Verdict }

const golds: readonly Gold[] = ['SUPPORT', 'CONTRADICT', 'NO INFORMATION']
const verdicts: readonly Verdict[] = [
  'verbatim',
  'supported',
  'partial',
  'altered',
  'contradicted',
  'not_found',
  'unavailable',
  'unchecked',
]
const foldCount = 5

const data = process.env.SCHOLIUM_DATA
const flags = process.argv.slice(2)

if (data === undefined) {
  console.error('bench/claims/scifact.ts needs SCHOLIUM_DATA.')
  process.exitCode = 2
} else {
  const model = flags.includes('--model') ? flags[flags.indexOf('--model') + 1] : undefined
  const verify = model === undefined ? verifyByCode : verifyByModel(model)
  console.log(`Judge: ${model ?? 'code'}. A row is a claim beside what it cites.`)
  await measure('SciFact dev, claim and abstract', scifactClaims(data), verify)
  await measure('Climate-FEVER dev, claim and one sentence', climatePairs(data), verify)
  await measure('Climate-FEVER dev, claim and its five sentences', climateClaims(data), verify)
}

async function measure(name: string, claims: readonly FreeClaim[], verify: Verify): Promise<void> {
  const judged: Judged[] = []
  for (const claim of claims)
    judged.push({ ...claim, verdict: await verify(claim.claim, claim.passages) })
  console.log(`\n== ${name}: ${judged.length} rows`)
  printMatrix(judged)
  printFolds(judged)
  printCurve(judged)
  if (flags.includes('--calls'))
    for (const { claim, gold, verdict, document } of judged.filter(isCarried))
      console.log(`  ${gold} → ${verdict} (${document}): ${claim}`)
}

function isCarried({ verdict }: Judged): boolean {
  return verdict === 'verbatim' || verdict === 'supported'
}

function isFlagged({ verdict }: Judged): boolean {
  return verdict === 'altered' || verdict === 'contradicted' || verdict === 'not_found'
}

function printMatrix(judged: readonly Judged[]): void {
  console.log(`\n${''.padEnd(14)}${golds.map((gold) => gold.padStart(16)).join('')}`)
  for (const verdict of verdicts) {
    const row = golds.map((gold) => count(judged, gold, (one) => one.verdict === verdict))
    if (row.some((value) => value > 0))
      console.log(`${verdict.padEnd(14)}${row.map((value) => String(value).padStart(16)).join('')}`)
  }
}

function count(judged: readonly Judged[], gold: Gold, fits: (one: Judged) => boolean): number {
  return judged.filter((one) => one.gold === gold && fits(one)).length
}

/** The fold of a document, by its hash: all rows of a document are in one. */
function foldOf(document: string): number {
  return createHash('sha256').update(`fold ${document}`).digest().readUInt32BE(0) % foldCount
}

function printFolds(judged: readonly Judged[]): void {
  console.log(
    '\nfold   rows  called carried  right  precision  recall  SUPPORT flagged  others flagged',
  )
  const rates = Array.from({ length: foldCount }, (_, fold) => {
    const own = judged.filter(({ document }) => foldOf(document) === fold)
    const called = own.filter(isCarried)
    const right = count(called, 'SUPPORT', () => true)
    const supports = count(own, 'SUPPORT', () => true)
    const others = own.filter(({ gold }) => gold !== 'SUPPORT')
    const precision = called.length === 0 ? undefined : right / called.length
    const recall = right / supports
    const alarms = count(own, 'SUPPORT', isFlagged) / supports
    const flagged = others.filter(isFlagged).length / others.length
    console.log(
      `${fold + 1}     ${String(own.length).padStart(6)} ${String(called.length).padStart(15)} ${String(right).padStart(6)} ${rate(precision).padStart(10)} ${rate(recall).padStart(7)} ${rate(alarms).padStart(16)} ${rate(flagged).padStart(15)}`,
    )
    return { precision, recall, 'SUPPORT flagged': alarms, 'others flagged': flagged }
  })
  for (const name of ['precision', 'recall', 'SUPPORT flagged', 'others flagged'] as const) {
    const known = rates.map((one) => one[name]).filter((value) => value !== undefined)
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length
    const variance =
      known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, known.length - 1)
    console.log(
      `${name}: mean ${rate(mean)}, standard deviation ${rate(Math.sqrt(variance))} over ${known.length} folds`,
    )
  }
}

function rate(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? '–' : value.toFixed(3)
}

/** The check exports no score, so the points are its verdicts, the surest first. */
function printCurve(judged: readonly Judged[]): void {
  const points: readonly (readonly Verdict[])[] = [
    ['verbatim'],
    ['verbatim', 'supported'],
    ['verbatim', 'supported', 'partial'],
    ['verbatim', 'supported', 'partial', 'unchecked'],
    verdicts,
  ]
  console.log('\nprecision of SUPPORT and coverage, by verdict (no score is exported):')
  for (const [index, taken] of points.entries()) {
    const called = judged.filter(({ verdict }) => taken.includes(verdict))
    const right = count(called, 'SUPPORT', () => true)
    const { share, low, high } = wilson(right, called.length)
    const name = index === points.length - 1 ? 'everything' : taken.join(' + ')
    console.log(
      `  ${name.padEnd(44)} ${called.length === 0 ? '–' : share.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]  ${right} of ${called.length}, coverage ${(called.length / judged.length).toFixed(4)}`,
    )
  }
  const called = judged.filter(isCarried)
  const { low } = wilson(
    count(called, 'SUPPORT', () => true),
    called.length,
  )
  const holds = called.length >= 50 && low >= 0.85
  if (!holds) process.exitCode = 1
  console.log(
    `target: lower bound ≥ 0.85 over ≥ 50 calls: ${holds ? 'holds' : 'does not hold'} (${low.toFixed(3)} over ${called.length})`,
  )
}
