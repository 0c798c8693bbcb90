import type { Source } from '../../citations/source.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Hash, Json, JsonObject } from '../../kernel/json.ts'
import { isOfStep, type RunEvent } from '../../kernel/run/event.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import type { BundledWorkflow } from './bundled-workflow.ts'
import { computeRoot, lineText, memberText } from './canonical.ts'
import { checkedPieces, type NamedSecret } from './check-pieces.ts'
import { bundleSchema, type Manifest, memberNames, sourceMember } from './form.ts'
import { LoggedMessages, missingMessage } from './logged-messages.ts'
import { mapTexts, PathNames, type PathReplacements } from './path-names.ts'
import { citedSource, deriveAnswer, derivedMembers, RunFacts } from './run-facts.ts'
import { signRoot } from './signature.ts'
import { cutTexts, hashesIn, passageTexts, type StoredSource, toSnapshot } from './source-member.ts'
import { type WrittenMember, ZipWriter } from './zip-writer.ts'

/** What to export, and how. */
export interface BundleRequest {
  readonly store: Pick<RunStore, 'events' | 'blob'>
  readonly runId: string
  /** Descriptor of the empty file to write. */
  readonly file: number
  /** `cited`: of sources, only the passages that were read under cited numbers. */
  readonly texts: Manifest['texts']
  /** An Ed25519 private key in PEM format. */
  readonly privateKey?: string
  readonly secrets: readonly NamedSecret[]
  /** Home folders of this machine, which are replaced wherever the log names them. */
  readonly homes: readonly string[]
  /** Known workflows, by name. */
  readonly workflows: ReadonlyMap<string, BundledWorkflow>
  /** A source from the library; `undefined` if it is no longer there. */
  readSource(id: string): Promise<StoredSource | undefined>
}

/** What was written into a bundle. */
export interface WrittenBundle {
  readonly runId: string
  readonly root: Hash
  readonly events: number
  readonly sources: number
  readonly texts: Manifest['texts']
  readonly missing: Manifest['missing']
  readonly replacedPaths: readonly string[]
  /** In hex, if the bundle is signed. */
  readonly publicKey?: string
}

/**
 * Writes a run as a bundle. The bytes depend only on the run.
 * @throws `run_not_found`; `invalid_input` for an invalid key, a bundle that would be too large, or a secret in a member
 */
export async function exportBundle(request: BundleRequest): Promise<WrittenBundle> {
  const survey = await surveyRun(request)
  const zip = new ZipWriter(request.file)
  const written = await writeMembers(request, survey, zip)
  zip.finish()
  return written
}

/** What must be known before the first member is written. */
interface Survey {
  readonly facts: RunFacts
  readonly answer: JsonObject | undefined
  readonly replacements: PathReplacements
  readonly sourceIds: readonly string[]
  /** The passages that were read under cited numbers. */
  readonly cited: RunFacts['passages']
  readonly missing: Manifest['missing']
  /** Changes texts that must not be exported; `undefined` if all may be. */
  readonly cutText: ((text: string) => string) | undefined
}

async function surveyRun(request: BundleRequest): Promise<Survey> {
  const { store, runId, homes, texts, workflows } = request
  const facts = new RunFacts(workflows)
  const paths = new PathNames()
  for await (const event of store.events(runId)) {
    facts.record(event)
    paths.see(event.data)
    paths.see(event.output)
  }
  if (facts.events === 0) throw nothingYet(runId)
  for (const home of homes) paths.seeHome(home)
  const answer = await deriveAnswer(facts, eventsOf(request, facts.events, { withOutput: false }))
  const cited = citedPassages(facts, answer)
  const missing: Manifest['missing'] = listMissing(facts)
  const sourceIds: string[] = []
  const shared = new Set<string>()
  const unshared = new Set<string>()
  for (const id of [...new Set(facts.citations.map(({ sourceId }) => sourceId))].sort()) {
    const stored = await request.readSource(id)
    if (stored === undefined)
      missing.push({ what: sourceMember(id), why: 'The source is no longer in the library.' })
    else {
      sourceIds.push(id)
      paths.see(stored.source as unknown as Json)
      paths.leave(stored.text)
      const own = cited.filter(({ sourceId }) => sourceId === id)
      for (const text of passageTexts(stored, own)) shared.add(text)
      for (const text of passageTexts(stored, stored.passages)) unshared.add(text)
    }
  }
  const replacements = paths.replacements()
  const cutText = texts === 'cited' ? cutTexts(unshared.difference(shared), shared) : undefined
  return { facts, answer, replacements, sourceIds, cited, missing, cutText }
}

function nothingYet(runId: string): ScholiumError {
  return new ScholiumError('invalid_input', `The log of run ${runId} has no events yet.`, {
    hint: 'Export it after it has started.',
  })
}

function citedPassages(facts: RunFacts, answer: JsonObject | undefined): RunFacts['passages'] {
  const claims = derivedMembers(facts, answer)[memberNames.claims] as JsonObject | undefined
  return (claims?.passages ?? []) as unknown as RunFacts['passages']
}

function listMissing({ result, conditions }: RunFacts): Manifest['missing'] {
  const { answer, prices } = memberNames
  return [
    ...(result === undefined ? [{ what: answer, why: 'The run has not ended.' }] : []),
    ...(conditions.prices === undefined
      ? [{ what: prices, why: 'The log of this run does not contain prices.' }]
      : []),
  ]
}

