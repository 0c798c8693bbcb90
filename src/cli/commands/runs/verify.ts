import type { BundleReport } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { printResult } from '../../render/print.ts'
import { oneLine, wrap } from '../../render/text.ts'

/** `scholium verify`. Needs neither a home nor a configuration. */
export const runVerify: RunCommand = async (invocation) => {
  const { words, options } = invocation
  const isOfBundle = options.has('expect') || options.has('key')
  const isOfReport = options.has('source') || options.has('no-links')
  if (isOfBundle && isOfReport) {
    throw new ScholiumError(
      'invalid_input',
      '--source and --no-links apply to documents, --expect and --key to bundles.',
      {
        hint: 'scholium verify report.md --source papers/, or scholium verify answer.scholium --expect HASH',
      },
    )
  }
  // By the file's name, never its content: a damaged bundle must not pass as a document without failures.
  if (!isOfReport && (isOfBundle || !documentName.test(words[0] ?? '')))
    return runVerifyBundle(invocation)
  const { runVerifyReport } = await import('./verify-report.ts')
  return runVerifyReport(invocation)
}

const documentName = /\.(?:md|markdown|mdx|qmd|rmd|txt)$/i

const runVerifyBundle: RunCommand = async (invocation) => {
  const { words, options, terminal } = invocation
  const { verifyBundle } = await import('../../../app.ts')
  const expect = options.filled('expect')
  const key = options.filled('key')
  const report = await verifyBundle(words[0] ?? '', {
    folder: terminal.host.cwd(),
    ...(expect === undefined ? {} : { expect }),
    ...(key === undefined ? {} : { key }),
  })
  printResult(invocation, report, () => renderReport(report, invocation))
  return report.isSound ? 0 : 1
}

const marks = { passed: '✓', failed: '✗', undecided: '–' } as const

const origins: Readonly<Record<BundleReport['origin'], string>> = {
  integrity_only: 'integrity only: give --expect HASH or --key KEY to check its origin',
  expected: 'it has the expected root hash',
  signed: 'it is signed with the given key',
  refuted: 'it is not the expected bundle',
}

/** The message for a file that is not a complete bundle, and what to do. */
const others: Readonly<Record<Exclude<BundleReport['fileKind'], 'bundle'>, string>> = {
  empty: 'is not a bundle: it is empty. Copy or export it again.',
  other_file: 'is not a bundle: it is not a zip file. Give the file that scholium export wrote.',
  other_zip:
    'is not a bundle: it is a zip file with other content. Give the file that scholium export wrote.',
  cut_off: 'is a truncated bundle. Copy or export it again.',
}

function renderReport(report: BundleReport, { terminal, words }: Invocation): string {
  const { paint, columns } = terminal.stdout
  const { fileKind } = report
  if (fileKind !== 'bundle')
    return `${paint.red('Not valid')}: ${oneLine(words[0] ?? '')} ${terminal.asTyped(others[fileKind])}`
  const { run, root, checks, missing, isSound } = report
  const width = columns === undefined ? undefined : Math.max(20, Math.min(columns, 110))
  const lines = (text: string, indent: string) =>
    width === undefined ? [text] : wrap(text, width, indent)
  const colour = { passed: paint.green, failed: paint.red, undecided: paint.yellow }
  const head =
    run === null
      ? []
      : [
          `Run ${oneLine(run.runId)} · ${oneLine(run.workflow)} · ${oneLine(run.status)}`,
          `root ${root}`,
          '',
        ]
  const told = checks.flatMap(({ name, outcome, detail, faults, faultCount }) => {
    const [first = '', ...rest] = lines(
      `${marks[outcome]} ${name.padEnd(9)} ${oneLine(detail)}`,
      ' '.repeat(12),
    )
    const more = faultCount - faults.length
    return [
      first.replace(marks[outcome], colour[outcome](marks[outcome])),
      ...rest,
      ...faults.flatMap(({ text }) => lines(`    ${oneLine(text)}`, '      ')),
      ...(more > 0 ? [`    and ${more} more`] : []),
    ]
  })
  const gone = missingLines(missing).flatMap((line) => lines(line, '  '))
  // If the check fails, the origin does not matter.
  const origin = !isSound && report.origin === 'integrity_only' ? '' : `; ${origins[report.origin]}`
  const verdict = `${conclusion(report, paint)}${origin}`
  return [...head, ...told, ...gone, '', verdict].join('\n')
}

const maxMissingNames = 3

/** What a bundle lacks, one line per reason. */
export function missingLines(missing: BundleReport['missing']): readonly string[] {
  return [...Map.groupBy(missing, ({ why }) => why)].map(([why, items]) => {
    const names = items.slice(0, maxMissingNames).map(({ what }) => oneLine(what))
    const more = items.length > names.length ? ` and ${items.length - names.length} more` : ''
    return `Not included: ${names.join(', ')}${more}. ${oneLine(why)}`
  })
}

/** What the bundle is, including what could not be decided. */
function conclusion(
  { isSound, isComplete, checks }: BundleReport,
  paint: Invocation['terminal']['stdout']['paint'],
): string {
  if (!isSound) return paint.red('Not valid')
  if (isComplete) return paint.green('Sound')
  const open = checks.filter(({ name, outcome }) => name !== 'origin' && outcome === 'undecided')
  const names = open.map(({ name }) => name).join(', ')
  return `${paint.yellow('Valid as far as it could be checked')}; ${names} undecided`
}
