import type { Claim } from '../../citations/claim.ts'
import type { Hash, JsonObject } from '../../kernel/json.ts'
import type { BundledWorkflow } from './bundled-workflow.ts'
import type { ByteSource } from './byte-source.ts'
import { memberText } from './canonical.ts'
import { type Check, type CheckName, concluded, Faults, runCheck, undecided } from './check.ts'
import { checkCitations } from './citation-check.ts'
import { BundleContents } from './contents.ts'
import { CostCheck } from './cost-check.ts'
import { citedReferences, claimsOf } from './evidence.ts'
import { BundleFault, count, faultIn } from './fault.ts'
import { isMemberName, type Manifest, memberNames } from './form.ts'
import { InputCheck } from './input-check.ts'
import { checkManifest } from './manifest-check.ts'
import { checkOrigin, type Origin, type OriginRequest } from './origin-check.ts'
import { withPoints } from './point-check.ts'
import { pointsOf } from './points.ts'
import { recordedSources, recordedTexts } from './recorded-texts.ts'
import { checkResult } from './result-check.ts'
import { answerOf, derivedMembers, RunFacts } from './run-facts.ts'
import { SequenceCheck } from './sequence-check.ts'
import { checkSources } from './source-check.ts'
import { StepCheck } from './step-check.ts'
import { checkCoverage, checkVerdicts } from './verdict-check.ts'
import { localFields, recordBytes, signatures } from './zip-form.ts'
import { readZip } from './zip-reader.ts'

/** What a bundle is verified against beside itself. */
export interface VerifyOptions extends OriginRequest {
  /** Of the program that verifies: another version may judge claims otherwise. */
  readonly packageVersion: string
  /** What is known of workflows, by name. Of others less can be checked. */
  readonly workflows: ReadonlyMap<string, BundledWorkflow>
}

/** What a verification found. */
export interface BundleReport {
  readonly schema: 'scholium.verification/1'
  /** What the file looks like: only of a bundle, sound or not, do the checks say more. */
  readonly fileKind: FileKind
  /** Whether no check failed. */
  readonly isSound: boolean
  /** Whether no check but that of the origin is undecided: a sound bundle that is not complete may still say what is false. */
  readonly isComplete: boolean
  /** What is known of where the bundle comes from. */
  readonly origin: Origin
  readonly root: Hash | null
  readonly run: Pick<Manifest, 'runId' | 'workflow' | 'status' | 'events' | 'versions'> | null
  readonly missing: Manifest['missing']
  readonly checks: readonly Check[]
}

/**
 * Checks a bundle from its bytes alone: no model, no network, no file but this one. What is wrong is in the report, never
 * thrown.
 */
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
    run: isWhole && manifest !== undefined ? runOf(manifest) : null,
    missing: (isWhole ? manifest?.missing : undefined) ?? [],
    checks,
  }
}

/** A zip without a manifest may have a bundle's form, and is none. */
function fileKind(source: ByteSource, contents: BundleContents | undefined): FileKind {
  if (contents === undefined) return fileKindOf(source)
  return contents.has(memberNames.manifest) ? 'bundle' : 'other_zip'
}

/** The checks behind that of the file itself, in order. */
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

function runOf({ runId, workflow, status, events, versions }: Manifest) {
  return { runId, workflow, status, events, versions }
}

