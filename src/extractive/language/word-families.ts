import { functionWords } from '../../claims/language/function-words.ts'
import { toStem, type Word } from './words.ts'

/** What else says nothing about a subject here: words of requests, rarer function words, what is left of contractions. */
const emptyWords: ReadonlySet<string> = new Set(
  (
    'define describe explain get give know list mean meant name please say show stand stands stood tell want ' +
    'across along among another done every like mine near one ones onto since us d ll m o re s t ve'
  ).split(' '),
)

/** Whether a lower-case word says nothing about a subject. */
export function isEmptyWord(plain: string): boolean {
  return functionWords.has(plain) || emptyWords.has(plain)
}

const toStems = (list: string): readonly string[] => list.split(' ').map(toStem)

/** The stems of the words that say what a text is about: no numbers, function words or words of two letters. */
export function readContentStems(words: readonly Word[]): readonly string[] {
  return words.flatMap(({ plain, stem, isNumber }) =>
    isNumber || isEmptyWord(plain) || plain.length < 3 ? [] : [stem],
  )
}

/** Words of a question that its answer need not contain. */
const weakStems: ReadonlySet<string> = new Set(
  toStems(
    'first today now currently current nowadays modern exactly actually really mainly originally ever yet many much more most ' +
      'less least main called kind type sort thing things example examples according often usually ' +
      'main famous different total overall approximately roughly about around average new old person somebody someone something ' +
      'long ago year date day month time question answer information detail details short brief briefly ' +
      'apart together later earlier role part source sources page pages document documents text article name happen occur ' +
      'take place come become early late entire whole alone simply generally initially finally recently scientist researcher compare provide offer',
  ),
)

/** Whether a word of a question may be missing from an answer. */
export function isWeakStem(stem: string): boolean {
  return weakStems.has(stem)
}

/** Words that may replace each other in an answer. All count the same: the other words of the sentence decide. */
const families: readonly string[] = [
  'invent discover develop devise pioneer originate identify',
  'discover find notice detect identify describe recognise report',
  'play act portray role',
  'make build construct create produce manufacture',
  'write author',
  'died death killed deadly fatal perish murder',
  'born birth',
  'win receive award share earn obtain laureate go',
  'start begin commence origin launch outbreak',
  'end finish stop conclude cease',
  'show prove demonstrate establish confirm evidence',
  'name call term dub known',
  'known famous renowned noted best',
  'coin introduce propose',
  'big large size great huge',
  'small little tiny',
  'fast quick speed velocity rapid rate',
  'locate lie situate',
  'use employ utilise apply application purpose',
  'cause reason lead result produce trigger',
  'contain include comprise hold carry',
  'consist compose comprise form',
  'founded establish create set start',
  'grow increase rise growth',
  'fall decrease decline drop reduce lose loss shrink',
  'move drift shift travel motion',
  'travel move go',
  'long length stretch extend span',
  'tall high height elevation',
  'wide width broad',
  'deep depth',
  'thick thickness',
  'weigh mass heavy',
  'hot temperature warm heat cold',
  'cost price pay sell expensive charge',
  'live inhabit home reside life',
  'protect defend defence immune immunity resist guard shield protection',
  'buy purchase acquire',
  'lead head direct command led leader run chair',
  'marry husband wife spouse',
  'child son daughter',
  'nation country',
  'experiment trial test',
  'paper study article publication',
  'method technique approach procedure way',
  'own belong possess ownership',
  'reject refuse deny oppose',
  'accept approve permit allow approval',
  'sink wreck',
  'take need require last',
  'keep store house hold preserve',
  'publish print appear release',
  'argue claim say state assert think believe',
  'rule decide decision judge ruling',
  'difference differ distinct',
  'part component element',
  'job work occupation profession',
  'study research investigate examine',
  'improve enhance better',
  'damage destroy harm',
  'teach teacher professor',
  'sick illness disease ill',
  'doctor physician',
  'car automobile vehicle',
  'movie film',
  'purpose goal aim objective',
  'result finding outcome',
  'advantage benefit',
  'drawback disadvantage limitation',
  'meaning significance',
  'happen occur place',
  'ocean sea',
  'quantity amount number count',
  'percentage percent per share proportion',
  'founder founded',
  'influenza flu',
  'reach equal correspond amount total make',
  'choose select pick',
  'mg milligram milligramme',
  'kg kilogram kilogramme kilo',
  'km kilometre',
  'cm centimetre',
  'ml millilitre',
  'boss chief head',
]

const familiesByStem: ReadonlyMap<string, readonly ReadonlySet<string>[]> = indexFamilies()

function indexFamilies(): ReadonlyMap<string, readonly ReadonlySet<string>[]> {
  const index = new Map<string, ReadonlySet<string>[]>()
  for (const line of families) {
    const family = new Set(toStems(line))
    for (const stem of family) index.set(stem, [...(index.get(stem) ?? []), family])
  }
  return index
}

/** Words that others may replace, but not vice versa: whoever leads a thing is responsible for it. */
const oneWay: ReadonlyMap<string, readonly string[]> = new Map([
  [toStem('responsible'), toStems('lead led leader manage oversee supervise head direct')],
])

/** All words of the families that a stem is in, for searching. */
export function relatedWords(stem: string): readonly string[] {
  const lists = families.map((line) => line.split(' '))
  return [...new Set(lists.filter((words) => words.some((word) => toStem(word) === stem)).flat())]
}

/** The stems that may replace `stem` in an answer, itself first. */
export function relatedStems(stem: string): ReadonlySet<string> {
  const related = new Set([stem])
  for (const other of oneWay.get(stem) ?? []) related.add(other)
  for (const family of familiesByStem.get(stem) ?? [])
    for (const member of family) related.add(member)
  return related
}
