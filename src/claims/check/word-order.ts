import { adverbialStarts, clauseOpeners, symmetric } from '../language/vocabulary.ts'
import type { Word } from '../language/words.ts'
import type { Change } from './differences.ts'
import { isLimiting } from './differences.ts'

/** A change of word order: `same` changes nothing in meaning, `role` exchanges who does what, `undecided` may be either. */
export interface OrderChange {
  readonly kind: 'same' | 'role' | 'undecided'
  readonly first: readonly Word[]
  readonly second: readonly Word[]
  readonly changes: readonly Change[]
}

/** Finds changes of word order among `changes`, each with the changes it covers. */
export function findOrderChanges(
  claim: readonly Word[],
  source: readonly Word[],
  changes: readonly Change[],
  explained: readonly Change[],
): OrderChange[] {
  const findings: OrderChange[] = []
  let open = changes
  const settle = (finding: OrderChange | undefined): void => {
    if (finding === undefined) return
    findings.push(finding)
    open = open.filter((change) => !finding.changes.includes(change))
  }
  for (const [one, other] of pairs(changes)) {
    if (!open.includes(one) || !open.includes(other)) continue
    settle(
      findExchange(one, other, claim) ?? findMove(one, other, claim) ?? findMove(other, one, claim),
    )
  }
  settle(
    findReorderedList(claim, source, open) ??
      findReordering(claim, source, open, explained) ??
      findVoiceChange(open),
  )
  return findings
}

function* pairs(changes: readonly Change[]): Generator<readonly [Change, Change]> {
  for (const [index, one] of changes.entries())
    for (const other of changes.slice(index + 1)) yield [one, other]
}

/** Two pieces that have changed places. */
function findExchange(one: Change, other: Change, claim: readonly Word[]): OrderChange | undefined {
  if (one.claim.length === 0 || one.source.length === 0) return undefined
  if (
    joinKeys(one.claim) !== joinKeys(other.source) ||
    joinKeys(one.source) !== joinKeys(other.claim)
  )
    return undefined
  const kind = classifyExchange(claim.slice(one.claimTo, other.claimFrom), claim)
  return { kind, first: one.claim, second: other.claim, changes: [one, other] }
}

function classifyExchange(between: readonly Word[], claim: readonly Word[]): OrderChange['kind'] {
  const isList = between.every(({ lemma }) => lemma === 'and' || lemma === 'or')
  if (isList && claim.some(({ lemma }) => lemma === 'respectively')) return 'role'
  if (isList) return claim.some(({ kind }) => kind === 'number') ? 'undecided' : 'same'
  return between.every(({ lemma }) => symmetric.has(lemma)) ? 'undecided' : 'role'
}

/** A phrase of time, place or manner that has moved. */
function findMove(to: Change, from: Change, claim: readonly Word[]): OrderChange | undefined {
  if (
    to.claim.length === 0 ||
    to.source.length > 0 ||
    from.claim.length > 0 ||
    joinKeys(to.claim) !== joinKeys(from.source)
  )
    return undefined
  const isOutside = to.at !== 'middle' && from.at !== 'middle'
  if (isOutside && isClauseMoved(to, claim))
    return { kind: 'same', first: to.claim, second: [], changes: [to, from] }
  const isAdverbial = adverbialStarts.has(to.claim[0]?.lemma ?? '') && !to.claim.some(isLimiting)
  const isDated = to.claim.some(({ kind }) => kind === 'number')
  const kind = isAdverbial && (isOutside || isDated) ? 'same' : 'undecided'
  return { kind, first: to.claim, second: [], changes: [to, from] }
}

/**
 * Whether one of the two pieces of a claim, one of which has moved to the other end, is a clause or phrase that may be
 * there.
 */
function isClauseMoved(to: Change, claim: readonly Word[]): boolean {
  const rest = to.at === 'start' ? claim.slice(to.claimTo) : claim.slice(0, to.claimFrom)
  const [moved, stays] = [to.claim[0], rest[0]]
  if ([moved, stays].some((word) => clauseOpeners.has(word?.lemma ?? ''))) return true
  return adverbialStarts.has(stays?.lemma ?? '') && !rest.some(isLimiting)
}

