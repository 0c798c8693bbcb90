import { areExclusive, narrowsPeople, type Term, termsIn } from '../language/exclusive-terms.ts'
import { areOtherSteps, isCausal, isStronger } from '../language/opposites.ts'
import { dropped, droppedPassive } from '../language/vocabulary.ts'
import type { Word } from '../language/words.ts'
import { type Altered, findPair, isTelling } from './alteration.ts'
import type { Change, Ground } from './differences.ts'

/** One thing for another of its class: "rats" for "mice"; or people narrowed down: "children" for "patients". */
export function termAltered(
  change: Change,
  ground: Ground,
  others: readonly Change[],
): Altered | undefined {
  const [mine, theirs] = [termsIn(change.claim), termsIn(change.source)]
  if (isAllTerms(change.claim, mine) && isAllTerms(change.source, theirs)) {
    for (const one of mine) {
      const other = theirs.find((term) => areExclusive(one, term))
      if (other === undefined || theirs.some((term) => isSameTerm(one, term))) continue
      if (isMoved(one.words, others)) continue
      return { kind: 'term', claim: one.words, source: other.words }
    }
  }
  return peopleNarrowed(change, ground)
}

/** Whether the words that tell something are all part of a term. */
function isAllTerms(words: readonly Word[], terms: readonly Term[]): boolean {
  return words.every((word) => !isTelling(word) || terms.some((term) => term.words.includes(word)))
}

function isSameTerm(one: Term, other: Term): boolean {
  return one.words.map(({ key }) => key).join(' ') === other.words.map(({ key }) => key).join(' ')
}

function isMoved(words: readonly Word[], others: readonly Change[]): boolean {
  return words.every(({ lemma }) =>
    others.some(({ source }) => source.some((other) => other.lemma === lemma)),
  )
}

function peopleNarrowed(change: Change, ground: Ground): Altered | undefined {
  if (change.claim.filter(isTelling).length !== 1 || change.source.filter(isTelling).length !== 1)
    return undefined
  const pair = findPair(change, (mine, theirs) => narrowsPeople(mine.lemma, theirs.lemma))
  const isRead = pair?.claim.some(({ key }) => ground.hasKey(key)) ?? true
  return pair === undefined || isRead ? undefined : { kind: 'term', ...pair }
}

/** More or less, oftener or seldomer, surer than the source; or cause and effect where it has a tie. */
export function strengthAltered(change: Change, others: readonly Change[]): Altered | undefined {
  const { claim, source } = change
  if ([...claim, ...source].some(({ kind }) => kind === 'negator')) return undefined
  const step = findPair(change, (mine, theirs) => areOtherSteps(mine.lemma, theirs.lemma))
  if (step !== undefined && !isMoved(step.claim, others)) return { kind: 'strength', ...step }
  return madeStronger(change) ?? hedgeDropped(change, others)
}

function madeStronger({ claim, source }: Change): Altered | undefined {
  if (claim.some(isHedge)) return undefined
  const pair = findPair({ claim, source }, (mine, theirs) => isStronger(mine.lemma, theirs.lemma))
  if (pair === undefined || source.some(({ lemma }) => isCausal(lemma))) return undefined
  return { kind: 'strength', ...pair }
}

/** "causes" for "may cause", where the claim hedges nowhere else. */
function hedgeDropped(
  { claim, source, next }: Change,
  others: readonly Change[],
): Altered | undefined {
  const rest = source.filter(({ lemma }) => !glue.has(lemma))
  if (claim.some(({ lemma }) => !glue.has(lemma)) || rest.length === 0) return undefined
  const isPassive = source.some(({ lemma }) => lemma === 'to')
  const isAble = next?.lemma === 'be' || source.some(({ lemma }) => lemma === 'be')
  const isDropped = rest.every(
    ({ lemma }) =>
      (lemma === 'could' ? !isAble : dropped.has(lemma)) ||
      (isPassive && droppedPassive.has(lemma)),
  )
  if (!isDropped || others.some((other) => other.claim.some(isHedge))) return undefined
  return { kind: 'strength', claim: [], source }
}

const glue: ReadonlySet<string> = new Set(['be', 'to', 'have'])

function isHedge({ lemma }: Word): boolean {
  return dropped.has(lemma) || droppedPassive.has(lemma) || lemma === 'could' || lemma === 'can'
}