async function writeMembers(
  request: BundleRequest,
  survey: Survey,
  zip: ZipWriter,
): Promise<WrittenBundle> {
  const { facts, replacements, sourceIds } = survey
  const { privateKey, secrets } = request
  const written: WrittenMember[] = []
  const write = async (name: string, pieces: Iterable<string> | AsyncIterable<string>) => {
    written.push(await zip.add(name, checkedPieces(name, pieces, secrets)))
  }
  const derived = Object.entries(derivedMembers(facts, survey.answer))
  const texts = new Map(
    derived.map(([name, value]) => [name, [memberText(shareable(survey, value))]] as const),
  )
  const hashes = new Set<string>()
  const logged = new LoggedMessages()
  const bodies = new Map<string, Iterable<string> | AsyncIterable<string>>([
    ...texts,
    [memberNames.log, logLines(request, survey, hashes, logged)],
    [memberNames.messages, messageLines(request, survey, hashes, logged)],
  ])
  for (const name of [...bodies.keys()].sort()) await write(name, bodies.get(name) ?? [])
  for (const id of sourceIds) await write(sourceMember(id), [await sourceText(request, survey, id)])
  const draft = createManifest(request, survey, written)
  const manifest = { ...draft, root: computeRoot(draft) }
  const { manifest: name } = memberNames
  await zip.add(name, checkedPieces(name, [memberText(manifest)], secrets))
  const signature = privateKey === undefined ? undefined : signRoot(manifest.root, privateKey)
  if (signature !== undefined) await zip.add(memberNames.signature, [memberText(signature)])
  return {
    runId: facts.runId,
    root: manifest.root,
    events: facts.events,
    sources: sourceIds.length,
    texts: request.texts,
    missing: manifest.missing,
    replacedPaths: replacements.names,
    ...(signature === undefined ? {} : { publicKey: signature.publicKey }),
  }
}

function createManifest(
  { texts }: BundleRequest,
  { facts, replacements, missing }: Survey,
  members: readonly WrittenMember[],
): Manifest {
  const { runId, workflow, status, events, family, conditions } = facts
  return {
    schema: bundleSchema,
    runId,
    workflow,
    status,
    events,
    family,
    versions: conditions.versions,
    texts,
    replacedPaths: [...replacements.names],
    missing,
    members: [...members],
    root: '' as Hash,
  }
}

/** A value without paths of this machine and, if only cited passages are exported, without other texts. */
function shareable<T extends Json>({ replacements, cutText }: Survey, value: T): T {
  const cut = cutText === undefined ? value : (mapTexts(value, cutText) as T)
  return replacements.apply(cut)
}

async function* logLines(
  request: BundleRequest,
  survey: Survey,
  hashes: Set<string>,
  logged: LoggedMessages,
): AsyncGenerator<string> {
  for await (const { blob: _blob, ...event } of eventsOf(request, survey.facts.events)) {
    const shared = shareable(survey, event as unknown as JsonObject)
    for (const hash of hashesIn(event.output)) hashes.add(hash)
    if (isOfStep(event)) for (const hash of hashesIn(event.data.input)) hashes.add(hash)
    logged.record(shared as unknown as RunEvent)
    yield lineText(shared)
  }
}

/** The messages that the log references by hash, in order of first reference. */
async function* messageLines(
  { store, runId }: BundleRequest,
  survey: Survey,
  hashes: ReadonlySet<string>,
  logged: LoggedMessages,
): AsyncGenerator<string> {
  const needed = new Set(logged.keptElsewhere())
  for (const hash of hashes) {
    const kept = await store.blob(runId, hash as Hash)
    if (kept !== undefined) yield lineText({ hash, text: shareableMessage(survey, kept) })
    else if (needed.has(hash))
      survey.missing.push({ what: missingMessage(hash), why: 'The run did not record it.' })
  }
}

/** Keeps a message exactly as it was hashed unless something in it is replaced. */
function shareableMessage(survey: Survey, kept: string): string {
  let message: Json
  try {
    message = JSON.parse(kept) as Json
  } catch {
    return shareable(survey, kept)
  }
  const before = lineText(message)
  const after = lineText(shareable(survey, message))
  return before === after ? kept : after.slice(0, -1)
}

async function sourceText(request: BundleRequest, survey: Survey, id: string): Promise<string> {
  const stored = asCited((await request.readSource(id)) as StoredSource, survey.answer)
  const shared = survey.cited.filter(({ sourceId }) => sourceId === id)
  const snapshot = toSnapshot(stored, request.texts === 'cited' ? shared : undefined)
  const source = shareable(survey, snapshot.source as unknown as JsonObject)
  return memberText({ ...snapshot, source })
}

/** A source as the answer describes it: the library may have changed its path or title. */
function asCited(stored: StoredSource, answer: JsonObject | undefined): StoredSource {
  const cited = citedSource(answer, stored.source.id)
  if (cited === undefined) return stored
  const { url: _url, path: _path, ...others } = stored.source
  const { title, url, path, csl } = cited
  const place = { ...(url === undefined ? {} : { url }), ...(path === undefined ? {} : { path }) }
  return { ...stored, source: { ...others, title, ...place, csl } as unknown as Source }
}

/** The events that the survey saw: a run in progress may have more now. */
async function* eventsOf(
  { store, runId }: BundleRequest,
  throughSeq: number,
  filter: { readonly withOutput?: boolean } = {},
): AsyncGenerator<RunEvent> {
  for await (const event of store.events(runId, filter)) {
    if (event.seq > throughSeq) return
    yield event
  }
}
