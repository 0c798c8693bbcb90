import type { ReportCheck } from '../../../app.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { exitCodes } from '../../exit-codes.ts'
import { listenForInterrupts } from '../../interrupts.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { cut, oneLine, shortPath, wrap } from '../../render/text.ts'

type CheckedSentence = ReportCheck['claims'][number]
type CheckedReference = ReportCheck['references'][number]

/** `scholium verify report.md`: exit code 0 if every cited place was found and supports the text, else 3. */
export async function runVerifyReport(invocation: Invocation): Promise<number> {
  const { words, options, terminal } = invocation
  const { verifyReport } = await import('../../../app.ts')
  const controller = new AbortController()
  const stopListening = listenForInterrupts(() => controller.abort())
  const sources = options.texts('source')
  const home = options.filled('home')
  const show = createCheckProgress(invocation)
  try {
    const check = await verifyReport(words[0] ?? '', {
      folder: terminal.host.cwd(),
      environment: terminal.host.env,
      signal: controller.signal,
      onRead: show,
      ...(sources.length === 0 ? {} : { sources }),
      ...(home === undefined ? {} : { home }),
      ...(options.has('no-links') ? { areLinksRead: false } : {}),
    })
    printResult(invocation, check, () => renderCheck(check, invocation))
    return check.failures.references + check.failures.claims === 0 ? 0 : 3
  } catch (error) {
    if (!controller.signal.aborted) throw error
    terminal.tell(
      'Interrupted. Nothing was changed; run the command again to check the whole document.',
    )
    return exitCodes.cancelled
  } finally {
    stopListening()
  }
}

/** One line per this number of files: most reports need a few. */
const filesPerLine = 50

function createCheckProgress({ options, terminal }: Invocation): (path: string) => void {
  let files = 0
  return () => {
    files++
    if (!options.has('quiet') && files % filesPerLine === 0)
      terminal.tell(`${count(files, 'file')} read …`)
  }
}

type Outcome = 'good' | 'bad' | 'open'

const outcomes: Readonly<Record<CheckedSentence['verdict'], Outcome>> = {
  verbatim: 'good',
  supported: 'good',
  altered: 'bad',
  contradicted: 'bad',
  not_found: 'bad',
  partial: 'open',
  unavailable: 'open',
  unchecked: 'open',
}

interface Style {
  readonly folder: string
  readonly columns: number
  mark(outcome: Outcome): string
}

