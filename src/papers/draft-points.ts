import type { DraftSupport, SynthesizerOutput } from '../citations/papers-role-requests.ts'
import { collectKnown, findForeignPart } from '../claims/verify/foreign-addresses.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import { type CheckSources, stripCitations } from './check-statements.ts'
import type { RefusedPoint } from './result.ts'
import type { KeptPaper } from './state.ts'

/** A statement attributed to papers. */
export interface DraftSide {
  readonly says: string
  readonly papers: readonly NamedPaper[]
}

/** The points of a draft that name enough kept papers. They are not yet checked against pages. */
export interface DraftPoints {
  readonly consensus: readonly DraftSide[]
  readonly contradictions: readonly {
    readonly description: string
    readonly context: string
    readonly a: DraftSide
    readonly b: DraftSide
  }[]
  readonly gaps: readonly DraftSide[]
  readonly refused: readonly RefusedPoint[]
}

/** Points accepted per kind: a model that writes more repeats itself. */
const maxPoints = 40

/** Resolves the papers that a draft's points name; points that cannot stand are refused with a reason. */
export function resolvePoints(
  draft: SynthesizerOutput,
  kept: readonly KeptPaper[],
  read: CheckSources,
): DraftPoints {
  const refused: RefusedPoint[] = []
  const known = collectKnown(read)
  const refuse = (kind: RefusedPoint['kind'], text: string, reason: string) => {
    refused.push({ kind, text: toInertMarkdown(text), reason: toInertMarkdown(reason) })
    return []
  }
  const consensus = draft.consensus.slice(0, maxPoints).flatMap((point) => {
    const side = resolveSide(point.point, point, kept)
    const reason = findConsensusProblem(side) ?? findForeignAddress([point.point], known)
    return reason === undefined && side.ok
      ? [side.side]
      : refuse('consensus', point.point, `${reason}`)
  })
  const contradictions = draft.contradictions.slice(0, maxPoints).flatMap((one) => {
    const [a, b] = [resolveSide(one.a.says, one.a, kept), resolveSide(one.b.says, one.b, kept)]
    const reason =
      findContradictionProblem(a, b) ??
      findForeignAddress([one.description, one.context, one.a.says, one.b.says], known)
    if (reason !== undefined || !a.ok || !b.ok)
      return refuse('contradiction', one.description || one.a.says, `${reason}`)
    return [
      {
        description: plainText(one.description) || `${a.side.says} – ${b.side.says}`,
        context: plainText(one.context),
        a: a.side,
        b: b.side,
      },
    ]
  })
  const gaps = draft.gaps.slice(0, maxPoints).flatMap((gap) => {
    const side = resolveSide(gap.text, gap, kept)
    const reason = side.ok ? findForeignAddress([gap.text], known) : side.reason
    return reason === undefined && side.ok ? [side.side] : refuse('gap', gap.text, `${reason}`)
  })
  return { consensus, contradictions, gaps, refused }
}

type SideResult =
  | { readonly ok: true; readonly side: DraftSide }
  | { readonly ok: false; readonly reason: string }

function resolveSide(text: string, support: DraftSupport, kept: readonly KeptPaper[]): SideResult {
  const says = plainText(text)
  if (says === '') return { ok: false, reason: 'It says nothing.' }
  const named = resolveNames(support, kept)
  if (named.ok) return { ok: true, side: { says, papers: named.papers } }
  const names = named.unknown.map((name) => `“${name.slice(0, 60)}”`).join(', ')
  return {
    ok: false,
    reason: `It names ${names}, which is not a paper that was analysed and kept.`,
  }
}

function plainText(text: string): string {
  return toInertMarkdown(stripCitations(text))
}

function findConsensusProblem(sided: SideResult): string | undefined {
  if (!sided.ok) return sided.reason
  const { papers } = sided.side
  if (papers.length === 0) return 'It names no paper.'
  if (papers.length === 1) return `It names only one paper, [${papers[0]?.kept.n}].`
  return undefined
}

function findContradictionProblem(a: SideResult, b: SideResult): string | undefined {
  if (!a.ok) return `One side: ${a.reason}`
  if (!b.ok) return `One side: ${b.reason}`
  if (a.side.papers.length === 0 || b.side.papers.length === 0)
    return 'One of its sides names no paper.'
  const both = a.side.papers.find(({ kept }) =>
    b.side.papers.some((other) => other.kept.n === kept.n),
  )
  return both === undefined ? undefined : `[${both.kept.n}] is on both sides.`
}

function findForeignAddress(
  texts: readonly string[],
  known: readonly string[],
): string | undefined {
  const found = texts.map((text) => findForeignPart(text, known)).find((part) => part !== undefined)
  return found === undefined
    ? undefined
    : `“${found.slice(0, 80)}” is not an address in its papers.`
}

/** The papers of a point with the quotations given for each, or the names that match no kept paper. */
type NamedPapers =
  | { readonly ok: true; readonly papers: readonly NamedPaper[] }
  | { readonly ok: false; readonly unknown: readonly string[] }

/** A kept paper named by a point. */
interface NamedPaper {
  readonly kept: KeptPaper
  readonly quotes: readonly string[]
}

/** Finds the kept papers that a point names, each once and in order. A paper named only in a quotation counts as named. */
function resolveNames({ papers, quotes }: DraftSupport, kept: readonly KeptPaper[]): NamedPapers {
  const names = [...papers.flatMap(splitNumbers), ...quotes.map(({ paper }) => paper)].filter(
    (name) => name !== '',
  )
  const unknown = names.filter((name) => findPaper(name, kept) === undefined)
  if (unknown.length > 0) return { ok: false, unknown: [...new Set(unknown)] }
  const meant = new Set(names.map((name) => findPaper(name, kept)))
  const named = kept
    .filter((one) => meant.has(one))
    .map((one) => ({
      kept: one,
      quotes: quotes.flatMap(({ paper, quote }) =>
        quote !== '' && findPaper(paper, kept) === one ? [quote] : [],
      ),
    }))
  return { ok: true, papers: named }
}

/** Splits "1, 3" and "[1][3]", which models write in place of a list. */
function splitNumbers(name: string): readonly string[] {
  if (!/^[\s[\]\d,;]+$/.test(name)) return [name]
  return name.match(/\d+/g) ?? [name]
}

/** Finds a kept paper by number ("2", "[2]", "Paper 2") or id, with or without version. */
function findPaper(name: string, kept: readonly KeptPaper[]): KeptPaper | undefined {
  const plain = name.trim().toLowerCase()
  const [, number] = /^\[?(?:paper\s*)?#?(\d{1,4})\]?$/.exec(plain) ?? []
  if (number !== undefined) return kept.find(({ n }) => n === Number(number))
  const id = plain.replace(/^\[|\]$/g, '')
  return kept.find(
    ({ paper }) => listIds(paper).includes(id) || listIds(paper).includes(bareId(id)),
  )
}

function listIds({ id, arxivId, doi }: KeptPaper['paper']): readonly string[] {
  const ids = [id, arxivId ?? '', doi ?? ''].filter((one) => one !== '')
  return ids.flatMap((one) => [one.toLowerCase(), bareId(one.toLowerCase())])
}

/** An id without its scheme and version. */
function bareId(id: string): string {
  return id.replace(/^(?:arxiv|doi|s2|openalex|file):/, '').replace(/(?<=^\d{4}\.\d{4,5})v\d+$/, '')
}
