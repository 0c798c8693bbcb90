import { z } from 'zod'
import { type App, type PapersAnswer, type RunResult, renderPapersAs } from '../../app.ts'
import { formatCitedPlace } from '../../citations/cited-place.ts'
import { type Claim, type Coverage, verdictNames } from '../../citations/claim.ts'
import { runStatuses } from '../../kernel/run/event.ts'
import type { RunRecord } from '../../kernel/run/run-store.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import { lastQuestion, noticesOf, placesOf, type RunNotice } from '../recorded-run.ts'
import { type McpSite, runUri, sourceUri } from './mcp-site.ts'

/** A claim with its verdict, as models get it. */
export const claimOutput = z.object({
  text: z.string(),
  verdict: z
    .enum(verdictNames)
    .describe(
      'Whether the cited places say it. Only verbatim and supported claims can be relied on.',
    ),
  reason: z.string(),
  quote: z.string().optional().describe('The words of the source that the verdict rests on.'),
})

const cited = z.object({
  n: z.int().describe('Its number in the answer.'),
  title: z.string(),
  uri: z.string().describe('For read_source.'),
  url: z.string().optional(),
  place: z.string().optional().describe('Where the evidence is, such as p. 3.'),
})

/** What models get of a run. */
export const runOutput = z.object({
  runId: z.string(),
  uri: z.string().describe('The run as a resource, with the whole result.'),
  workflow: z.string(),
  title: z.string().describe('The question or topic.'),
  status: z.enum(runStatuses),
  answer: z.string().optional().describe('Markdown; [n] cites the source with this number.'),
  sources: z.array(cited),
  claims: z.array(claimOutput.extend({ citations: z.array(z.int()) })),
  missing: z.array(z.string()).describe('What could not be read, found or done.'),
  notices: z
    .array(z.string())
    .optional()
    .describe('What else to know about how it was made, such as that samples were used.'),
  costUsd: z.number().nullable().optional().describe('null: the price of a model is unknown.'),
  isExtractive: z
    .boolean()
    .optional()
    .describe(
      'Whether sentences were selected by the extractive engine, which is no language model.',
    ),
  isShortened: z.boolean().describe('Whether something was left out; the resource has it.'),
  next: z.string().optional().describe('What to do about a run that has not ended.'),
})

/** What models get of a run. */
export type RunOutput = z.infer<typeof runOutput>

/** A run for a model: as data and as text. */
export interface DescribedRun {
  readonly output: RunOutput
  readonly text: string
}

/** How much of a run is told. */
interface Bounds {
  readonly answerChars: number
  readonly claims: number
  readonly claimChars: number
  readonly sources: number
  readonly missing: number
}

const bounds: Bounds = {
  answerChars: 24_000,
  claims: 60,
  claimChars: 400,
  sources: 60,
  missing: 20,
}
const whole: Bounds = {
  answerChars: Infinity,
  claims: Infinity,
  claimChars: Infinity,
  sources: Infinity,
  missing: Infinity,
}

/** Describes a run from its log, in bounded size. */
export async function describeRun(site: McpSite, run: RunRecord): Promise<DescribedRun> {
  const next = await nextSteps(site.app, run)
  return describe(await readShown(site, run), { bounds, ...(next === undefined ? {} : { next }) })
}

/** The whole of a run as Markdown. */
export async function renderRun(site: McpSite, run: RunRecord): Promise<string> {
  return (await describe(await readShown(site, run), { bounds: whole })).text
}

/** A run without the places of this machine. */
interface ShownRun {
  readonly run: RunRecord
  readonly result: RunResult | undefined
  readonly notices: readonly RunNotice[]
}

async function readShown({ app, form }: McpSite, run: RunRecord): Promise<ShownRun> {
  const { runId } = run
  const [result, notices] = [await app.recordedAnswer(runId), await noticesOf(app, runId)]
  return form.with(await placesOf(app, runId)).of({ run, result, notices })
}

async function describe(
  { run, result, notices }: ShownRun,
  telling: { readonly bounds: Bounds; readonly next?: string },
): Promise<DescribedRun> {
  const { runId, workflow, title, status } = run
  const { next } = telling
  const known = {
    runId,
    uri: runUri(runId),
    workflow,
    title: cutText(title, 500),
    status,
    sources: [],
    claims: [],
    missing: [],
    ...withNotices(notices.map(({ message }) => message)),
    isShortened: false,
    ...(next === undefined ? {} : { next }),
  }
  if (result === undefined) {
    const text = [`Run ${runId}: ${status}.`, ...(next === undefined ? [] : [next])].join(' ')
    return { output: known, text: joinParts([text, noticeLines(known)]) }
  }
  if (!('citations' in result)) {
    const full = toPlainText(result)
    const answer = cutText(full, telling.bounds.answerChars)
    const isShortened = answer !== full
    const output = { ...known, answer, costUsd: result.costUsd, isShortened }
    return { output, text: joinParts([answer, noticeLines(output), endLine(output)]) }
  }
  return describeCited({ ...known, status: result.status }, result, telling.bounds)
}

/** The result of an agent file, a session or a workflow of the app's own. */
function toPlainText(result: RunResult): string {
  const { answer } = result as { readonly answer?: unknown }
  return typeof answer === 'string' ? answer : JSON.stringify(result, null, 2)
}

type CitedResult = Extract<RunResult, { readonly citations: unknown }>

