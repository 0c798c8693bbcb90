import { anyOf, byPatterns, byTable, type Rewrite, replaceOne } from './rewriting.ts'
import { formsOf, isPlural } from './verbs.ts'

const quantifier = byPatterns([
  [/\b[Ss]ome of the\b/, 'all of the'],
  [/\b[Ss]ome (?=[a-z]+s\b)(?!hours|days|weeks|months|years|times)/, 'all '],
  [/\b[Mm]any (?=(?:[a-z-]+ )?[a-z]+s\b)(?!years|times)/, 'all '],
  [/\b[Mm]any of the\b/, 'all of the'],
  [/\b[Mm]ost of the\b/, 'all of the'],
  [
    /\b[Mm]ost (?=(?:patients|cases|women|men|children|people|studies|cells|genes|countries|tumors|tumours|participants)\b)/,
    'all ',
  ],
  [/\b[Ss]everal (?=(?:studies|genes|patients|cases|countries|types|forms)\b)/, 'all '],
  [/\b(?:[Tt]he|[Aa]) majority of (?:the )?(?=[a-z]+s\b)/, 'all '],
  [/(?<!more |most |less |[Hh]ow )\boften\b/, 'always'],
  [/(?<!more |most |less |[Hh]ow )\bfrequently\b/, 'always'],
  [/\bsometimes\b/, 'always'],
  [/\busually\b/, 'always'],
  [
    /(?<!more |most |less )\b(?:typically|generally|commonly)(?= (?:[a-z]+ed|[a-z]+s)\b)/,
    'invariably',
  ],
  [/\brarely\b/, 'never'],
  [/\b(?:partially|partly)\b/, 'completely'],
  [/\b(?:nearly|almost) all\b/, 'all'],
  [/\b(?:nearly|almost|approximately|about|around|roughly) (?=\d)/, 'exactly '],
  [/\b(?:at least|more than|up to|over) (?=\d)/, 'exactly '],
  [
    /\ba (?:major|key|main|primary) (cause|determinant|driver|source|regulator|reason)\b/,
    'the only $1',
  ],
  [/\b(?:major|key|main) (causes|determinants|drivers|sources|regulators|reasons)\b/, 'only $1'],
  [/\bslightly\b/, 'greatly'],
  [/\bmodest\b/, 'dramatic'],
  [/\bmoderate(?=ly\b)/, 'extreme'],
])

const certainty = byPatterns([
  [/\b(suggest)(?= that)/, 'prove'],
  [/\b(suggests)(?= that)/, 'proves'],
  [/\b(suggested)(?= that)/, 'proved'],
  [/\bsuggesting(?= that)/, 'proving'],
  [/\b(?:is|was) likely to be\b/, 'is'],
  [/(?<!not )\bappears to be\b/, 'is'],
  [/(?<!not )\bappear to be\b/, 'are'],
  [/\b(is|are|was|were) (?:thought|believed|suspected|hypothesized|considered) to be\b/, '$1'],
  [
    /\bpotential (?=(?:cause|treatment|therapy|biomarker|target|mechanism|role|therapeutic)\b)/,
    'proven ',
  ],
  [/\bpotentially\b/, 'certainly'],
  [/\bprobably\b/, 'certainly'],
  [/\bpossibly\b/, 'certainly'],
  [/\bperhaps\b/, 'certainly'],
  [
    /\b(?:may|might|could)(?= (?:be|have|help|lead|result|contribute|explain|reduce|increase|represent|provide)\b)/,
    'will',
  ],
])

const mayDropped: Rewrite = (sentence, { random }) =>
  replaceOne(sentence, /\b([A-Za-z-]+) (?:may|might) ([a-z]+)\b/, random, (match) => {
    const [, before = '', verb = ''] = match
    if (/^(?:also|not|only|then|never|and|or|still|thus)$/.test(verb)) return undefined
    if (/^(?:that|which|who|and|or|it|this|these|they|we|he|she)$/i.test(before)) {
      if (!/^(?:it|this)$/i.test(before)) return undefined
    }
    if (/\b(?:of|in|and|or|with|for|by|on|to) (?:\S+ ){0,3}$/.test(sentence.slice(0, match.index)))
      return undefined
    const many = isPlural(before)
    if (verb === 'be') return `${before} ${many ? 'are' : 'is'}`
    if (verb === 'have') return `${before} ${many ? 'have' : 'has'}`
    return /ly$/.test(verb) ? undefined : `${before} ${many ? verb : formsOf(verb).present}`
  })

