import { lemma } from './lemma.ts'

const words = (list: string): readonly string[] => list.split(' ').map(lemma)
const wordSet = (list: string): ReadonlySet<string> => new Set(words(list))

/** Words that neither add nor take away meaning where they are put in or left out. */
export const fillers: ReadonlySet<string> = wordSet(
  "a an the this these that those also however moreover furthermore therefore thus hence indeed additionally consequently meanwhile do as-well 's its their our",
)

/** Words that say so little that one more or less of them, or one for another, is no change. */
export const light: ReadonlySet<string> = wordSet('have which who and so but while whereas yet')

/** Words that together may open a sentence ("We found that", "In conclusion,") without saying more. */
export const openers: ReadonlySet<string> = wordSet(
  'we author study trial work paper article report source text document page data result finding experiment analysis ' +
    'investigation show find describe conclude confirm note state here in to of from be have take together conclusion ' +
    'summary short fact addition particular overall finally notably importantly interestingly surprisingly remarkably ' +
    'specifically similarly accord background introduction result method and but then yet so',
)

/** Words that turn a statement round: one more or less of them makes it the opposite. */
export const negators: ReadonlySet<string> = wordSet(
  'not no never neither nor none nothing nobody without fail lack absence absent unable non hardly scarcely barely instead-of',
)

/** Words that limit, weaken or attribute what follows them: a piece cut out after one of them may say something else. */
export const qualifiers: ReadonlySet<string> = wordSet(
  'if unless whether may might could would should can suggest hypothesize hypothesis propose ' +
    'assume believe claim argue allege doubt myth false wrong only except exception probably possibly perhaps likely ' +
    'unlikely apparently seem appear potential potentially suspect think predict expect until unclear ' +
    'question deny refute dispute retract withdraw disprove challenge',
)

/** Words that set what stands before them beside something else. */
export const comparisons: ReadonlySet<string> = wordSet(
  'compared-to compare than more-than less-than vs versus respectively',
)

/** Words that tie two things both ways: changing their places says nothing new. */
export const symmetric: ReadonlySet<string> = wordSet(
  'be and or associate correlate link relate interact similar differ equal between both same with',
)

/** Words that start a phrase of time, place or manner, which may stand first or last in its sentence. */
export const adverbialStarts: ReadonlySet<string> = wordSet(
  'in on at during after before since until by from within over under among for with according when while',
)

/** Words after which a part of a sentence stands by itself, so that the part before it may be used alone. */
export const clauseStarts: ReadonlySet<string> = wordSet(
  'and which who while whereas whose where with',
)

/** Families of words with two poles; a word of one pole for one of the other turns the direction round. */
const poleFamilies: readonly string[] = [
  'increase rise raise elevate augment enhance boost upregulate improve activate stimulate induce promote facilitate ' +
    'accelerate strengthen gain expand lengthen extend widen activation activator stimulation induction promotion ' +
    'improvement elevation upregulation enhancement agonist | decrease reduce decline diminish lower fall drop ' +
    'downregulate worsen inhibit suppress block repress prevent impair attenuate weaken lose loss lessen inactivate ' +
    'abolish shorten shrink narrow decelerate deactivate inhibition inhibitor suppression repression reduction ' +
    'downregulation impairment deterioration antagonist',
  'higher greater more larger bigger longer wider stronger heavier taller upper over above beyond high great large big ' +
    'long wide strong heavy tall | lower lesser less fewer smaller shorter narrower weaker lighter under below low ' +
    'few small short weak light',
  'more-than | less-than',
  'at-least | at-most',
  'before earlier prior precede early older pre | after later following follow late younger newer post',
  'upper | lower',
  'up upward | down downward',
  'north northern northward northwards | south southern southward southwards',
  'east eastern eastward eastwards | west western westward westwards',
  'left | right',
  'inside inner internal intracellular within | outside outer external extracellular',
  'top | bottom',
  'anterior | posterior',
  'proximal | distal',
  'positive positively | negative negatively',
  'fast faster quick quicker rapid rapidly | slow slower slowly',
  'better best | worse worst',
  'most maximum maximal majority | least minimum minimal minority',
  'presence present | absence absent',
  'benefit beneficial advantage | harm harmful disadvantage',
  'success succeed successful | failure fail unsuccessful',
  'accept | reject',
  'support | oppose',
  'win | lose',
  'male man boy | female woman girl',
  'acute | chronic',
  'start begin first | end finish last',
  'hot warm warmer hotter | cold cool cooler colder',
  'import | export',
  'buy | sell',
  'hyper | hypo',
]