async function checkContents(
  contents: BundleContents,
  manifest: Manifest,
  options: VerifyOptions,
): Promise<readonly Check[]> {
  const { facts, checks } = await checkLog(contents, manifest, options.workflows)
  if (facts === undefined) return checks
  const answer = await answerOf(facts, contents.events())
  checks.push(await runCheck('answer', () => checkAnswer(contents, facts, answer)))
  const { workflows, packageVersion } = options
  const { rebuildResult } = workflows.get(facts.workflow) ?? {}
  const grounds = { facts, manifest, packageVersion, rebuildResult }
  const result = () => checkResult({ ...grounds, events: contents.events() })
  checks.push(await runCheck('result', result))
  const { claims, isWhole } = claimsOf(answer ?? {})
  const { points, isWhole: arePointsWhole } = pointsOf(answer ?? {})
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

/** The checks of the log, all in one reading; without facts where it could not be read to its end. */
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
  /** What is said of papers beside the claims. */
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

/** Whether the answer, and all else that is drawn from the log, is what the log gives. */
function checkAnswer(
  contents: BundleContents,
  facts: RunFacts,
  answer: JsonObject | undefined,
): Check {
  const faults = new Faults()
  const drawn = derivedMembers(facts, answer)
  for (const [name, value] of Object.entries(drawn)) {
    if (contents.has(name)) compare(name, contents.text(name), memberText(value), faults)
    else faults.add(faultIn(name, 'it is missing, although the log has its content.'))
  }
  const { answer: a, claims, configuration, csl, prices } = memberNames
  for (const name of [a, claims, configuration, csl, prices]) {
    if (contents.has(name) && !Object.hasOwn(drawn, name))
      faults.add(faultIn(name, 'the log contains nothing to derive it from.'))
  }
  const detail =
    answer === undefined
      ? 'the run has not ended, so it has no answer'
      : 'answer, claims, usage, costs, configuration and references derived from the log again'
  return concluded('answer', faults, detail)
}

function compare(name: string, found: string, expected: string, faults: Faults): void {
  if (found === expected) return
  let at = 0
  while (found[at] === expected[at]) at++
  const byte = Buffer.byteLength(found.slice(0, at))
  faults.add(faultIn(name, 'from here on it does not match the log.', byte))
}

/**
 * What a file looks like, sound or not: a bundle, nothing, something that is no zip, a zip of something else, or the beginning
 * of a bundle.
 */
type FileKind = 'bundle' | 'empty' | 'other_file' | 'other_zip' | 'cut_off'

/** What kind of file these bytes are, from their records alone. */
export function fileKindOf(source: ByteSource): FileKind {
  if (source.sizeBytes === 0) return 'empty'
  if (endsAsBundle(source)) return 'bundle'
  const first = signatureAt(source, 0)
  if (first === signatures.end) return 'other_zip'
  if (first !== signatures.local) return 'other_file'
  const nameBytes = source.read(0, recordBytes.local)[localFields.nameBytes] ?? 0
  const name = source.read(recordBytes.local, nameBytes).toString('latin1')
  if (name.length === nameBytes && nameBytes > 0 && !isMemberName(name)) return 'other_zip'
  const endsAsZip = signatureAt(source, source.sizeBytes - recordBytes.end) === signatures.end
  return endsAsZip || !isCutOff(source) ? 'bundle' : 'cut_off'
}

/** Whether the end of a zip is whole, and the last members are a bundle's, whatever was changed before them. */
function endsAsBundle(source: ByteSource): boolean {
  const tail = source.read(Math.max(0, source.sizeBytes - tailBytes), tailBytes)
  const end = tail.lastIndexOf(endSignature)
  return tail.includes(memberNames.manifest) && end >= 0 && end + recordBytes.end <= tail.length
}

/** The last record of a zip, the two entries before it, and more than was likely put behind it. */
const tailBytes = 1024
const endSignature = Buffer.of(0x50, 0x4b, 5, 6)

/** Whether the file ends before its records say that it does. */
function isCutOff(source: ByteSource): boolean {
  for (let at = 0; ; ) {
    const record = source.read(at, recordBytes.directory)
    const signature = signatureAt(source, at)
    if (signature === undefined) return true
    if (signature === signatures.local) {
      if (record.length < recordBytes.local) return true
      at += recordBytes.local + record.readUInt32LE(packedSize) + namesLength(record, 26)
    } else if (signature === signatures.directory) {
      if (record.length < recordBytes.directory) return true
      at += recordBytes.directory + namesLength(record, 28)
    } else return signature === signatures.end && at + recordBytes.end > source.sizeBytes
    if (at > source.sizeBytes) return true
  }
}

/** Where a local header says how many bytes its content has in the file. */
const packedSize = 18

/** The lengths of a record's name and of its extra field, which stand side by side. */
function namesLength(record: Buffer, at: number): number {
  return record.readUInt16LE(at) + record.readUInt16LE(at + 2)
}

function signatureAt(source: ByteSource, at: number): number | undefined {
  const bytes = at < 0 ? Buffer.alloc(0) : source.read(at, 4)
  return bytes.length < 4 ? undefined : bytes.readUInt32LE()
}