/** The same items of a list in another order. */
function findReorderedList(
  claim: readonly Word[],
  source: readonly Word[],
  open: readonly Change[],
): OrderChange | undefined {
  const [first, last] = [open[0], open.at(-1)]
  if (first === undefined || last === undefined || first === last) return undefined
  const mine = claim.slice(first.claimFrom, last.claimTo)
  const theirs = source.slice(first.sourceFrom, last.sourceTo)
  const [own, others] = [splitListItems(mine), splitListItems(theirs)]
  if (own.length < 3 || own.join('; ') !== others.join('; ')) return undefined
  if ([...mine, ...claim].some(({ lemma }) => lemma === 'respectively')) return undefined
  if (mine.some(({ kind }) => kind === 'number')) return undefined
  return { kind: 'same', first: mine, second: theirs, changes: open }
}

/** The items between commas and "and" or "or", sorted, with the conjunctions that join them. */
function splitListItems(words: readonly Word[]): string[] {
  const items: string[][] = [[]]
  const joints = new Set<string>()
  for (const { lemma, key, markBefore } of words) {
    const isJoint = lemma === 'and' || lemma === 'or'
    if (isJoint) joints.add(lemma)
    if ((isJoint || markBefore === ',') && items.at(-1)?.length !== 0) items.push([])
    if (!isJoint) items.at(-1)?.push(key)
  }
  return [...items.map((item) => item.join(' ')).sort(), ...joints]
}

/** The same words in another order; an exchange if swapping two pieces is enough. */
function findReordering(
  claim: readonly Word[],
  source: readonly Word[],
  open: readonly Change[],
  explained: readonly Change[],
): OrderChange | undefined {
  const [mine, theirs] = [
    open.flatMap((change) => change.claim),
    open.flatMap((change) => change.source),
  ]
  const voice = findVoiceWords(mine, theirs)
  if (
    mine.length + theirs.length === voice.length ||
    Math.abs(mine.length - theirs.length) !== voice.length
  )
    return undefined
  if (joinSortedKeys(excludeWords(mine, voice)) !== joinSortedKeys(excludeWords(theirs, voice)))
    return undefined
  const left = [...voice, ...explained.flatMap((change) => [...change.claim, ...change.source])]
  const found = findExchangedPieces(excludeWords(claim, left), excludeWords(source, left))
  if (found === undefined) return { kind: 'undecided', first: mine, second: [], changes: open }
  const kind = voice.length > 0 ? 'same' : classifyExchange(found.between, claim)
  return { kind, first: found.first, second: found.second, changes: open }
}

/** The "be" and "by" that only one side has: it is the passive of the other. */
function findVoiceWords(mine: readonly Word[], theirs: readonly Word[]): readonly Word[] {
  const marks = (words: readonly Word[], others: readonly Word[]): Word[] =>
    words.filter(
      ({ lemma }) =>
        (lemma === 'be' || lemma === 'by') && !others.some((other) => other.lemma === lemma),
    )
  return (
    [marks(mine, theirs), marks(theirs, mine)].find((words) => joinSortedKeys(words) === 'be by') ??
    []
  )
}

function excludeWords(words: readonly Word[], left: readonly Word[]): Word[] {
  return words.filter((word) => !left.includes(word))
}

/** Splits "x A y B z" and "x B y A z"; `undefined` if they are not related like that. */
function findExchangedPieces(
  claim: readonly Word[],
  source: readonly Word[],
): { first: readonly Word[]; between: readonly Word[]; second: readonly Word[] } | undefined {
  let from = 0
  while (from < claim.length && claim[from]?.key === source[from]?.key) from++
  let to = claim.length
  while (to > from && claim[to - 1]?.key === source[to - 1]?.key) to--
  if (claim.length !== source.length) return undefined
  for (let last = 1; last < to - from; last++) {
    for (let first = 1; first + last < to - from; first++) {
      const [b, between, a] = [
        claim.slice(from, from + first),
        claim.slice(from + first, to - last),
        claim.slice(to - last, to),
      ]
      const rebuilt = [...a, ...between, ...b]
      if (rebuilt.every((word, index) => word.key === source[from + index]?.key))
        return { first: b, between, second: a }
    }
  }
  return undefined
}

/** "is activated by" for "activates" between the same two things in the same order. */
function findVoiceChange(open: readonly Change[]): OrderChange | undefined {
  const [mine, theirs] = [
    open.flatMap((change) => change.claim),
    open.flatMap((change) => change.source),
  ]
  const isAll = findVoiceWords(mine, theirs).length === mine.length + theirs.length
  return open.length > 0 && isAll
    ? { kind: 'role', first: mine, second: theirs, changes: open }
    : undefined
}

function joinKeys(words: readonly Word[]): string {
  return words.map(({ key }) => key).join(' ')
}

function joinSortedKeys(words: readonly Word[]): string {
  return words
    .map(({ key }) => key)
    .sort()
    .join(' ')
}
