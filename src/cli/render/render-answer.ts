import { formatCitedPlace } from '../../citations/cited-place.ts'
import type { Failure } from '../../kernel/errors.ts'
import type { Answer } from '../arguments/app-settings.ts'
import { count, dollars, seconds } from '../progress/live-lines.ts'
import type { Terminal } from '../terminal.ts'
import { adviceFor } from './answer-advice.ts'
import { formatGaps, withAddresses } from './format-gaps.ts'
import { explainSigns, markSentences } from './mark-sentences.ts'
import type { Paint } from './paint.ts'
import { claimLines } from './render-claims.ts'
import { asShown, oneLine, printable, shortPath, wrap } from './text.ts'

/** How to render an answer. */
export interface AnswerStyle {
  /** The terminal's width; without one, nothing is wrapped. */
  readonly columns: number | undefined
  readonly paint: Paint
  /** Paths inside it are shown relative to it. */
  readonly folder: string
  /** Rewrites commands so that this person can type them. */
  asTyped(text: string): string
  /** The failure that ended the run. */
  readonly failure?: Failure | null
  /** Whether to print the answer only. */
  readonly isQuiet?: boolean
}

/** The style for stdout. */
export function answerStyle(terminal: Terminal): AnswerStyle {
  const { columns, paint } = terminal.stdout
  return { columns, paint, folder: terminal.host.cwd(), asTyped: (text) => terminal.asTyped(text) }
}

/** Maximum width of text: longer lines are hard to read. */
const mostColumns = 100

/** Renders an answer: the text, its sources, the verdicts on its claims, what is missing, and usage. */
export function renderAnswer(answer: Answer, style: AnswerStyle): string {
  const sections = [
    renderText(answer, answer.answer, style),
    renderSigns(answer, style),
    renderBasis(answer, style),
    renderSources(answer, style),
    renderFigures(answer, style),
    renderClaims(answer, style),
    renderGaps(answer, style),
    renderNotes(answer, style),
    renderAdvice(answer, style),
    [...wrapped(style, runLine(answer)), ...engineLines(answer, style)],
  ]
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

/** Wraps Markdown; marks become font weights if the terminal has them. */
function renderMarkdown(markdown: string, style: AnswerStyle): readonly string[] {
  let isCode = false
  return printable(asShown(markdown, style))
    .trim()
    .split('\n')
    .flatMap((line) => {
      const isFence = line.trimStart().startsWith('```')
      if (isFence) isCode = !isCode
      if (isFence || isCode || line.startsWith('|')) return [line]
      const indent = /^\s*(?:[-*+]|\d+[.)])?\s*/.exec(line)?.[0].length ?? 0
      return wrapped(style, line, ' '.repeat(Math.min(indent, 8))).map((part) =>
        weighted(part, style.paint),
      )
    })
}

/** The text that a short answer is based on. */
function renderBasis(answer: Answer, style: AnswerStyle): readonly string[] {
  const { basis } = answer
  return basis === undefined
    ? []
    : [style.paint.bold('Made from'), ...renderText(answer, basis, style)]
}

/** In a terminal with signs and pages ({@link markSentences}); elsewhere as it is. */
function renderText(answer: Answer, text: string, style: AnswerStyle): readonly string[] {
  return renderMarkdown(style.columns === undefined ? text : markSentences(text, answer), style)
}

function renderSigns({ claims }: Answer, style: AnswerStyle): readonly string[] {
  const explained = style.columns === undefined ? '' : explainSigns(claims)
  return explained === '' ? [] : [style.paint.dim(explained)]
}

