import type { Configuration } from '../config/configuration.ts'
import type { WebServers } from '../web-sources.ts'
import { configurationCheck } from './configuration-check.ts'
import { areas, type Check, type Finding, failure, type Health } from './finding.ts'
import { homeCheck } from './home-check.ts'
import { mcpCheck } from './mcp-check.ts'
import { modelChecks } from './model-checks.ts'
import { programCheck } from './program-check.ts'
import { pythonCheck } from './python-check.ts'
import { readerCheck } from './reader-check.ts'
import { sourcesCheck } from './sources-check.ts'
import { webCheck } from './web-check.ts'

/** How to examine a setup. */
export interface ExamineOptions {
  /** Time limit of the whole examination, in milliseconds. Default 60,000. */
  readonly maxMs?: number
  /** Whether to call models that cost money, too. */
  readonly callsPaidModels?: boolean
  /** Servers to use in place of the usual ones for web sources. */
  readonly webServers?: WebServers
  readonly signal?: AbortSignal
  /** Called with what is being checked, and with each finding. */
  readonly onProgress?: (progress: ExamineProgress) => void
}

/** The progress of an examination. */
export interface ExamineProgress {
  readonly done: number
  readonly total: number
  /** The checks in progress. */
  readonly waitingFor: readonly string[]
}

/** The result of an examination. */
export interface DoctorReport {
  readonly schema: 'scholium.doctor/1'
  /** The worst of the findings' statuses. */
  readonly status: Health
  readonly findings: readonly Finding[]
  readonly durationMs: number
}

const defaultMaxMs = 60_000

/**
 * Checks everything in parallel: program, home, configuration, sources, servers, models, Python, readers. Ends in time,
 * whatever hangs.
 */
export async function examine(
  configuration: Configuration,
  options: ExamineOptions = {},
): Promise<DoctorReport> {
  const { maxMs = defaultMaxMs, signal, onProgress } = options
  const startedAt = performance.now()
  const checks = [
    programCheck(),
    homeCheck(configuration),
    configurationCheck(configuration),
    sourcesCheck(configuration),
    webCheck(configuration, options.webServers),
    mcpCheck(configuration),
    ...modelChecks(configuration, options.callsPaidModels ?? false),
    pythonCheck(configuration),
    readerCheck(),
  ]
  const waiting = new Set(checks.map(({ name }) => name))
  const report = () => {
    const done = checks.length - waiting.size
    onProgress?.({ done, total: checks.length, waitingFor: [...waiting] })
  }
  report()
  const found = await Promise.all(
    checks.map(async (check) => {
      const findings = await bounded(check, maxMs, signal)
      waiting.delete(check.name)
      report()
      return findings
    }),
  )
  const findings = areas.flatMap((area) => found.flat().filter((finding) => finding.area === area))
  const durationMs = Math.round(performance.now() - startedAt)
  return { schema: 'scholium.doctor/1', status: findWorst(findings), findings, durationMs }
}

async function bounded(
  { name, area, run }: Check,
  maxMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const timeUp = AbortSignal.timeout(maxMs)
  const stop = signal === undefined ? timeUp : AbortSignal.any([signal, timeUp])
  const tell = (finding: Finding) => {
    if (!stop.aborted) findings.push(finding)
  }
  const stopped = new Promise<'stopped'>((resolve) => {
    stop.addEventListener('abort', () => resolve('stopped'), { once: true })
  })
  const ended = run(stop, tell).catch((error: unknown) => tell(failure(area, name, error)))
  if ((await Promise.race([ended, stopped])) !== 'stopped') return findings
  signal?.throwIfAborted()
  const text = `no answer within ${maxMs / 1000} s`
  const hint = 'Check what it is waiting for, or allow more time with --max-seconds.'
  return [...findings, { area, status: 'problem', subject: name, text, hint }]
}

function findWorst(findings: readonly Finding[]): Health {
  const statuses = findings.map(({ status }) => status)
  if (statuses.includes('problem')) return 'problem'
  return statuses.includes('warning') ? 'warning' : 'ok'
}
