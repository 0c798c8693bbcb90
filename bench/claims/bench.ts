import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Verdict } from '../../src/citations/claim.ts'
import { hasMissingNumbers } from '../../src/claims/verify/opinions.ts'
import type { Bench, BenchSize, Measure } from '../bench.ts'
import { timeMs } from '../timing.ts'
import { climateClaims, type FreeClaim, scifactClaims } from './free-claims.ts'
import { type Case, casesOf, type Label } from './generator/cases.ts'
import { readRows, sourceTexts } from './generator/documents.ts'
import { judgeByCode } from './judge-by-code.ts'
import { type VerifiedRows, verifyByHand } from './third/by-hand.ts'
import {
  type JudgedRow,
  judgeRows,
  type RowLabel,
  readRows as readModelRows,
} from './third/judge-rows.ts'
import { isFlagged, isPassed, wordVerdict } from './verdicts.ts'

/** Every which text of the generator and which free claim. */
const every: Readonly<Record<BenchSize, number>> = { smoke: 40, quick: 1, full: 1 }
const seed = 1

/** The claim check by code, next to looking whether all words of a claim occur in what it cites. */
export const bench: Bench = {
  title: 'Claims',
  needs: ['SCHOLIUM_DATA'],
  async run({ size, dataFolder }) {
    const some = <Item>(items: readonly Item[]) =>
      items.filter((_item, index) => index % every[size] === 0)
    const modelRows = judgeRows(
      (await readModelRows(dataFolder)).filter(({ half }) => half === 'held-out'),
    )
    const generated = casesOf(some(sourceTexts(dataFolder)), 'test', seed)
    return [
      ...measureGenerated(generated),
      await measureTime(generated),
      ...measureWritten(),
      ...measureModelRows(modelRows),
      ...measureVerified(await verifyByHand(modelRows)),
      ...measureFree('SciFact', some(scifactClaims(dataFolder)), 0.03),
      ...measureFree('Climate-FEVER', some(climateClaims(dataFolder)), 0.1),
    ]
  },
}

type Judge = (
  claim: string,
  texts: readonly { readonly title: string; readonly text: string }[],
) => Verdict

const byCode: Judge = (claim, texts) => judgeByCode(claim, texts).claim.verdict
const plain = 'all words occur'

/** Claims on documents of which none was looked at while the check was made. */
function measureGenerated(cases: readonly Case[]): readonly Measure[] {
  const row = (
    label: Label,
    what: string,
    isCounted: (verdict: Verdict) => boolean,
    target: NonNullable<Measure['target']>,
  ): Measure => {
    const own = cases.filter((one) => one.label === label)
    const share = (judge: Judge) =>
      own.filter(({ claim, source }) => isCounted(judge(claim, [source]))).length / own.length
    return {
      what: `${what}, of ${own.length.toLocaleString('en')}`,
      value: share(byCode),
      yardstick: { what: plain, value: share(wordVerdict) },
      target,
    }
  }
  return [
    row('corruption', 'corruptions passed as supported', isPassed, { atMost: 0.01 }),
    row('corruption', 'corruptions flagged', isFlagged, { atLeast: 0.9 }),
    row('paraphrase', 'false alarms on light paraphrases', isFlagged, { atMost: 0.03 }),
    row('paraphrase', 'light paraphrases supported', isPassed, { atLeast: 0.85 }),
    row('verbatim', 'verbatim sentences recognised', isPassed, { atLeast: 0.99 }),
  ]
}

async function measureTime(cases: readonly Case[]): Promise<Measure> {
  const perClaim = async (judge: Judge) =>
    (await timeMs(() => {
      for (const { claim, source } of cases) judge(claim, [source])
    })) / cases.length
  await perClaim(byCode)
  return {
    what: 'a check, the abstract or page read before',
    value: await perClaim(byCode),
    unit: 'ms',
    yardstick: { what: plain, value: await perClaim(wordVerdict) },
  }
}

/** Claims about the sample library, written by the author of the check. */
function measureWritten(): readonly Measure[] {
  const rows = readRows<{ readonly file: string; readonly kind: string; readonly claim: string }>(
    join(import.meta.dirname, 'written.jsonl'),
  )
  const library = join(import.meta.dirname, '../../samples/library')
  const share = (isKind: (kind: string) => boolean, isCounted: (verdict: Verdict) => boolean) => {
    const own = rows.filter(({ kind }) => isKind(kind))
    const counted = own.filter(({ file, claim }) => {
      const text = readFileSync(join(library, file), 'utf8')
      const title = /^title: (.*)$/m.exec(text)?.[1] ?? file
      return isCounted(byCode(claim, [{ title, text }]))
    })
    return counted.length / own.length
  }
  return [
    {
      what: 'written by hand: corruptions passed as supported',
      value: share((kind) => kind !== 'faithful' && kind !== 'verbatim', isPassed),
      target: { atMost: 0 },
    },
    {
      what: 'written by hand: false alarms on free paraphrases',
      value: share((kind) => kind === 'faithful', isFlagged),
      target: { atMost: 0 },
    },
  ]
}

