import type { ModelsReport, OfferedModel } from '../../../app.ts'
import { configurationRequest } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { listenForInterrupts } from '../../interrupts.ts'
import { count } from '../../progress/live-lines.ts'
import { printResult } from '../../render/print.ts'
import { renderTable } from '../../render/table.ts'
import { oneLine, shortPath } from '../../render/text.ts'

/** `scholium models` and `scholium models PROVIDER`. */
export const runModels: RunCommand = async (invocation) => {
  const { describeModels, listProviderModels, loadConfiguration } = await import('../../../app.ts')
  const configuration = await loadConfiguration(configurationRequest(invocation))
  const [provider] = invocation.words
  if (provider === undefined) {
    const report = describeModels(configuration)
    printResult(invocation, report, () => renderModels(report, invocation))
    return 0
  }
  const controller = new AbortController()
  const stopListening = listenForInterrupts(() => controller.abort())
  try {
    const named = provider.replace(/:$/, '')
    const offered = await listProviderModels(configuration, named, controller.signal)
    printResult(invocation, offered, () => renderOffered(offered, named, invocation))
    return 0
  } finally {
    stopListening()
  }
}

function renderModels({ roles, providers }: ModelsReport, { terminal }: Invocation): string {
  const { columns, paint } = terminal.stdout
  const folder = terminal.host.cwd()
  const roleRows = roles.map(({ role, name, price, from, problem }) => [
    role,
    oneLine(name),
    problem === null ? priceText(price) : 'not usable',
    shortOrigin(from, folder),
  ])
  const problems = [
    ...new Set(
      roles.flatMap(({ name, problem }) => (problem === null ? [] : `${name}: ${problem}`)),
    ),
  ]
  const providerRows = providers.map((line) => [
    line.provider,
    line.label,
    formatState(line),
    oneLine(line.problem ?? line.baseUrl ?? ''),
  ])
  return terminal.asTyped(
    [
      ...renderTable(['ROLE', 'MODEL', 'PRICE PER MILLION TOKENS', 'FROM'], roleRows, columns),
      ...problems.flatMap((problem) => ['', paint.red(oneLine(problem))]),
      '',
      ...renderTable(['PROVIDER', 'NAME', 'STATE', 'ADDRESS'], providerRows, columns),
      '',
      'Choose a model with --model PROVIDER:MODEL or in scholium.yaml. To list the models of a provider: scholium models PROVIDER',
      'To check that the models work: scholium doctor',
    ].join('\n'),
  )
}

/** What a provider still needs. Its service is not contacted. */
function formatState(line: ModelsReport['providers'][number]): string {
  const { isConfigured, isLocal, baseUrl, keyVariables, baseUrlVariables } = line
  if (isConfigured) return isLocal ? 'no key needed' : 'set up'
  const [variable] = baseUrl === null ? baseUrlVariables : keyVariables
  return `needs ${variable ?? (baseUrl === null ? 'an address' : 'a key')}`
}

function renderOffered(
  offered: readonly OfferedModel[],
  provider: string,
  { terminal }: Invocation,
): string {
  if (offered.length === 0) {
    const hint = provider === 'ollama' ? ' Download one with: ollama pull llama3.2' : ''
    return `${provider} has no models.${hint}`
  }
  const rows = offered.map(({ name, price }) => [oneLine(name), priceText(price)])
  return [
    ...renderTable(['MODEL', 'PRICE PER MILLION TOKENS'], rows, terminal.stdout.columns),
    '',
    count(rows.length, 'model'),
  ].join('\n')
}

function priceText(price: OfferedModel['price']): string {
  if (price === null) return 'unknown'
  const { inputUsdPerMTok, outputUsdPerMTok } = price
  if (inputUsdPerMTok + outputUsdPerMTok === 0) return 'free'
  return `$${inputUsdPerMTok} input, $${outputUsdPerMTok} output`
}

function shortOrigin(from: string, folder: string): string {
  const [, path, line] = /^(.+?)((?::\d+)+)$/.exec(from) ?? []
  return path === undefined ? from : shortPath(path, folder) + line
}
