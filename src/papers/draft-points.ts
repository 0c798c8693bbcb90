import type { DraftSupport, SynthesizerOutput } from '../citations/papers-role-input.ts'
import { collectKnown, findForeignPart } from '../claims/verify/foreign-addresses.ts'
import { toInertMarkdown } from '../claims/verify/inert-markdown.ts'
import { type Read, withoutMarks } from './check-statements.ts'
import { type NamedPaper, namedPapers } from './named-papers.ts'
import type { RefusedPoint } from './result.ts'
import type { KeptPaper } from './state.ts'

/** Something that papers are said to say. */
export interface DraftSide {
  readonly says: string
  readonly papers: readonly NamedPaper[]
}

/** The points of a draft that name kept papers, and enough of them; nothing of them is checked against pages. */
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

/** Points of a kind at most: a model that writes more repeats itself. */
const maxPoints = 40

/** The points of a draft, those that cannot stand left out with the reason. */
export function draftPoints(
  draft: SynthesizerOutput,
  kept: readonly KeptPaper[],
  read: Read,
): DraftPoints {
  const refused: RefusedPoint[] = []
  const known = collectKnown(read)
  const refuse = (kind: RefusedPoint['kind'], text: string, reason: string) => {
    refused.push({ kind, text: toInertMarkdown(text), reason: toInertMarkdown(reason) })
    return []
  }
  const consensus = draft.consensus.slice(0, maxPoints).flatMap((point) => {
    const side = sideOf(point.point, point, kept)
    const reason = whyNoConsensus(side) ?? foreignIn([point.point], known)
    return reason === undefined && side.ok
      ? [side.side]
      : refuse('consensus', point.point, `${reason}`)
  })
  const contradictions = draft.contradictions.slice(0, maxPoints).flatMap((one) => {
    const [a, b] = [sideOf(one.a.says, one.a, kept), sideOf(one.b.says, one.b, kept)]
    const reason =
      whyNoContradiction(a, b) ??
      foreignIn([one.description, one.context, one.a.says, one.b.says], known)
    if (reason !== undefined || !a.ok || !b.ok)
      return refuse('contradiction', one.description || one.a.says, `${reason}`)
    return [
      {
        description: textOf(one.description) || `${a.side.says} – ${b.side.says}`,
        context: textOf(one.context),
        a: a.side,
        b: b.side,
      },
    ]
  })
  const gaps = draft.gaps.slice(0, maxPoints).flatMap((gap) => {
    const side = sideOf(gap.text, gap, kept)
    const reason = side.ok ? foreignIn([gap.text], known) : side.reason
    return reason === undefined && side.ok ? [side.side] : refuse('gap', gap.text, `${reason}`)
  })
  return { consensus, contradictions, gaps, refused }
}

type Sided =
  | { readonly ok: true; readonly side: DraftSide }
  | { readonly ok: false; readonly reason: string }

function sideOf(text: string, support: DraftSupport, kept: readonly KeptPaper[]): Sided {
  const says = textOf(text)
  if (says === '') return { ok: false, reason: 'It says nothing.' }
  const named = namedPapers(support, kept)
  if (named.ok) return { ok: true, side: { says, papers: named.papers } }
  const names = named.unknown.map((name) => `“${name.slice(0, 60)}”`).join(', ')
  return { ok: false, reason: `It names ${names}, which is no paper that was analysed and kept.` }
}

function textOf(text: string): string {
  return toInertMarkdown(withoutMarks(text))
}

function whyNoConsensus(sided: Sided): string | undefined {
  if (!sided.ok) return sided.reason
  const { papers } = sided.side
  if (papers.length === 0) return 'It names no paper.'
  if (papers.length === 1) return `It names one paper alone, [${papers[0]?.kept.n}].`
  return undefined
}

function whyNoContradiction(a: Sided, b: Sided): string | undefined {
  if (!a.ok) return `One side: ${a.reason}`
  if (!b.ok) return `One side: ${b.reason}`
  if (a.side.papers.length === 0 || b.side.papers.length === 0)
    return 'One of its sides names no paper.'
  const both = a.side.papers.find(({ kept }) =>
    b.side.papers.some((other) => other.kept.n === kept.n),
  )
  return both === undefined ? undefined : `[${both.kept.n}] stands on both sides.`
}

function foreignIn(texts: readonly string[], known: readonly string[]): string | undefined {
  const found = texts.map((text) => findForeignPart(text, known)).find((part) => part !== undefined)
  return found === undefined ? undefined : `“${found.slice(0, 80)}” is no address of its papers.`
}