async function describeCited(
  known: RunOutput,
  result: CitedResult,
  most: Bounds,
): Promise<DescribedRun> {
  const { answer: full, claims, citations, gaps, costUsd } = result
  const answer = cutText(full, most.answerChars)
  const missing = gaps.map(({ source, detail }) => (source ? `${source}: ${detail}` : detail))
  const { notices = [], ...others } = known
  const output: RunOutput = {
    ...others,
    // What is missing says some of them.
    ...withNotices(notices.filter((text) => !missing.includes(text))),
    answer,
    sources: citations.slice(0, most.sources).map((source) => {
      const place = formatCitedPlace(source, claims)
      const { n, title, url, sourceId } = source
      return { n, title, uri: sourceUri(sourceId), ...(url && { url }), ...(place && { place }) }
    }),
    claims: claims.slice(0, most.claims).map((claim) => ({
      ...toClaimOutput(claim, most.claimChars),
      citations: [...claim.citations],
    })),
    missing: missing.slice(0, most.missing).map((text) => cutText(text, most.claimChars)),
    costUsd,
    ...(Object.values(result.models).every((name) => name === 'extractive')
      ? { isExtractive: true }
      : {}),
    isShortened:
      answer !== full ||
      claims.length > most.claims ||
      citations.length > most.sources ||
      missing.length > most.missing,
  }
  if (result.workflow === 'papers') return describePapers(output, result, most)
  const parts = [
    answer,
    sourceLines(output),
    [...(claims.length === 0 ? [] : [coverageLine(result.coverage)]), ...doubtLines(output.claims)],
    output.missing.length === 0 ? [] : ['Missing', ...output.missing.map((text) => `- ${text}`)],
    noticeLines(output),
    endLine(output),
  ]
  return { output, text: joinParts(parts) }
}

/** The report of a review is its text; in bounded size, the verdicts on its summary come first. */
async function describePapers(
  output: RunOutput,
  result: PapersAnswer,
  most: Bounds,
): Promise<DescribedRun> {
  const report = await renderPapersAs(result, 'markdown')
  const shown = cutText(report, most.answerChars)
  const isShortened = output.isShortened || shown !== report
  const told = { ...output, isShortened }
  return {
    output: told,
    text: joinParts([shown, sourceLines(told), noticeLines(told), endLine(told)]),
  }
}

/** A claim with its verdict, in bounded size. */
export function toClaimOutput(
  { text, verdict, reason, evidence }: Claim,
  mostChars = bounds.claimChars,
): z.infer<typeof claimOutput> {
  const quote = evidence[0]?.quote
  return {
    text: cutText(text, mostChars),
    verdict,
    reason: cutText(reason, mostChars),
    ...(quote === undefined ? {} : { quote: cutText(quote, mostChars) }),
  }
}

/** `Claims: 6 · checked 6 · supported 5 (2 verbatim) · altered 1`. */
export function coverageLine(coverage: Coverage): string {
  const { claims, checked, verbatim, supported } = coverage
  const counts = [
    ['altered', coverage.altered],
    ['partial', coverage.partial],
    ['contradicted', coverage.contradicted],
    ['not found', coverage.notFound],
    ['without citation', coverage.uncited],
    ['unavailable', coverage.unavailable],
    ['not checked', coverage.unchecked],
  ] as const
  return [
    `Claims: ${claims}`,
    `checked ${checked}`,
    `supported ${verbatim + supported} (${verbatim} verbatim)`,
    ...counts.flatMap(([word, count]) => (count === 0 ? [] : [`${word} ${count}`])),
  ].join(' · ')
}

/** A line for each claim that its sources do not support. */
export function doubtLines(claims: readonly z.infer<typeof claimOutput>[]): readonly string[] {
  return claims
    .filter(({ verdict }) => verdict !== 'verbatim' && verdict !== 'supported')
    .map(({ text, verdict, reason }) => `- ${verdict.replace('_', ' ')}: “${text}” ${reason}`)
}

function sourceLines({ sources }: RunOutput): readonly string[] {
  if (sources.length === 0) return []
  const lines = sources.map(({ n, title, uri, url, place }) =>
    [`[${n}] ${title}`, ...(place === undefined ? [] : [place]), ...(url ? [url] : []), uri].join(
      ', ',
    ),
  )
  return ['Sources', ...lines]
}

function withNotices(notices: readonly string[]): Pick<RunOutput, 'notices'> {
  return notices.length === 0 ? {} : { notices: [...notices] }
}

function noticeLines({ notices = [] }: Pick<RunOutput, 'notices'>): readonly string[] {
  return notices.map((text) => `Note: ${text}`)
}

function endLine(output: RunOutput): string {
  const { runId, status, costUsd, isExtractive, isShortened, uri } = output
  const engine = isExtractive ? ['quoted by the extractive engine, not a language model'] : []
  const cost =
    costUsd === undefined ? [] : [costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(4)}`]
  const more = isShortened ? [`shortened; the whole is at ${uri}`] : []
  return [`Run ${runId}`, status, ...engine, ...cost, ...more].join(' · ')
}

function joinParts(parts: readonly (string | readonly string[])[]): string {
  return parts
    .map((part) => (typeof part === 'string' ? part : part.join('\n')))
    .filter((text) => text !== '')
    .join('\n\n')
}

/** What a client can do about a run that has not ended. */
async function nextSteps(
  app: App,
  { runId, workflow, status }: RunRecord,
): Promise<string | undefined> {
  const canResume = workflow === 'ask' || workflow === 'papers'
  switch (status) {
    case 'running':
      return `It is being executed. Call get_run with "${runId}" again later.`
    case 'interrupted':
      return canResume
        ? `Call ${workflow} with {"resume": "${runId}"} to continue it; finished steps are not repeated.`
        : `The operator can continue it: scholium resume ${runId}`
    case 'waiting':
      return `It waits for a person: ${cutText(JSON.stringify((await lastQuestion(app, runId))?.prompt), 2_000)} The operator can answer: scholium resume ${runId} --answer TEXT`
    default:
      return undefined
  }
}