type ModelVerdict = JudgedRow['verdict']

/** Counts a share of the rows with some labels. */
function measureRows(
  rows: readonly JudgedRow[],
  what: string,
  labels: readonly RowLabel[],
  isCounted: (verdict: ModelVerdict) => boolean,
  target?: NonNullable<Measure['target']>,
): Measure {
  const own = rows.filter(({ label }) => labels.includes(label))
  return {
    what: `as a model writes: ${what}, of ${own.length}`,
    value: own.filter(({ verdict }) => isCounted(verdict)).length / own.length,
    ...(target !== undefined && { target }),
  }
}

const falseLabels: readonly RowLabel[] = ['wrong-number', 'wrong-other', 'beyond']
const isClaimFlagged = (verdict: ModelVerdict) => verdict !== 'no-claim' && isFlagged(verdict)
const isClaimPassed = (verdict: ModelVerdict) => verdict !== 'no-claim' && isPassed(verdict)

/** Sentences as a model writes them, on papers of which none was looked at while the check was changed. */
function measureModelRows(rows: readonly JudgedRow[]): readonly Measure[] {
  const isAltered = (verdict: ModelVerdict) => verdict === 'altered'
  const isTaken = (verdict: ModelVerdict) => verdict !== 'no-claim'
  return [
    measureRows(rows, 'true sentences called altered', ['true'], isAltered, { atMost: 0.01 }),
    measureRows(rows, 'true sentences flagged', ['true'], isClaimFlagged),
    measureRows(rows, 'wrong numbers flagged', ['wrong-number'], isClaimFlagged),
    measureRows(rows, 'false sentences passed as supported', falseLabels, isClaimPassed, {
      atMost: 0,
    }),
    measureRows(rows, 'headings and announcements taken for claims', ['no-claim'], isTaken),
  ]
}

/** The same with a verifier whose answers were written by hand, on what code leaves open. */
function measureVerified({ rows, asked, open }: VerifiedRows): readonly Measure[] {
  const judged = rows.filter(({ claims }) => claims.some(({ judge }) => judge !== 'code'))
  const isDoubted = (verdict: ModelVerdict) => isClaimFlagged(verdict) || verdict === 'partial'
  const isDenied = (verdict: ModelVerdict) => verdict === 'altered' || verdict === 'contradicted'
  return [
    {
      what: `as a model writes, verifier by hand: requests without a recorded answer, of ${asked}`,
      value: open.length,
      target: { atMost: 0 },
    },
    measureRows(
      rows,
      'wrong numbers flagged, with the verifier by hand',
      ['wrong-number'],
      isDoubted,
      { atLeast: 0.95 },
    ),
    measureRows(
      rows,
      'false sentences passed as supported, with the verifier by hand',
      falseLabels,
      isClaimPassed,
      { atMost: 0 },
    ),
    measureRows(
      judged,
      'true sentences that code leaves open, denied by the verifier by hand',
      ['true'],
      isDenied,
      { atMost: 0.01 },
    ),
    measureRows(
      judged,
      'true sentences that code leaves open, passed by the verifier by hand',
      ['true'],
      isClaimPassed,
    ),
  ]
}

/** Claims that people worded freely. Code mostly abstains, as it should. */
function measureFree(
  name: string,
  claims: readonly FreeClaim[],
  atMost: number,
): readonly Measure[] {
  const count = (judge: Judge, isCounted: (verdict: Verdict, claim: FreeClaim) => boolean) =>
    claims.filter((claim) => isCounted(judge(claim.claim, claim.passages), claim)).length
  const missing = new Set(
    claims.filter(({ claim, passages }) => hasMissingNumbers(judgeByCode(claim, passages).claim)),
  )
  const supported = claims.filter(({ gold }) => gold === 'SUPPORT').length
  const row = (
    what: string,
    of: number,
    isCounted: (verdict: Verdict, claim: FreeClaim) => boolean,
    most?: number,
  ): Measure => ({
    what: `${name}, freely worded: ${what}, of ${of}`,
    value: count(byCode, isCounted) / of,
    yardstick: { what: plain, value: count(wordVerdict, isCounted) / of },
    ...(most !== undefined && { target: { atMost: most } }),
  })
  return [
    row(
      'passed though not supported',
      claims.length - supported,
      (verdict, { gold }) => isPassed(verdict) && gold !== 'SUPPORT',
      0,
    ),
    row(
      'supported ones flagged for their words',
      supported,
      (verdict, claim) => isFlagged(verdict) && claim.gold === 'SUPPORT' && !missing.has(claim),
      atMost,
    ),
    {
      what: `${name}, freely worded: supported ones with a number that is nowhere in the text, of ${supported}`,
      value: [...missing].filter(({ gold }) => gold === 'SUPPORT').length / supported,
    },
    row(
      'supported ones passed',
      supported,
      (verdict, { gold }) => isPassed(verdict) && gold === 'SUPPORT',
    ),
  ]
}
