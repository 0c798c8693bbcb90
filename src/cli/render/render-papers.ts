import type { PapersAnswer } from '../../app.ts'
import type { Failure } from '../../kernel/errors.ts'
import { count, dollars, seconds } from '../progress/live-lines.ts'
import { afterEarlyEnd, withResume } from './answer-advice.ts'
import { paperTable } from './paper-table.ts'
import type { AnswerStyle } from './render-answer.ts'
import { claimLines } from './render-claims.ts'
import { asShown, oneLine, printable, shortPath, wrap } from './text.ts'

type Stance = PapersAnswer['synthesis']['gaps'][number]['stances'][number]

/** Maximum width of text: longer lines are hard to read. */
const mostColumns = 100

/**
 * Renders a synthesis: what the papers say together, each point with its pages, the papers, their references, and
 * usage.
 */
export function renderPapers(answer: PapersAnswer, style: AnswerStyle): string {
  const { consensus, contradictions, gaps } = answer.synthesis
  const { columns } = style
  const sections = [
    reusedLines(answer, style),
    renderSummary(answer, style),
    section(
      'Agreements',
      consensus.flatMap(({ point, stances }) => pointLines(point, stances, style)),
      style,
    ),
    section(
      'Contradictions',
      contradictions.flatMap((one) => contradictionLines(one, style)),
      style,
    ),
    betweenLines(answer, style),
    section(
      'Open questions',
      gaps.flatMap(({ text, stances }) => pointLines(text, stances, style)),
      style,
    ),
    section('Papers', answer.papers.length === 0 ? [] : paperTable(answer, columns), style),
    section('References', referenceLines(answer, style), style),
    renderChecks(answer, style),
    section('Search', searchLines(answer, style), style),
    section('Missing', missingLines(answer, style), style),
    adviceLines(answer, style),
    [...wrapped(style, statisticsLine(answer)), ...engineLines(answer, style)],
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

/** Where a reused result comes from, and how to compute it again. */
function reusedLines({ reused, runId }: PapersAnswer, style: AnswerStyle): readonly string[] {
  if (reused === undefined || style.isQuiet === true) return []
  const { by, query, createdAt, similarity = 0 } = reused
  const what =
    by === 'same'
      ? 'The same query was asked before'
      : `A similar query was asked before (“${oneLine(query)}”, cosine ${similarity.toFixed(3)})`
  const text = `${what}: this is the result of run ${runId} of ${createdAt.slice(0, 16).replace('T', ' ')}. To run it again: --fresh`
  return wrapped(style, text).map((line) => style.paint.dim(line))
}

function renderSummary({ answer }: PapersAnswer, style: AnswerStyle): readonly string[] {
  return printable(asShown(answer, style))
    .trim()
    .split('\n')
    .flatMap((line) => wrapped(style, line))
    .map((line) => colored(line, style))
}

function section(
  title: string,
  lines: readonly string[],
  { paint }: AnswerStyle,
): readonly string[] {
  return lines.length === 0 ? [] : [paint.bold(title), ...lines]
}

function pointLines(
  text: string,
  stances: readonly Stance[],
  style: AnswerStyle,
): readonly string[] {
  const sides = [
    ['', stances.filter(({ stance }) => stance === 'supports')],
    [' differs in ', stances.filter(({ stance }) => stance === 'differs')],
    [' disputed by ', stances.filter(({ stance }) => stance === 'disputes')],
  ] as const
  const places = sides
    .filter(([, papers]) => papers.length > 0)
    .map(([word, papers]) => `${word}${papers.map(formatPlace).join('; ')}`)
  const line = `- ${oneLine(text)}${places.length === 0 ? '' : ` ${places.join(';').trim()}`}`
  return wrapped(style, line, '  ').map((part) => colored(part, style))
}

function contradictionLines(
  { description, context, sideA, sideB }: PapersAnswer['synthesis']['contradictions'][number],
  style: AnswerStyle,
): readonly string[] {
  const why = context === '' ? '' : ` (${oneLine(context)})`
  return [
    ...wrapped(style, `- ${oneLine(description)}${why}`, '  '),
    ...[sideA, sideB].flatMap(({ says, stances }) =>
      pointLines(says, stances, style).map((line) => `  ${line}`),
    ),
  ]
}

/** A paper's number with its pages, and the verdict if it is doubtful: `[2] p. 4`, `[3] not found`. */
function formatPlace({ n, evidence, verdict }: Stance): string {
  const pages = [...new Set(evidence.flatMap(({ page }) => page ?? []))].toSorted((a, b) => a - b)
  const place =
    pages.length === 0 ? '' : `${pages.length === 1 ? ' p.' : ' pp.'} ${pages.join(', ')}`
  const isFine = verdict === 'verbatim' || verdict === 'supported'
  return `[${n}]${place}${isFine ? '' : ` (${verdict.replace('_', ' ')})`}`
}

function referenceLines({ references }: PapersAnswer, style: AnswerStyle): readonly string[] {
  return references.flatMap(({ n, line, remarks }) => [
    ...wrapped(style, `[${n}] ${oneLine(line)}`, '    '),
    ...remarks.flatMap((remark) => wrapped(style, `    ${oneLine(remark)}`, '    ')),
  ])
}

function renderChecks(answer: PapersAnswer, style: AnswerStyle): readonly string[] {
  const { claims, checked, verbatim, supported } = answer.coverageOfPoints
  const lines = claimLines(answer, style).flatMap(({ text, indent }) =>
    wrapped(style, text, indent),
  )
  if (claims === 0) return lines
  const points = `Findings and points: ${claims} · checked ${checked} · supported ${verbatim + supported}`
  const refused = answer.refused.map(
    ({ text, reason }) => `  refused: “${oneLine(text)}” ${oneLine(reason)}`,
  )
  return [
    ...lines,
    ...wrapped(style, points),
    ...refused.flatMap((text) => wrapped(style, text, '    ')),
  ]
}

/** Says that papers were compared and nothing was found, instead of leaving out the section. */
function betweenLines(
  { synthesis, papers, status, models }: PapersAnswer,
  style: AnswerStyle,
): readonly string[] {
  const { consensus, contradictions } = synthesis
  const kept = papers.filter((paper) => paper.status === 'kept')
  const isToTell = status === 'answered' || status === 'partial'
  if (!isToTell || kept.length < 2 || consensus.length + contradictions.length > 0) return []
  const why =
    models.synthesizer === 'extractive'
      ? ' The extractive engine only compares words: it finds sentences that are nearly identical.'
      : ''
  return wrapped(style, `No agreements or contradictions between the papers were found.${why}`)
}

/** What a place left out; why one failed is a gap, and a run without papers says so itself. */
function searchLines({ search, stopReason }: PapersAnswer, style: AnswerStyle): readonly string[] {
  if (stopReason === 'no_papers') return []
  return search
    .filter(({ outcome, detail }) => (outcome === 'used' || outcome === 'empty') && detail !== '')
    .flatMap(({ place, detail }) => wrapped(style, `- ${oneLine(place)}: ${oneLine(detail)}`, '  '))
}

/** Each gap once, and other failures; why a paper is not used is shown with the papers. */
function missingLines(
  { gaps, errors, papers }: PapersAnswer,
  style: AnswerStyle,
): readonly string[] {
  const reasons = papers.flatMap(({ reason }) => reason ?? [])
  const texts = [
    ...gaps.map(({ detail, source }) =>
      source === undefined ? detail : `${shortPath(source, style.folder)}: ${detail}`,
    ),
    ...errors,
  ].filter((text) => !reasons.some((reason) => text.endsWith(reason)))
  return [...new Set(texts.map(oneLine))].flatMap((text) => wrapped(style, `- ${text}`, '  '))
}

function adviceLines(answer: PapersAnswer, style: AnswerStyle): readonly string[] {
  const advice = paperAdvice(answer, style.failure ?? null)
  return advice === '' ? [] : wrapped(style, style.asTyped(advice))
}

/** Papers, chunks, tokens, time, cost. */
function statisticsLine({
  runId,
  papers,
  analyses,
  timings,
  usage,
  costUsd,
  stopReason,
}: PapersAnswer): string {
  const kept = papers.filter(({ status }) => status === 'kept').length
  const chunks = analyses.reduce((sum, one) => sum + one.chunks, 0)
  const tokens = usage.inputTokens + usage.outputTokens + usage.embeddingTokens
  return [
    `Run ${runId}`,
    `${count(papers.length, 'paper')}, ${kept} ${stopReason === 'no_evidence' ? 'read, none relevant' : 'used'}`,
    `${count(chunks, 'passage')} analysed`,
    seconds(timings.wallMs),
    count(usage.modelCalls, 'model call'),
    count(tokens, 'token'),
    costUsd === null ? 'cost unknown (no price known for the model)' : dollars(costUsd),
  ].join(' · ')
}

/** Readers must know if no language model wrote the synthesis. */
function engineLines(
  { models, status, analyses }: PapersAnswer,
  style: AnswerStyle,
): readonly string[] {
  if (style.isQuiet === true || status === 'failed' || analyses.length === 0) return []
  const roles = Object.entries(models).filter(([, name]) => name === 'extractive')
  if (roles.length === 0) return []
  const text =
    models.analyzer === 'extractive' && models.synthesizer === 'extractive'
      ? 'Selected and quoted by the extractive engine, not a language model: points are sentences from the papers. To use one: --model NAME (scholium models)'
      : `The extractive engine, which is not a language model, did the work of: ${roles.map(([role]) => role).join(', ')}.`
  return wrapped(style, style.asTyped(text))
}

function colored(line: string, { paint }: AnswerStyle): string {
  if (!paint.isColored) return line
  if (/^#{1,6} /.test(line)) return paint.bold(line)
  return line.replaceAll(/\[\d+(?:, ?\d+)*\]/g, (numbers) => paint.cyan(numbers))
}

function wrapped({ columns }: AnswerStyle, line: string, indent = ''): readonly string[] {
  return columns === undefined
    ? [line]
    : wrap(line, Math.max(20, Math.min(columns, mostColumns)), indent)
}

/** What to do about a missing or incomplete synthesis; empty if the synthesis says so itself. */
function paperAdvice(answer: PapersAnswer, failure: Failure | null): string {
  const { stopReason, error, runId } = answer
  switch (stopReason) {
    case 'no_evidence':
      return `The papers were read, but none of them answers the query. Widen the query, or read more papers (-n). To see what each paper says: scholium runs show ${runId}`
    case 'ended_early':
      return afterEarlyEnd
    case 'limit':
      return `A limit was reached. To continue from here with a higher limit, repeating nothing: scholium resume ${runId} --max-seconds N (or --max-tokens, --max-cost-usd, --max-steps, --max-log-mb)`
    case 'error': {
      const hint = error?.hint ?? failure?.hint ?? ''
      const canGoOn = (error ?? failure)?.retryable === true
      return oneLine(canGoOn ? withResume(hint, `scholium resume ${runId}`) : hint)
    }
    default:
      return ''
  }
}