function renderCheck(check: ReportCheck, { terminal, options }: Invocation): string {
  const { paint, columns } = terminal.stdout
  const marks = { good: paint.green('✓'), bad: paint.red('✗'), open: paint.yellow('–') }
  const style: Style = {
    folder: terminal.host.cwd(),
    columns:
      columns === undefined ? Number.POSITIVE_INFINITY : Math.max(20, Math.min(columns, 110)),
    mark: (outcome) => marks[outcome],
  }
  const cited = check.claims.filter(({ citations }) => citations.length > 0)
  const references = check.references.filter(({ isCited }) => isCited)
  const blocks = [
    cited.flatMap((claim) => claimLines(claim, check, style)),
    references.length === 0
      ? []
      : [paint.bold('Citations'), ...references.flatMap((one) => referenceLines(one, style))],
    check.failures.references > 0 ? unreadLines(check, style) : [],
    formatSummary(check, style, options.has('source')),
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

const mostColumnsOfClaim = 160

/** "✗ line 12  altered [2, p. 9]  The sentence", and the reason below. */
function claimLines(
  claim: CheckedSentence,
  { references }: ReportCheck,
  style: Style,
): readonly string[] {
  const { line, verdict, text, citations, evidence, reason } = claim
  const outcome = outcomes[verdict]
  const labels = citations.map((n) => {
    const label = references.find((reference) => reference.n === n)?.label ?? String(n)
    const page = evidence.find((one) => one.n === n)?.page
    return `[${oneLine(label)}${page === undefined ? '' : `, p. ${page}`}]`
  })
  const head = `? line ${line}  ${verdict.replace('_', ' ')} ${labels.join('')}  ${cut(oneLine(text), mostColumnsOfClaim)}`
  const lines = wrapped(head, '    ', style)
  const why = outcome === 'good' ? [] : wrapped(`    ${oneLine(reason)}`, '    ', style)
  return [...lines.map((part) => part.replace(/^\?/, style.mark(outcome))), ...why]
}

function referenceLines(reference: CheckedReference, style: Style): readonly string[] {
  const { label, line, sources, foundBy, reason } = reference
  const found = sources.map(({ title, path, url }) => {
    const place = path === undefined ? (url ?? '') : shortPath(path, style.folder)
    return place === '' ? oneLine(title) : `${oneLine(title)} — ${oneLine(place)}`
  })
  const text =
    foundBy === null
      ? `? [${oneLine(label)}] line ${line}  ${oneLine(reason)}`
      : `? [${oneLine(label)}] ${found.join('; ')} (by its ${names[foundBy]})`
  const mark = style.mark(foundBy === null ? 'bad' : 'good')
  return wrapped(text, '    ', style).map((part) => part.replace(/^\?/, mark))
}

const names = { path: 'path', url: 'address', doi: 'DOI', arxiv: 'arXiv id', title: 'title' }

/** Maximum number of unreadable files to name; JSON has all. */
const mostUnread = 5

function unreadLines({ unread }: ReportCheck, style: Style): readonly string[] {
  const more = unread.length - mostUnread
  return [
    ...unread
      .slice(0, mostUnread)
      .flatMap(({ path, reason }) =>
        wrapped(`Not read: ${shortPath(path, style.folder)}: ${oneLine(reason)}`, '  ', style),
      ),
    ...(more > 0 ? [`and ${count(more, 'more file')} (--json lists them all)`] : []),
  ]
}

/** Maximum number of lines to name for sentences without citations. */
const mostLines = 12

function formatSummary(
  { claims, coverage, failures }: ReportCheck,
  style: Style,
  isSourceGiven: boolean,
): readonly string[] {
  const bare = claims.filter(({ citations }) => citations.length === 0)
  const lines = [...new Set(bare.map(({ line }) => line))]
  const more = lines.length > mostLines ? ' …' : ''
  const open = coverage.unchecked + coverage.partial
  const score = [
    `Claims: ${coverage.claims}`,
    `checked ${coverage.checked}`,
    `supported ${coverage.verbatim + coverage.supported} (${coverage.verbatim} verbatim)`,
    ...(bare.length > 0 ? [`without citation ${bare.length}`] : []),
    ...(open > 0 ? [`undecided ${open}`] : []),
    ...(coverage.unavailable > 0 ? [`source not found ${coverage.unavailable}`] : []),
  ]
  const failed = [
    ...(failures.references > 0 ? [`${count(failures.references, 'citation')} not found`] : []),
    ...(failures.claims > 0
      ? [`${count(failures.claims, 'claim')} not supported by the cited passage`]
      : []),
  ]
  const left = [
    ...(bare.length > 0
      ? [`line ${lines.slice(0, mostLines).join(', ')}${more} without a citation`]
      : []),
    ...(open > 0 ? [`${open} that code could not decide`] : []),
  ]
  const besides = left.length === 0 ? '' : ` Not counted as failures: ${left.join('; ')}.`
  const verdict = failed.length === 0 ? 'No failures.' : `Fails: ${failed.join(', ')}.`
  const where = isSourceGiven
    ? 'The missing sources are not in the files given with --source, or have a different name there. Give the path in the reference entry.'
    : 'Name the cited files with: --source FILE-OR-FOLDER'
  const advice = failures.references > 0 ? [where] : []
  return [score.join(' · '), `${verdict}${besides}`, ...advice].flatMap((text) =>
    wrapped(text, '  ', style),
  )
}

function wrapped(text: string, indent: string, { columns }: Style): readonly string[] {
  return Number.isFinite(columns) ? wrap(text, columns, indent) : [text]
}
