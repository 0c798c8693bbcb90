import { lemma } from './lemma.ts'

/** Opposites: each line is a family, its sides are separated by "|"; a word of another side reverses a statement. */
const opposites: readonly string[] = [
  'increase rise raise elevate augment enhance boost upregulate improve activate stimulate induce promote facilitate ' +
    'accelerate strengthen gain expand lengthen extend widen activation activator stimulation induction promotion ' +
    'improvement elevation upregulation enhancement agonist amplify potentiate intensify ' +
    'maximize enlarge heighten | decrease reduce decline diminish lower fall drop ' +
    'downregulate worsen inhibit suppress block repress prevent impair attenuate weaken lose loss lessen inactivate ' +
    'abolish shorten shrink narrow decelerate deactivate inhibition inhibitor suppression repression reduction ' +
    'downregulation impairment deterioration antagonist dampen hinder impede hamper minimize deteriorate aggravate ' +
    'exacerbate curtail',
  'higher greater more larger bigger longer wider stronger heavier taller upper over above beyond high great large big ' +
    'long wide strong heavy tall highest greatest largest biggest longest widest strongest heaviest tallest | lower lesser ' +
    'less fewer smaller shorter narrower weaker lighter under below low few small short weak light lowest smallest ' +
    'shortest narrowest weakest lightest fewest',
  'more-than | less-than',
  'at-least | at-most',
  'before earlier prior precede early older pre | after later following follow late younger newer post',
  'earliest oldest | latest youngest newest',
  'old | young new',
  'upper | lower',
  'up upward | down downward',
  'north northern northward northwards | south southern southward southwards | east eastern | west western',
  'east eastern eastward eastwards | west western westward westwards',
  'left | right',
  'inside inner internal intracellular within endogenous | outside outer external extracellular exogenous',
  'top | bottom',
  'front anterior ventral | back rear posterior dorsal',
  'proximal | distal',
  'medial | lateral',
  'horizontal horizontally | vertical vertically',
  'positive positively | negative negatively',
  'fast faster fastest quick quicker rapid rapidly | slow slower slowest slowly',
  'better best | worse worst',
  'good well | bad badly poor poorly not-well',
  'clear | unclear not-clear',
  'known | unknown not-known',
  'enough sufficient | insufficient not-enough',
  'most maximum maximal majority | least minimum minimal minority',
  'presence present | absence absent',
  'benefit beneficial advantage | harm harmful disadvantage',
  'success succeed successful manage | failure fail unsuccessful',
  'accept approve | reject refuse decline',
  'support favor | oppose',
  'win winner victory | lose loser defeat',
  'male man boy | female woman girl',
  'mother maternal | father paternal',
  'son | daughter',
  'brother | sister',
  'husband | wife widow',
  'uncle nephew | aunt niece',
  'king prince | queen princess',
  'acute | chronic',
  'start begin first open | end finish last close',
  'hot warm warmer hotter heat | cold cool cooler colder',
  'import | export',
  'buy purchase | sell',
  'birth | death',
  'survive survivor live alive | die dead nonsurvivor',
  'frequent frequently common commonly usual usually often widespread prevalent abundant | rare rarely uncommon ' +
    'uncommonly infrequent infrequently seldom unusual scarce',
  'similar similarly alike same identical equal | different differently dissimilar distinct',
  'primary | secondary | tertiary',
  'founded establish create form | dissolve abolish disband destroy',
  'build construct erect | demolish destroy dismantle',
  'allow permit enable | forbid prohibit ban prevent',
  'include | exclude',
  'add | remove subtract',
  'attach bind | detach dissociate',
  'join enter arrive | leave exit depart',
  'appear emerge | disappear vanish',
  'agree | disagree',
  'marry | divorce',
  'hire employ appoint | dismiss fire',
  'ascend climb | descend',
  'freeze | thaw melt',
  'push | pull',
  'true correct right accurate | false incorrect wrong inaccurate',
  'safe safely harmless | unsafe dangerous toxic harmful',
  'healthy | sick ill diseased unhealthy',
  'rich wealthy | poor',
  'cheap inexpensive | expensive costly',
  'easy easily simple simply | difficult hard complex complicated',
  'deep deeper | shallow shallower',
  'thick thicker | thin thinner',
  'hard | soft',
  'wet moist | dry',
  'bright | dark',
  'full | empty',
  'benign | malignant',
  'local locally | systemic systemically global globally',
  'dominant | recessive',
  'active actively | passive passively inactive',
  'natural naturally | artificial artificially synthetic',
  'qualitative | quantitative',
  'theoretical | empirical experimental',
  'domestic | foreign',
  'public | private',
  'rural | urban',
  'winter | summer',
  'day daytime | night nighttime',
  'morning | evening afternoon',
  'ancient | modern contemporary',
  'former past previous | current present future',
  'temporary temporarily transient | permanent permanently',
  'major | minor',
  'single | multiple several',
  'simultaneous simultaneously concurrent | successive successively sequential sequentially',
  'systolic | diastolic',
  'afferent | efferent',
  'input | output',
  'donor | recipient',
  'host | parasite guest',
  'predator | prey',
  'victim | perpetrator offender',
  'plaintiff | defendant',
  'buyer customer | seller vendor',
  'employer | employee',
  'creditor | debtor',
  'parent | child offspring',
  'attack | defend',
  'offensive | defensive',
  'optimistic | pessimistic',
  'voluntary voluntarily | compulsory mandatory',
  'wild-type | mutant',
  'absorb | emit release',
  'attract | repel',
  'amateur | professional',
  'arrival | departure',
  'advance | retreat',
  'broad | narrow',
  'clean | dirty',
  'comedy comic | tragedy tragic',
  'condense | evaporate',
  'conscious | unconscious',
  'converge convergent | diverge divergent',
  'dilate dilation | constrict constriction',
  'deficit deficiency shortage | surplus excess',
  'supply | demand',
  'even | odd',
  'inhale | exhale',
  'explicit explicitly | implicit implicitly',
  'fertile | infertile sterile',
  'flexible | rigid stiff',
  'forward | backward backwards',
  'friend ally | enemy',
  'guilty | innocent',
  'hero heroine | villain',
  'hydrophilic | hydrophobic',
  'landlord | tenant',
  'leader | follower',
  'liberal | conservative',
  'loose | tight',
  'loud | quiet silent',
  'love | hate dislike',
  'peace | war',
  'peak | trough',
  'singular | plural',
  'praise | criticize',
  'progress | regress',
  'regular | irregular',
  'reward | punish punishment',
  'rough | smooth',
  'sharp | blunt',
  'float | sink',
  'straight | curved',
  'strict | lenient',
  'sweet | bitter sour',
  'transparent | opaque',
  'vacant | occupied',
  'visible | invisible',
  'wild | tame',
  'sensitive susceptible | resistant insensitive',
  'sensitivity | specificity',
  'sensitivity susceptibility | resistance',
  'remission | relapse',
  'onset | offset',
  'recover | relapse',
  'ingest | excrete',
  'diurnal | nocturnal',
  'upstream | downstream',
  'inpatient | outpatient',
  'indoor indoors | outdoor outdoors',
  'majority | minority',
  'plus | minus',
  'profit gain | loss',
  'rise | fall',
  'import importer | export exporter',
  'parallel | perpendicular',
  'random randomly | systematic systematically',
  'unilateral | bilateral',
  'strength | weakness',
  'ugly | beautiful',
  'happy | sad unhappy',
  'optimal | suboptimal',
  'normal | abnormal',
  'symptomatic | asymptomatic',
  'typical | atypical',
  'fasting | fed',
  'pass | fail',
  'saturated | unsaturated',
  'convex | concave',
  'solid | liquid | gas gaseous',
  'acid acidic | alkaline',
]

