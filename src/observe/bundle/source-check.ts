import type { Claim, Evidence, PassageReference } from '../../citations/claim.ts'
import { hashCitation, type PassageId, type Source } from '../../citations/source.ts'
import { canonicalJson, type Json, type JsonObject, sha256 } from '../../kernel/json.ts'
import { type Check, concluded, Faults } from './check.ts'
import type { BundleContents } from './contents.ts'
import { citedReferences, type PassageTexts } from './evidence.ts'
import { count, faultIn, shown } from './fault.ts'
import {
  type Manifest,
  memberNames,
  type SourceSnapshot,
  sourceForm,
  sourceMember,
} from './form.ts'
import { holdsReplacement } from './path-names.ts'
import type { RecordedSources, RecordedTexts } from './recorded-texts.ts'
import { citedSource, type RunFacts } from './run-facts.ts'
import { textAt } from './source-member.ts'

/** The result of checking a bundle's sources, with the texts of the cited passages. */
export interface CheckedSources {
  readonly checks: readonly Check[]
  readonly texts: PassageTexts
}

/** What the log says steps read. */
export interface Recorded {
  readonly texts: RecordedTexts
  readonly sources: RecordedSources
}

/** Checks one source after another: whether it is intact, and whether each quote is where the answer says. */
export function checkSources(
  contents: BundleContents,
  manifest: Manifest,
  facts: RunFacts,
  claims: readonly Claim[],
  recorded: Recorded,
): CheckedSources {
  const reading = new SourceReading(manifest, facts, claims, recorded)
  const ids = [...new Set(facts.citations.map(({ sourceId }) => sourceId))].sort()
  const declared = new Set(manifest.missing.map(({ what }) => what))
  for (const id of ids) {
    const name = sourceMember(id)
    if (contents.has(name)) reading.read(name, contents.value(name, sourceForm))
    else if (!declared.has(name))
      reading.sources.add(faultIn(name, 'it is missing, although the log cites it.'))
  }
  const own = new Set(ids.map(sourceMember))
  for (const { name } of contents.members) {
    if (name.startsWith('sources/') && !own.has(name))
      reading.sources.add(faultIn(name, 'the log cites no such source.'))
  }
  return { checks: reading.conclude(ids.length), texts: reading.texts }
}

class SourceReading {
  readonly sources = new Faults()
  readonly texts = new Map<PassageId, string>()
  private readonly quotes = new Faults()
  private readonly manifest: Manifest
  private readonly facts: RunFacts
  private readonly recorded: Recorded
  private readonly references: ReadonlyMap<string, PassageReference>
  private readonly evidence: readonly Evidence[]
  private readonly referencesOf: ReadonlyMap<string, readonly PassageReference[]>
  private readonly evidenceOf: ReadonlyMap<string, readonly Evidence[]>
  private sourceCount = 0
  private found = 0

  constructor(manifest: Manifest, facts: RunFacts, claims: readonly Claim[], recorded: Recorded) {
    this.manifest = manifest
    this.facts = facts
    this.recorded = recorded
    const references = citedReferences(facts, claims)
    this.references = new Map(references.map((reference) => [reference.passageId, reference]))
    this.evidence = claims.flatMap((claim) => claim.evidence)
    this.referencesOf = Map.groupBy(references, ({ sourceId }) => sourceId)
    this.evidenceOf = Map.groupBy(
      this.evidence,
      ({ passageId }) => this.references.get(passageId)?.sourceId ?? '',
    )
    for (const one of this.evidence) {
      const isRead = this.references.get(one.passageId)?.n === one.n
      if (!isRead)
        this.fault(
          one,
          `is in the passage ${shown(one.passageId)}, which was not read under [${one.n}].`,
        )
    }
  }

  read(name: string, snapshot: SourceSnapshot): void {
    this.sourceCount++
    checkWhole(name, snapshot, this.manifest, this.sources)
    const { id } = snapshot.source
    checkDescription(name, snapshot, citedSource(this.facts.result, id), this.sources)
    this.checkAsRead(name, snapshot)
    for (const { start, end, passageId } of this.referencesOf.get(id) ?? []) {
      const text = textAt(snapshot, start, end)
      if (text === undefined)
        this.sources.add(faultIn(name, `it has no text from ${start} to ${end}, which was read.`))
      else this.texts.set(passageId, text)
      const hashes = [...(this.recorded.texts.get(passageId) ?? [])]
      if (text !== undefined && hashes.some((hash) => hash !== sha256(text)))
        this.sources.add(faultIn(name, `its text from ${start} to ${end} is not what was read.`))
    }
    for (const one of this.evidenceOf.get(id) ?? [])
      this.checkQuote(snapshot, this.references.get(one.passageId) as PassageReference, one)
  }

