import type { Claim } from '../../citations/claim.ts'
import type { Hash, JsonObject } from '../../kernel/json.ts'
import type { BundledWorkflow } from './bundled-workflow.ts'
import type { ByteSource } from './byte-source.ts'
import { type Check, type CheckName, concluded, Faults, runCheck, undecided } from './check.ts'
import { checkCitations } from './citation-check.ts'
import { BundleContents } from './contents.ts'
import { CostCheck } from './cost-check.ts'
import { citedReferences, readClaims } from './evidence.ts'
import { BundleFault, count, faultIn } from './fault.ts'
import { detectFileKind, type FileKind } from './file-kind.ts'
import { type Manifest, memberNames } from './form.ts'
import { InputCheck } from './input-check.ts'
import { checkManifest } from './manifest-check.ts'
import { checkOrigin, type Origin, type OriginRequest } from './origin-check.ts'
import { readPoints, withPoints } from './point-check.ts'
import { recordedSources, recordedTexts } from './recorded-texts.ts'
import { checkAnswer, checkResult } from './result-check.ts'
import { deriveAnswer, RunFacts } from './run-facts.ts'
import { SequenceCheck } from './sequence-check.ts'
import { checkSources } from './source-check.ts'
import { StepCheck } from './step-check.ts'
import { checkCoverage, checkVerdicts } from './verdict-check.ts'
import { readZip } from './zip-reader.ts'

/** What a bundle is verified against. */
export interface VerifyOptions extends OriginRequest {
  /** Version of the verifying program; another version may judge claims differently. */
  readonly packageVersion: string
  /** Known workflows, by name; less can be checked for others. */
  readonly workflows: ReadonlyMap<string, BundledWorkflow>
}

/** The result of a verification. */
export interface BundleReport {
  readonly schema: 'scholium.verification/1'
  /** What the file looks like; the checks apply only to a bundle, valid or not. */
  readonly fileKind: FileKind
  /** Whether no check failed. */
  readonly isSound: boolean
  /**
   * Whether no check except the origin is undecided. A bundle that is sound but not complete may still contain false statements.
   */
  readonly isComplete: boolean
  /** What is known about the bundle's origin. */
  readonly origin: Origin
  readonly root: Hash | null
  readonly run: Pick<Manifest, 'runId' | 'workflow' | 'status' | 'events' | 'versions'> | null
  readonly missing: Manifest['missing']
  readonly checks: readonly Check[]
}

/** Verifies a bundle from its bytes alone: no model, no network, no other file. Problems are reported, never thrown. */
export async function verifyBundle(
  source: ByteSource,
  options: VerifyOptions,
): Promise<BundleReport> {
  const checks: Check[] = []
  let contents: BundleContents | undefined
  let manifest: Manifest | undefined
  checks.push(
    await runCheck('file', () => {
      contents = new BundleContents(source, readZip(source))
      const size = `${count(source.sizeBytes)} bytes`
      return concluded('file', new Faults(), `${size}, each in its place`)
    }),
  )
  if (contents !== undefined) {
    const opened = contents
    checks.push(
      await runCheck('manifest', () => {
        const checked = checkManifest(opened)
        manifest = checked.manifest
        return checked.check
      }),
    )
  }
  const isWhole = checks.every(({ outcome }) => outcome === 'passed')
  if (isWhole && contents !== undefined && manifest !== undefined)
    checks.push(...(await checkContents(contents, manifest, options)))
  const origin = checkOrigin(isWhole ? contents : undefined, manifest?.root, options)
  checks.push(...notMade(checks), origin.check)
  return {
    schema: 'scholium.verification/1',
    fileKind: fileKind(source, contents),
    isSound: checks.every(({ outcome }) => outcome !== 'failed'),
    isComplete: checks.every(({ name, outcome }) => name === 'origin' || outcome !== 'undecided'),
    origin: origin.origin,
    root: isWhole ? (manifest?.root ?? null) : null,
    run: isWhole && manifest !== undefined ? summarizeRun(manifest) : null,
    missing: (isWhole ? manifest?.missing : undefined) ?? [],
    checks,
  }
}

/** A zip without a manifest can look like a bundle without being one. */
function fileKind(source: ByteSource, contents: BundleContents | undefined): FileKind {
  if (contents === undefined) return detectFileKind(source)
  return contents.has(memberNames.manifest) ? 'bundle' : 'other_zip'
}

/** The checks after that of the file itself, in order. */
const order: readonly CheckName[] = [
  'file',
  'manifest',
  'log',
  'steps',
  'inputs',
  'costs',
  'answer',
  'result',
  'citations',
  'sources',
  'quotes',
  'verdicts',
  'coverage',
]

