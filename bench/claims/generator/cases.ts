import { nameCorruptions, namePools } from './corrupt-names.ts'
import { numberCorruptions } from './corrupt-numbers.ts'
import { polarityCorruptions } from './corrupt-polarity.ts'
import { roleCorruptions } from './corrupt-roles.ts'
import { strengthCorruptions } from './corrupt-strength.ts'
import { type Half, halfOf, plainSentences, type SourceText } from './documents.ts'
import { formatParaphrases } from './paraphrase-format.ts'
import { orderParaphrases } from './paraphrase-order.ts'
import { wordParaphrases } from './paraphrase-words.ts'
import { randomFrom, shuffled } from './random.ts'
import type { Material, NamePools, Rewrite } from './rewriting.ts'

/** What is true of a claim: `corruption` says something else than its source, `paraphrase` the same, `verbatim` in its words. */
export type Label = 'corruption' | 'paraphrase' | 'verbatim'

/** A sentence and the text that it cites. */
export interface Case {
  readonly label: Label
  readonly kind: string
  readonly claim: string
  /** The sentence of the source that it was made from. */
  readonly original: string
  readonly source: SourceText
}

interface Place {
  readonly sentence: string
  readonly source: SourceText
}

const corruptions: Readonly<Record<string, Rewrite>> = {
  ...numberCorruptions,
  ...nameCorruptions,
  ...polarityCorruptions,
  ...roleCorruptions,
  ...strengthCorruptions,
}

const paraphrases: Readonly<Record<string, Rewrite>> = {
  ...orderParaphrases,
  ...wordParaphrases,
  ...formatParaphrases,
}

/** Two paraphrases of different kinds, one after the other. */
const twice: Rewrite = (sentence, material) => {
  const kinds = shuffled(Object.entries(paraphrases), material.random)
  let written = sentence
  let count = 0
  for (const [, rewrite] of kinds) {
    const next = rewrite(written, material)
    if (next === undefined || next === written) continue
    written = next
    count += 1
    if (count === 2) return written
  }
  return undefined
}

/** A corruption of a sentence that is first written anew in other respects. */
const hidden: Rewrite = (sentence, material) => {
  const { 'clause moved': _moved, voice: _voice, ...light } = paraphrases
  const kinds = shuffled(Object.values(light), material.random)
  const written = kinds.reduce<string | undefined>(
    (known, rewrite) => known ?? rewrite(sentence, material),
    undefined,
  )
  if (written === undefined || written === sentence) return undefined
  const falser = shuffled(Object.values(corruptions), material.random)
  return falser.reduce<string | undefined>(
    (known, rewrite) => known ?? changing(rewrite, written, material),
    undefined,
  )
}

function changing(rewrite: Rewrite, sentence: string, material: Material): string | undefined {
  const written = rewrite(sentence, material)
  return written === sentence ? undefined : written
}

/** How many claims each kind has in each half at most, and how many of one text. */
const perKind = 60
const perText = 2

/**
 * The claims of one half, made from its texts: of each kind up to 60 and no more than 2 of one text, verbatim ones 300.
 * The same seed makes the same claims, and a kind's claims do not depend on the other kinds.
 */
export function casesOf(texts: readonly SourceText[], half: Half, seed: number): Case[] {
  const own = texts.filter((source) => halfOf(source) === half)
  const pools = namePools(texts)
  const places = own.flatMap((source) =>
    plainSentences(source.text).map((sentence) => ({ sentence, source })),
  )
  const make = (label: Label, rewrites: Readonly<Record<string, Rewrite>>): Case[] =>
    Object.entries(rewrites).flatMap(([kind, rewrite]) =>
      casesOfKind({ label, kind, rewrite, pools, places, start: `${seed} ${half} ${kind}` }),
    )
  const verbatim = shuffled(places, randomFrom(`${seed} ${half} verbatim`)).slice(0, 5 * perKind)
  return [
    ...make('corruption', { ...corruptions, 'hidden in a paraphrase': hidden }),
    ...make('paraphrase', { ...paraphrases, 'two of these': twice }),
    ...verbatim.map(
      ({ sentence, source }): Case => ({
        label: 'verbatim',
        kind: 'verbatim',
        claim: sentence,
        original: sentence,
        source,
      }),
    ),
  ]
}

interface Plan {
  readonly label: Label
  readonly kind: string
  readonly rewrite: Rewrite
  readonly pools: NamePools
  readonly places: readonly Place[]
  readonly start: string
}

function casesOfKind({ label, kind, rewrite, pools, places, start }: Plan): Case[] {
  const random = randomFrom(start)
  const cases: Case[] = []
  const used = new Map<string, number>()
  for (const { sentence, source } of shuffled(places, random)) {
    if (cases.length === perKind) break
    if ((used.get(source.id) ?? 0) >= perText) continue
    const claim = rewrite(sentence, { random, source, pools })
    if (claim === undefined || !isNew(claim, sentence, source)) continue
    used.set(source.id, (used.get(source.id) ?? 0) + 1)
    cases.push({ label, kind, claim, original: sentence, source })
  }
  return cases
}

/** Whether the claim differs from its sentence and does not stand elsewhere in the text. */
function isNew(claim: string, sentence: string, { text }: SourceText): boolean {
  return claim !== sentence && !text.includes(claim.slice(0, -1))
}
