import type { ConfigurationReport } from '../../../app.ts'
import { configurationRequest } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { exitCodes } from '../../exit-codes.ts'
import { printResult } from '../../render/print.ts'
import { renderTable } from '../../render/table.ts'
import { oneLine, printable, shortPath } from '../../render/text.ts'

/** `scholium config`: every setting and its origin. A broken file is reported and does not end the command. */
export const runConfig: RunCommand = async (invocation) => {
  const { describeConfiguration, readConfiguration } = await import('../../../app.ts')
  const report = describeConfiguration(await readConfiguration(configurationRequest(invocation)))
  printResult(invocation, report, () => renderReport(report, invocation))
  return report.problems.length === 0 ? 0 : exitCodes.invalid_configuration
}

const kinds = {
  project: 'project',
  named: 'given by you',
  user: 'user',
  env_file: 'project environment',
} as const

function renderReport(report: ConfigurationReport, { terminal }: Invocation): string {
  const folder = terminal.host.cwd()
  const { paint, columns } = terminal.stdout
  const rows = [...report.settings, ...report.variables].map(({ key, value, from }) => [
    key,
    oneLine(valueText(value)),
    shortOrigin(from, folder),
  ])
  const files = report.files.map(
    ({ path, kind, isUsed }) =>
      `  ${shortPath(path, folder)} (${kinds[kind]})${isUsed ? '' : ': not used until its errors are fixed'}`,
  )
  const list = (title: string, problems: ConfigurationReport['problems']) =>
    problems.length === 0
      ? []
      : ['', paint.bold(title), ...problems.map((problem) => `  ${problemText(problem, folder)}`)]
  return terminal.asTyped(
    [
      ...renderTable(['SETTING', 'VALUE', 'FROM'], rows, columns),
      '',
      paint.bold('Files'),
      ...(files.length === 0 ? ['  none; "scholium config init" creates one'] : files),
      ...list('Errors', report.problems),
      ...list('Ignored', report.notes),
    ].join('\n'),
  )
}

function problemText({ place, message }: { place: string; message: string }, folder: string) {
  return printable(`${shortOrigin(place, folder)}: ${message}`)
}

/** A file's path, relative to this folder if inside it. */
function shortOrigin(from: string, folder: string): string {
  const [, path, place = ''] = /^(.*?)((?::\d+)*)$/.exec(from) ?? []
  return path?.startsWith('/') || /^[A-Z]:\\/.test(from)
    ? shortPath(path ?? from, folder) + place
    : from
}

function valueText(value: unknown): string {
  if (value === null) return '–'
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.join(', ')
  const { name, ...others } = value as Record<string, unknown>
  const rest = Object.entries(others).map(([key, member]) => `${key} ${member}`)
  return [...(name === undefined ? [] : [String(name)]), ...rest].join(', ')
}

/** `scholium config init`. */
export const runConfigInit: RunCommand = async (invocation) => {
  const { writeStarter } = await import('../../../app.ts')
  const { host } = invocation.terminal
  const place = invocation.options.has('user') ? 'user' : 'project'
  const written = writeStarter(host.env, host.cwd(), place)
  printResult(
    invocation,
    written,
    () => `${shortPath(written.path, host.cwd())} created; everything in it is commented out.`,
  )
  return 0
}

/** `scholium config schema`. */
export const runConfigSchema: RunCommand = async ({ terminal }) => {
  const { configJsonSchema } = await import('../../../app.ts')
  terminal.stdout.write(`${JSON.stringify(await configJsonSchema(), null, 2)}\n`)
  return 0
}