/** Words that say the same where a sentence is reworded lightly; the first stands for all. */
const synonymGroups: readonly string[] = (
  'show/demonstrate/reveal find/observe use/utilize/employ begin/start/commence help/aid/assist need/require ' +
  'examine/investigate assess/evaluate build/construct choose/select occur/happen locate/situate get/obtain/receive ' +
  'biggest/largest big/large bigger/larger fast/quick/rapid physician/doctor disease/illness people/person/individual ' +
  'method/technique/approach aim/goal/objective/purpose country/nation about/approximately/roughly/around/circa ' +
  'maybe/perhaps/possibly probably/likely often/frequently usually/generally/normally mainly/mostly/primarily/chiefly ' +
  'nearly/almost quickly/rapidly entire/whole enough/sufficient subject/participant effect/impact gather/collect ' +
  'perform/conduct comprise/consist-of rare/uncommon reach/achieve/attain keep/retain/maintain link/connect via/through ' +
  'identical/same wrong/incorrect each/every many/numerous near/close-to beside/next-to but/yet because/since ' +
  'while/whereas/whilst upon/on toward/towards among/amongst call/name/term we/author/researcher/investigator ' +
  'increase/rise/raise/elevate/augment/boost decrease/reduce/decline/diminish/lessen higher/greater lesser/less ' +
  'child/kid wide/broad substantially/considerably/markedly greatly/strongly essential/vital/crucial ' +
  'additional/further although/though currently/presently previously/formerly purchase/buy attempt/try'
).split(' ')

/** Several words that count as one. */
export const phrases: readonly (readonly [phrase: string, key: string])[] = [
  ['as well as', 'and'],
  ['as well', 'as-well'],
  ['in order to', 'to'],
  ['due to', 'because-of'],
  ['because of', 'because-of'],
  ['owing to', 'because-of'],
  ['a number of', 'several'],
  ['a lot of', 'many'],
  ['compared with', 'compared-to'],
  ['compared to', 'compared-to'],
  ['in comparison with', 'compared-to'],
  ['in comparison to', 'compared-to'],
  ['relative to', 'compared-to'],
  ['more than', 'more-than'],
  ['greater than', 'more-than'],
  ['higher than', 'more-than'],
  ['less than', 'less-than'],
  ['fewer than', 'less-than'],
  ['lower than', 'less-than'],
  ['smaller than', 'less-than'],
  ['instead of', 'instead-of'],
  ['rather than', 'instead-of'],
  ['such as', 'like'],
  ['lead to', 'result-in'],
  ['leads to', 'result-in'],
  ['led to', 'result-in'],
  ['leading to', 'result-in'],
  ['result in', 'result-in'],
  ['results in', 'result-in'],
  ['resulted in', 'result-in'],
  ['resulting in', 'result-in'],
  ['associated with', 'link-to'],
  ['linked to', 'link-to'],
  ['linked with', 'link-to'],
  ['consists of', 'consist-of'],
  ['consisted of', 'consist-of'],
  ['consist of', 'consist-of'],
  ['close to', 'close-to'],
  ['next to', 'next-to'],
  ['work together', 'work-together'],
  ['per cent', '%'],
  ['united states', 'us'],
  ['united kingdom', 'uk'],
]

/** The word that stands for a group of synonyms, by each other word of the group. */
export const synonyms: ReadonlyMap<string, string> = new Map(
  synonymGroups.flatMap((group) => {
    const [first = '', ...others] = group.split('/').map(lemma)
    return others.map((word) => [word, first] as const)
  }),
)

/** For each word that has an opposite: its family and its pole. */
export const poles: ReadonlyMap<
  string,
  readonly { readonly family: number; readonly pole: 0 | 1 }[]
> = polesOf(poleFamilies)

function polesOf(families: readonly string[]): Map<string, { family: number; pole: 0 | 1 }[]> {
  const found = new Map<string, { family: number; pole: 0 | 1 }[]>()
  families.forEach((line, family) => {
    line.split(' | ').forEach((side, pole) => {
      for (const word of words(side)) {
        const entries = found.get(word) ?? []
        entries.push({ family, pole: pole === 0 ? 0 : 1 })
        found.set(word, entries)
      }
    })
  })
  return found
}

/** Words that a sentence shares with any other. */
export const functionWords: ReadonlySet<string> = wordSet(
  'be have of in on at to for from by with as and or but if than then it he she they we i you his her their its our who which ' +
    'what when where while about into over under between among after before during such so not no can could may might ' +
    'will would should there here more most some any all both each other another only',
)