function notMade(made: readonly Check[]): readonly Check[] {
  return order
    .filter((name) => !made.some((check) => check.name === name))
    .map((name) => undecided(name, 'Not checked: what it depends on is not valid.'))
}

function summarizeRun({ runId, workflow, status, events, versions }: Manifest) {
  return { runId, workflow, status, events, versions }
}

async function checkContents(
  contents: BundleContents,
  manifest: Manifest,
  options: VerifyOptions,
): Promise<readonly Check[]> {
  const { facts, checks } = await checkLog(contents, manifest, options.workflows)
  if (facts === undefined) return checks
  const answer = await deriveAnswer(facts, contents.events())
  checks.push(await runCheck('answer', () => checkAnswer(contents, facts, answer)))
  const { workflows, packageVersion } = options
  const { rebuildResult } = workflows.get(facts.workflow) ?? {}
  const grounds = { facts, manifest, packageVersion, rebuildResult }
  const result = () => checkResult({ ...grounds, events: contents.events() })
  checks.push(await runCheck('result', result))
  const { claims, isWhole } = readClaims(answer ?? {})
  const { points, isWhole: arePointsWhole } = readPoints(answer ?? {})
  const made = { contents, manifest, facts, claims, points }
  const said = [...claims, ...points]
  const citations = () => checkCitations(facts, answer ?? {}, said, contents.events())
  checks.push(await runCheck('citations', citations))
  checks.push(...(await checkEvidence(made, answer ?? {}, options)))
  const hasClaims = answer?.claims !== undefined
  checks.push(
    hasClaims
      ? await runCheck('coverage', () =>
          checkedCoverage(answer as JsonObject, made, isWhole && arePointsWhole),
        )
      : concluded('coverage', new Faults(), 'the run has no claims'),
  )
  return checks
}

function checkedCoverage(
  answer: JsonObject,
  { claims, points }: Pick<Made, 'claims' | 'points'>,
  isWhole: boolean,
): Check {
  if (!isWhole)
    throw new BundleFault(
      faultIn(memberNames.answer, 'one of its claims does not match the format.'),
    )
  return checkCoverage(answer, claims, points)
}

/** All checks of the log, in one pass; without facts if the log could not be read to its end. */
async function checkLog(
  contents: BundleContents,
  manifest: Manifest,
  workflows: VerifyOptions['workflows'],
): Promise<{ facts: RunFacts | undefined; checks: Check[] }> {
  const facts = new RunFacts(workflows)
  const [sequence, steps] = [new SequenceCheck(), new StepCheck()]
  const [inputs, costs] = [new InputCheck(manifest), new CostCheck()]
  const log = await runCheck('log', () => {
    for (const event of contents.checkedEvents()) {
      for (const part of [sequence, steps, inputs, costs, facts]) part.record(event)
    }
    return sequence.conclude(facts, manifest)
  })
  const isRead = facts.events > 0 && facts.events === manifest.events
  if (!isRead && log.outcome === 'failed') return { facts: undefined, checks: [log] }
  const messages = await runCheck('inputs', () => inputs.conclude(contents))
  return { facts, checks: [log, steps.conclude(), messages, costs.conclude()] }
}

interface Made {
  readonly contents: BundleContents
  readonly manifest: Manifest
  readonly facts: RunFacts
  readonly claims: readonly Claim[]
  /** Statements about papers besides the claims. */
  readonly points: readonly Claim[]
}

async function checkEvidence(
  { contents, manifest, facts, claims, points }: Made,
  answer: JsonObject,
  { packageVersion, workflows }: VerifyOptions,
): Promise<readonly Check[]> {
  let read: ReturnType<typeof checkSources> | undefined
  const sources = await runCheck('sources', async () => {
    const said = [...claims, ...points]
    const references = citedReferences(facts, said)
    const recorded = {
      texts: await recordedTexts(references, contents.events(), manifest.replacedPaths),
      sources: await recordedSources(contents.events()),
    }
    read = checkSources(contents, manifest, facts, said, recorded)
    return read.checks[0] as Check
  })
  if (read === undefined) return [sources]
  const { checks, texts } = read
  const judged = { facts, manifest, answer, claims, texts, packageVersion }
  const { judgePoints } = workflows.get(facts.workflow) ?? {}
  const again = { points, judgePoints }
  return [
    ...checks,
    await runCheck('verdicts', () => withPoints(checkVerdicts(judged), judged, again)),
  ]
}