const caused = byPatterns([
  [/\bis (?:significantly |strongly |independently |also )?associated with (?=[a-z])/, 'causes '],
  [/\bwas (?:significantly |strongly |independently |also )?associated with (?=[a-z])/, 'caused '],
  [/\bare (?:significantly |strongly |independently |also )?associated with\b/, 'cause'],
  [/\bwere (?:significantly |strongly |independently |also )?associated with\b/, 'caused'],
  [
    /\b(has|have) been (?:significantly |strongly )?(?:associated with|linked to|implicated in)\b/,
    '$1 been shown to cause',
  ],
  [/\bis (?:significantly |positively |strongly )?correlated with\b/, 'causes'],
  [/\bwas (?:significantly |positively |strongly )?correlated with\b/, 'caused'],
  [/\bare (?:significantly |positively |strongly )?correlated with\b/, 'cause'],
  [/\bcontributes to\b/, 'is the sole cause of'],
  [/\bcontributed to\b/, 'was the sole cause of'],
  [
    /(?<!\b(?:may|might|can|could|will|to|would|not)(?: \w+)? )\bcontribute to\b/,
    'are the sole cause of',
  ],
  [/\brisk factor for\b/, 'direct cause of'],
  [/\brisk factors for\b/, 'direct causes of'],
  [/\bplays an? (?:important |key |critical |major |central )?role in\b/, 'alone determines'],
])

const cause: Rewrite = (sentence, material) =>
  /\bwhether\b|\bnot (?:\w+ )?(?:associated|correlated)/.test(sentence)
    ? undefined
    : caused(sentence, material)

const populations: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    mice: ['humans', 'rats', 'monkeys'],
    mouse: ['human', 'rat', 'zebrafish'],
    murine: ['human'],
    rats: ['humans', 'mice', 'rabbits'],
    rat: ['human', 'rabbit'],
    human: ['mouse', 'rat'],
    humans: ['mice', 'rats'],
    women: ['men'],
    men: ['women'],
    female: ['male'],
    male: ['female'],
    females: ['males'],
    males: ['females'],
    boys: ['girls'],
    girls: ['boys'],
    children: ['adults', 'older people'],
    adults: ['children', 'adolescents'],
    adult: ['juvenile'],
    infants: ['adolescents', 'adults'],
    newborns: ['adolescents'],
    adolescents: ['older adults'],
    elderly: ['young'],
    pediatric: ['adult', 'geriatric'],
    mothers: ['fathers'],
    patients: ['children'],
    nurses: ['surgeons', 'patients'],
    physicians: ['nurses', 'patients'],
    students: ['teachers'],
    'postmenopausal women': ['premenopausal women', 'older men'],
    'pregnant women': ['older women', 'men'],
    'in vivo': ['in vitro'],
    'in vitro': ['in vivo'],
    'type 1 diabetes': ['type 2 diabetes'],
    'type 2 diabetes': ['type 1 diabetes'],
    yeast: ['human'],
    european: ['east asian'],
    rural: ['urban'],
    urban: ['rural'],
    'low-income': ['high-income'],
    'high-income': ['low-income'],
    primates: ['rodents'],
    inpatients: ['outpatients'],
    outpatient: ['inpatient'],
    smokers: ['non-smokers'],
    survivors: ['victims'],
    neonatal: ['adult'],
    maternal: ['paternal'],
  }),
)
const population = byTable(populations)
const scope: Rewrite = (sentence, material) =>
  (/\bpatients\b/i.test(sentence) &&
    /child|p(?:a)?ediatric|infant|neonat|born/i.test(material.source.text)) ||
  /\b(?:human (?:leukocyte|immunodeficiency|papilloma|chorionic|genome)|patients (?:who|were) (?:died|consent)|men and women|women and men|male and female|children and adults|humans and|in vitro and in vivo|in vivo and in vitro)\b/i.test(
    sentence,
  )
    ? undefined
    : population(sentence, material)?.replace('east asian', 'East Asian')

/** Rewrites that say more than the source does, or say it of others. */
export const strengthCorruptions: Readonly<Record<string, Rewrite>> = {
  quantifier,
  hedge: (sentence, material) =>
    /\bwhether\b/.test(sentence) ? undefined : anyOf(certainty, mayDropped)(sentence, material),
  cause,
  scope,
}