/** Prefixes that reverse a word: "hyper-" and "hypo-". */
const prefixPairs: readonly (readonly [string, string])[] = [
  ['hyper', 'hypo'],
  ['homo', 'hetero'],
  ['intra', 'extra'],
  ['inter', 'intra'],
  ['pre', 'post'],
  ['pro', 'anti'],
  ['over', 'under'],
  ['macro', 'micro'],
  ['mono', 'poly'],
  ['uni', 'multi'],
  ['uni', 'bi'],
  ['mono', 'bi'],
  ['endo', 'exo'],
  ['endo', 'ecto'],
  ['up', 'down'],
  ['in', 'out'],
  ['maxi', 'mini'],
  ['eu', 'dys'],
  ['tachy', 'brady'],
  ['supra', 'sub'],
]

/** Words of degree: each line is a scale, its steps are separated by "|"; another step means more or less. */
const scales: readonly string[] = [
  'all every each everyone everybody everything | most majority | many numerous | some several | few',
  'whole entire | part half portion',
  'always invariably constantly | usually generally normally typically often frequently commonly regularly mostly | ' +
    'sometimes occasionally | rarely seldom infrequently',
  'completely fully entirely totally wholly exclusively absolutely | largely mostly mainly predominantly primarily chiefly | ' +
    'partially partly incompletely somewhat',
  'complete full total | partial incomplete',
  'exactly precisely | about approximately roughly around circa almost nearly | more-than over at-least | ' +
    'less-than under at-most up-to',
  'slightly slight modestly modest mildly mild marginally marginal minimally minimal weakly weak barely | moderately moderate | ' +
    'greatly great strongly strong substantially substantial considerably considerable markedly marked dramatically dramatic ' +
    'extremely extreme hugely vastly sharply profoundly profound severely severe enormously highly massively massive',
  'only sole solely exclusive exclusively | main mainly major primary primarily key chief chiefly principal leading important',
  'once | twice | thrice',
  'double twofold | triple threefold | quadruple fourfold',
  'half | quarter',
  'hundred | thousand | million | billion | trillion',
  'annual annually yearly | monthly | weekly | daily | hourly',
]