function weighted(line: string, paint: Paint): string {
  if (!paint.isColored) return line
  if (/^#{1,6} /.test(line)) return paint.bold(line)
  return line
    .replaceAll(/\*\*([^*]+)\*\*/g, (_, strong: string) => paint.bold(strong))
    .replaceAll(/\[\d+(?:, ?\d+)*(?:, (?:pp?\.|slides?) [\d, ]+)?\]/g, (marks) => paint.cyan(marks))
}

function renderSources({ citations, claims }: Answer, style: AnswerStyle): readonly string[] {
  if (citations.length === 0) return []
  const lines = citations.flatMap((source) => {
    const { n, title, path, url } = source
    const file = path === undefined ? url && oneLine(url) : shortPath(path, style.folder)
    const place = oneLine(formatCitedPlace(source, claims))
    const text = `[${n}] ${oneLine(title)}${file === undefined ? '' : ` — ${file}`}${place === '' ? '' : `, ${place}`}`
    return wrapped(style, text, '    ')
  })
  return [style.paint.bold('Sources'), ...lines]
}

/** A terminal cannot show figures. */
function renderFigures({ figures = [], runId }: Answer, style: AnswerStyle): readonly string[] {
  if (figures.length === 0) return []
  const lines = figures.map(({ figure, width, height }) => `Figure ${figure}: ${width}×${height}`)
  const save = `To save ${figures.length === 1 ? 'it' : 'them'} as SVG: scholium runs show ${runId} --figures DIR`
  return [style.paint.bold('Figures'), ...lines, ...wrapped(style, style.asTyped(save))]
}

function renderClaims(answer: Answer, style: AnswerStyle): readonly string[] {
  return claimLines(answer, style).flatMap(({ text, indent, mark }) => {
    const [first = '', ...others] = wrapped(style, text, indent)
    return [mark === undefined ? first : first.replace(mark.word, mark.paint(mark.word)), ...others]
  })
}

function renderGaps(answer: Answer, style: AnswerStyle): readonly string[] {
  const { status, claims, gaps } = answer
  // Without claims, the answer itself says what failed.
  const isSaid = status === 'failed' && claims.length === 0
  const left = gaps.filter(({ kind }) => kind !== 'source_note' && !(isSaid && kind === 'error'))
  const shown = formatGaps(left)
  if (shown.length === 0) return []
  const lines = shown.flatMap(({ kind, detail, source }) => {
    const subject = kind === 'no_evidence' ? 'No answer was found for: ' : ''
    const place = source === undefined ? '' : `${shortPath(source, style.folder)}: `
    const text = withAddresses(`${place}${subject}${detail}`, answer.question)
    return wrapped(style, `- ${oneLine(text)}`, '  ')
  })
  return [style.paint.bold('Missing'), ...lines]
}

/** Remarks on the sources that were read. */
function renderNotes({ gaps }: Answer, style: AnswerStyle): readonly string[] {
  const notes = gaps.filter(({ kind }) => kind === 'source_note')
  if (notes.length === 0) return []
  const lines = notes.flatMap(({ detail, source = '' }) =>
    wrapped(style, `- ${oneLine(`${shortPath(source, style.folder)}: ${detail}`)}`, '  '),
  )
  return [style.paint.bold('Notes on sources'), ...lines]
}

/** What to do about a missing or incomplete answer. */
function renderAdvice(answer: Answer, style: AnswerStyle): readonly string[] {
  const advice = adviceFor(answer, style.failure ?? null)
  return advice === '' ? [] : wrapped(style, style.asTyped(advice))
}

function runLine({ runId, timings, usage, costUsd }: Answer): string {
  const cost = costUsd === null ? 'cost unknown (no price known for the model)' : dollars(costUsd)
  return [
    `Run ${runId}`,
    seconds(timings.wallMs),
    count(usage.modelCalls, 'model call'),
    cost,
  ].join(' · ')
}

/** Readers must know if no language model wrote the answer. A failed one has no author. */
function engineLines(
  { models, status, plan, citations }: Answer,
  style: AnswerStyle,
): readonly string[] {
  if (style.isQuiet === true) return []
  const roles = Object.entries(models).filter(([, name]) => name === 'extractive')
  const isIdle = plan.researchSteps.length + plan.expertSteps.length + citations.length === 0
  if (roles.length === 0 || status === 'failed' || isIdle) return []
  const isAll = roles.length === Object.keys(models).length
  const names = roles.map(([role]) => role).join(', ')
  const what = citations.length > 0 ? 'Quoted by' : 'Looked up by'
  const text = isAll
    ? `${what} the extractive engine, not a language model. To use one: --model NAME (scholium models)`
    : `The extractive engine, which is not a language model, did the work of: ${names}.`
  return wrapped(style, style.asTyped(text))
}

function wrapped({ columns }: AnswerStyle, line: string, indent = ''): readonly string[] {
  return columns === undefined
    ? [line]
    : wrap(line, Math.max(20, Math.min(columns, mostColumns)), indent)
}