  /** Checks that a cited source still has the description it had when steps read it. */
  private checkAsRead(name: string, { source }: SourceSnapshot): void {
    const hashes = [...(this.recorded.sources.get(source.id) ?? [])]
    if (hashes.length === 0 || citedSource(this.facts.result, source.id) === undefined) return
    if (holdsReplacement(canonicalJson({ ...source, path: '' }), this.manifest.replacedPaths))
      return
    const hash: string = hashCitation(source as unknown as Source)
    if (hashes.some((one) => one !== hash))
      this.sources.add(
        faultIn(name, 'its title, location or reference differs from when steps read it.'),
      )
  }

  conclude(sources: number): readonly Check[] {
    const missing = sources - this.sourceCount
    const gone = missing === 0 ? '' : `; ${count(missing)} were no longer available at export`
    const kept = this.manifest.texts === 'full' ? 'with full texts' : 'with the passages read'
    const all = this.evidence.length
    const open = all - this.found - this.quotes.count
    const unread = open <= 0 ? '' : `; ${count(open)} could not be checked`
    return [
      concluded('sources', this.sources, `${count(this.sourceCount)} sources ${kept}${gone}`),
      concluded(
        'quotes',
        this.quotes,
        `${count(this.found)} of ${count(all)} quotes are at their positions${unread}`,
        open > 0,
      ),
    ]
  }

  private checkQuote(snapshot: SourceSnapshot, reference: PassageReference, one: Evidence): void {
    const { start, end, quote, page } = one
    const isInside = reference.start <= start && start <= end && end <= reference.end
    const stands = textAt(snapshot, start, end) === quote
    const onPage = snapshot.pages.find((each) => each.start <= start && end <= each.end)?.page
    if (!isInside) this.fault(one, 'is not in its passage.')
    else if (!stands) this.missQuote(one)
    else if (page !== onPage) this.fault(one, `is on page ${onPage ?? '-'}, not ${page ?? '-'}.`)
    else this.found++
  }

  /** A path in a quote may have been replaced while the source is unchanged, so such a quote is left open. */
  private missQuote(one: Evidence): void {
    if (holdsReplacement(one.quote, this.manifest.replacedPaths)) return
    this.fault(one, `is not in the source from ${one.start} to ${one.end}.`)
  }

  private fault({ quote, n }: Evidence, text: string): void {
    this.quotes.add(faultIn(memberNames.answer, `the quote "${shown(quote)}" [${n}] ${text}`))
  }
}

/** Checks that a snapshot describes its source as the answer does. */
function checkDescription(
  name: string,
  { source }: SourceSnapshot,
  cited: JsonObject | undefined,
  faults: Faults,
): void {
  if (cited === undefined) return
  for (const field of ['title', 'url', 'path', 'csl'] as const) {
    const [here, there] = [source[field], cited[field]].map((value) =>
      canonicalJson((value ?? null) as Json),
    )
    if (here !== there)
      faults.add(faultIn(name, `its ${field} is not the one given in the answer.`))
  }
}

/** Checks that a snapshot belongs to its source and that its text matches its hash. */
function checkWhole(
  name: string,
  { source, text, spans, length, textHash }: SourceSnapshot,
  { texts }: Manifest,
  faults: Faults,
): void {
  if (sourceMember(source.id) !== name) faults.add(faultIn(name, 'it belongs to another source.'))
  const isFull = text !== undefined
  if (isFull === (spans !== undefined) || isFull !== (texts === 'full'))
    faults.add(faultIn(name, 'it has its full text where it should have passages, or vice versa.'))
  if (isFull && text.length !== length)
    faults.add(
      faultIn(name, `its text has ${count(text.length)} characters, not ${count(length)}.`),
    )
  if (isFull && sha256(text) !== textHash)
    faults.add(faultIn(name, 'its text does not have the declared hash.'))
  for (const { start, end, text: part } of spans ?? [])
    if (end > length || end - start !== part.length)
      faults.add(faultIn(name, `its passage from ${start} to ${end} has the wrong length.`))
}