/** Strengthenings that a claim must not make: the weaker words, then the stronger ones. */
const strengthenings: readonly string[] = [
  'may might could | will shall must',
  'suggest imply hint propose hypothesize speculate suspect assume believe think presume postulate | prove confirm establish verify',
  'possibly perhaps maybe potentially probably likely presumably apparently seemingly arguably supposedly allegedly | ' +
    'certainly definitely undoubtedly surely unquestionably inevitably',
  'potential possible probable putative presumed suspect likely plausible alleged suppose | proven prove certain definite confirm ' +
    'establish undisputed',
  'suggestion hint evidence | proof',
  'hypothesis theory assumption | fact',
]

/** Words for a correlation, which need not be cause and effect. */
const tieWords =
  'associate association correlate correlation link link-to relate relation relationship implicate predict predictor contribute ' +
  'contributor contribution role factor marker accompany coincide'
/** Words for cause and effect. */
const causeWords = 'cause causal causally determine because-of result-in'

/** A word's family and its side in it. */
export interface Side {
  readonly family: number
  readonly side: number
}

type Sides = ReadonlyMap<string, readonly Side[]>

/** The families and sides of each lemma that has an opposite. */
const oppositeSides = indexSides(opposites)
const scaleSides = indexSides(scales)
const strengthSides = indexSides([...strengthenings, `${tieWords} | ${causeWords}`])

/** Indexes `lines` by lemma: a line is a family, its sides are separated by " | ", their words by spaces. */
function indexSides(lines: readonly string[]): Sides {
  const found = new Map<string, Side[]>()
  for (const [family, line] of lines.entries()) {
    for (const [side, members] of line.split(' | ').entries()) {
      for (const word of members.split(' ')) {
        const key = lemma(word)
        found.set(key, [...(found.get(key) ?? []), { family, side }])
      }
    }
  }
  return found
}

function areOnOtherSides(sides: Sides, one: string, other: string): boolean {
  const theirs = sides.get(other)
  if (theirs === undefined) return false
  const mine = sides.get(one) ?? []
  const isShared = mine.some((a) => theirs.some((b) => a.family === b.family && a.side === b.side))
  return (
    !isShared && mine.some((a) => theirs.some((b) => a.family === b.family && a.side !== b.side))
  )
}

/** Whether two lemmas are opposites: "north" and "south", "hypertension" and "hypotension". */
export function areOpposite(one: string, other: string): boolean {
  return areOnOtherSides(oppositeSides, one, other) || differInPrefix(one, other)
}

function differInPrefix(one: string, other: string): boolean {
  return prefixPairs.some(
    ([a, b]) => isExchanged(one, other, a, b) || isExchanged(one, other, b, a),
  )
}

function isExchanged(one: string, other: string, a: string, b: string): boolean {
  return (
    one.startsWith(a) &&
    other.startsWith(b) &&
    one.length - a.length >= 4 &&
    one.slice(a.length) === other.slice(b.length)
  )
}

/** Whether two lemmas are different steps of one scale: "all" and "most". */
export function areDifferentDegrees(one: string, other: string): boolean {
  return areOnOtherSides(scaleSides, one, other)
}

/** Whether `claim` states as certain what `source` states as possible, or as a cause what `source` calls a correlation. */
export function isStronger(claim: string, source: string): boolean {
  const weak = strengthSides.get(source) ?? []
  return (strengthSides.get(claim) ?? []).some(
    ({ family, side }) =>
      side === 1 && weak.some((other) => other.family === family && other.side === 0),
  )
}

/** Whether a lemma is a word for cause and effect. */
export function isCausal(word: string): boolean {
  return causes.has(word)
}

const causes: ReadonlySet<string> = new Set(causeWords.split(' ').map(lemma))
