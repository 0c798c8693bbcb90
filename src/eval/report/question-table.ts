import { escapeHtml } from '../../citations/markup/escape-html.ts'
import { countClaims, type EvalResult } from '../result.ts'
import { formatSeconds, formatUsd } from './scores.ts'

/** A column: its header, whether it holds numbers, and how a cell is shown and sorted (empty: unknown, sorted last). */
interface Column {
  readonly head: string
  readonly isNumber?: true
  value(result: EvalResult): string
  html(result: EvalResult): string
}

const columns: readonly Column[] = [
  plain('set', ({ set }) => set),
  plain('id', ({ id }) => id),
  { head: 'question', value: ({ question }) => question.slice(0, 80), html: questionCell },
  { head: 'answer', value: ({ scored }) => scored.slice(0, 80), html: answerCell },
  plain('right answer', ({ answers }) => answers.join(' | ')),
  { head: 'status', value: ({ status }) => status, html: statusCell },
  mark('EM', ({ scores }) => scores.exactMatch),
  mark('GAIA', ({ scores }) => scores.gaia),
  mark('label', ({ scores }) => scores.label),
  number(
    'F1',
    ({ scores }) => scores.f1,
    (f1) => f1.toFixed(2),
  ),
  { head: 'claims', isNumber: true, value: formatSupport, html: claimsCell },
  number('cost', ({ costUsd }) => costUsd, formatUsd, 'unknown'),
  number('time', ({ seconds }) => seconds, formatSeconds),
  number('model calls', ({ usage }) => usage.modelCalls, String),
  number('tool calls', ({ usage }) => usage.toolCalls, String),
  number('tokens', ({ usage }) => usage.inputTokens + usage.outputTokens, String),
  {
    head: 'run',
    value: ({ runId }) => runId ?? '',
    html: ({ runId }) => `<code>${escapeHtml(runId ?? '–')}</code>`,
  },
]

/** Renders a table of all questions, sortable by each column. */
export function renderQuestionTable(results: readonly EvalResult[]): string {
  const heads = columns.map(
    ({ head, isNumber }) =>
      `<th scope="col"${isNumber ? ' data-numbers' : ''}><button type="button">${head}</button></th>`,
  )
  const rows = results.map((result) => {
    const cells = columns.map((column) => {
      const kind = column.isNumber ? 'n' : 'text'
      return `<td class="${kind}" dir="auto" data-value="${escapeHtml(column.value(result))}">${column.html(result)}</td>`
    })
    return `<tr>${cells.join('')}</tr>`
  })
  return `<table id="questions"><thead><tr>${heads.join('')}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`
}

function plain(head: string, text: (result: EvalResult) => string): Column {
  return { head, value: text, html: (result) => escapeHtml(text(result)) }
}

function number(
  head: string,
  of: (result: EvalResult) => number | null,
  told: (value: number) => string,
  unknown = '–',
): Column {
  return {
    head,
    isNumber: true,
    value: (result) => String(of(result) ?? ''),
    html: (result) => {
      const value = of(result)
      return value === null ? unknown : told(value)
    },
  }
}

function mark(head: string, of: (result: EvalResult) => boolean | null): Column {
  const signs = { true: '<span class="good">✓</span>', false: '<span class="bad">✗</span>' }
  return {
    head,
    isNumber: true,
    value: (result) => {
      const isRight = of(result)
      return isRight === null ? '' : String(Number(isRight))
    },
    html: (result) => {
      const isRight = of(result)
      return isRight === null ? '–' : signs[`${isRight}`]
    },
  }
}

const longest = 200

function questionCell({ question }: EvalResult): string {
  return foldText(question, question)
}

/** A long text shows its beginning, and all of it after a click. */
function foldText(text: string, whole: string): string {
  if (text.length <= longest && text === whole)
    return `<span class="pre">${escapeHtml(text)}</span>`
  return `<details><summary>${escapeHtml(text.slice(0, longest))}${text.length > longest ? ' …' : ''}</summary><div class="pre">${escapeHtml(whole)}</div></details>`
}

function answerCell({ scored, answer, error }: EvalResult): string {
  if (error !== null) return `<span class="bad">${escapeHtml(error.message)}</span>`
  return foldText(scored, answer)
}

function statusCell({ status, stopReason }: EvalResult): string {
  const kind = { answered: 'good', partial: 'open', unanswered: 'open', failed: 'bad' }[status]
  return `<span class="${kind}" title="${escapeHtml(stopReason)}">${status}</span>`
}

function formatSupport(result: EvalResult): string {
  const { supported, checked } = countClaims(result)
  return checked === 0 ? '' : String(supported / checked)
}

const outcomes: Readonly<Record<EvalResult['claims'][number]['verdict'], string>> = {
  verbatim: 'good',
  supported: 'good',
  altered: 'bad',
  contradicted: 'bad',
  not_found: 'bad',
  partial: 'open',
  unavailable: 'open',
  unchecked: 'open',
}

/** "3 of 3 supported", and each claim with its verdict after a click. */
function claimsCell(result: EvalResult): string {
  const { supported, checked, claims } = countClaims(result)
  if (claims === 0) return '–'
  const left = checked < claims ? `, ${claims - checked} unchecked` : ''
  const lines = result.claims.map(({ verdict, text }) => {
    return `<p><span class="${outcomes[verdict]}">${verdict.replace('_', ' ')}</span> ${escapeHtml(text)}</p>`
  })
  return `<details><summary>${supported} of ${checked}${left}</summary><div class="pre">${lines.join('')}</div></details>`
}
