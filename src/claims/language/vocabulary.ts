import { lemma } from './lemma.ts'

const words = (list: string): readonly string[] => list.split(' ').map(lemma)
const wordSet = (list: string): ReadonlySet<string> => new Set(words(list))

/** Words that do not change the meaning when they are added or left out. */
export const fillers: ReadonlySet<string> = wordSet(
  "a an the this these that those also however moreover furthermore therefore thus hence indeed additionally consequently meanwhile nevertheless nonetheless very actually really quite do as-well 's its their our",
)

/** Fillers that weaken a negation: "not very effective". */
export const intensifiers: ReadonlySet<string> = wordSet('very really quite actually')

/** Words with so little meaning that adding, omitting or exchanging them changes nothing. */
export const lightWords: ReadonlySet<string> = wordSet(
  'have which who and so but while whereas yet of',
)

/** Words that form an opening ("We found that", "In conclusion,") without adding anything. */
export const openers: ReadonlySet<string> = wordSet(
  'we author study trial work paper article report source text document page data result finding experiment analysis ' +
    'investigation show find describe conclude confirm note state here in to of from be have take together conclusion ' +
    'summary short fact addition particular overall finally notably importantly interestingly surprisingly remarkably ' +
    'specifically similarly accord background introduction result method and but then yet so',
)

/** Words that may open a sentence together with a reporting verb: "It was found that", "Research shows that". */
export const reporters: ReadonlySet<string> = wordSet(
  'as it research literature record review survey book entry team scientist publication abstract',
)

/** Verbs that only report a statement. */
export const reportingVerbs: ReadonlySet<string> = wordSet(
  'note report say show find record state describe observe demonstrate reveal document mention write explain conclude point-out',
)

/** Words that reverse a statement: one more or one fewer makes it the opposite. */
export const negators: ReadonlySet<string> = wordSet(
  'not no never neither nor none nothing nobody without fail lack absence absent unable non hardly scarcely barely instead-of',
)

/** Words that limit, weaken or attribute what follows: a piece after one of them may mean something else on its own. */
export const qualifiers: ReadonlySet<string> = wordSet(
  'if unless whether may might could would should can suggest hypothesize hypothesis propose ' +
    'assume believe claim argue allege doubt myth false wrong only except exception probably possibly perhaps likely ' +
    'unlikely apparently seem appear potential potentially suspect think predict expect until unclear ' +
    'question deny refute dispute retract withdraw disprove challenge',
)

/** Words that compare what comes before them with something else. */
export const comparisons: ReadonlySet<string> = wordSet(
  'compared-to compare than more-than less-than vs versus respectively',
)

/** Words for symmetric relations: exchanging both sides changes nothing. */
export const symmetric: ReadonlySet<string> = wordSet(
  'be and or associate correlate link relate interact similar differ equal between both same with',
)

/** Words that start a phrase of time, place or manner, which may come first or last in a sentence. */
export const adverbialStarts: ReadonlySet<string> = wordSet(
  'in on at during after before since until by from within over under among for with according when while',
)

/** Words that start a clause which may come before or after its main clause. */
export const clauseOpeners: ReadonlySet<string> = wordSet(
  'because because-of although though even-though while whereas when whenever if unless once since as after before until despite in-spite-of ' +
    'provided-that in-order-to prior-to',
)

/** Words that start an independent part of a sentence, so that the part before may be used alone. */
export const clauseStarts: ReadonlySet<string> = wordSet(
  'and which who while whereas whose where with',
)

/** Hedges: without them a claim states as certain what its source states as possible. */
export const hedges: ReadonlySet<string> = wordSet(
  'may might appear seem possibly perhaps maybe probably potentially presumably apparently seemingly likely arguably',
)

/** Hedges in the passive before "to": "is thought to". */
export const passiveHedges: ReadonlySet<string> = wordSet(
  'think believe suspect hypothesize presume suppose assume postulate speculate expect allege rumor',
)

/** People without further description. */
export const people: ReadonlySet<string> = wordSet('people person individual')

/** People in a study. */
export const patients: ReadonlySet<string> = wordSet('patient participant subject respondent')

/** Words that refer to something named before. */
export const anaphors: ReadonlySet<string> = new Set(
  (
    'the this that these those such it they he she its their his her him them both each all another other others one same former ' +
    'latter which who we our i you there here'
  ).split(' '),
)

/** Words that may stand for something named before. */
export const generalSubjects: ReadonlySet<string> = wordSet(
  'treatment therapy drug medication intervention patient participant subject animal people individual person company band film ' +
    'album book group team author scientist woman man child city town station disease infection procedure device program',
)

/** Verbs that begin the predicate. */
export const linkVerbs: ReadonlySet<string> = wordSet(
  'be have do can could may might will would shall should must become remain',
)

/** Words for amounts so small that "no" may replace them. */
export const weakQuantifiers: ReadonlySet<string> = wordSet(
  'little few limited insufficient poor weak scarce minimal inconclusive the any a this that these those one',
)
