import { activeSides, passiveSides, placed } from './corrupt-roles.ts'
import { pick } from './random.ts'
import { anyOf, byPatterns, largeStart, type Rewrite, smallStart } from './rewriting.ts'
import { isPlural, oneSidedParticiple, oneSidedVerb } from './verbs.ts'

const openings = [
  'The authors report that',
  'According to the study,',
  'The study found that',
  'It was found that',
  'The paper states that',
  'As the authors note,',
  'One study reports that',
  'Research shows that',
]
const pageOpenings = [
  'According to the article,',
  'As the source says,',
  'It is recorded that',
  'The article says that',
]

const opened: Rewrite = (sentence, material) => {
  if (
    /\b(?:[Ww]e|[Oo]ur)\b|^(?:However|Moreover|Furthermore|Thus|Therefore|Hence|Here|In addition|In contrast|Interestingly|Finally|Additionally|Also|Importantly|Methods|Further|These|This study|The (?:present )?study|The aim|The purpose|But|And|So|Yet|Or|Results|Background)\b/.test(
      sentence,
    )
  )
    return undefined
  const small = smallStart(sentence, material)
  const name = /^(?:[A-Z][\w-]*[A-Z0-9][\w-]*|[A-Z][a-z]+ [A-Z][a-z]+)\b/.test(sentence)
  const opening = pick(
    material.source.set === 'HotpotQA' ? pageOpenings : openings,
    material.random,
  )
  if (small === undefined && !name) return undefined
  return `${opening} ${small ?? sentence}`
}

const stripped: Rewrite = (sentence) => {
  const bare = sentence.replace(
    /^(?:Here,? |In this study,? |In addition, |Furthermore, |Moreover, |Finally, )?(?:[Ww]e (?:also )?(?:found|show|showed|report|demonstrate|demonstrated|observed|find)|(?:The|These|Our) (?:results|data|findings) (?:show|showed|demonstrate)|It (?:was|is) (?:found|known)) that /,
    '',
  )
  return bare === sentence || /\b(?:we|our)\b/.test(bare) ? undefined : largeStart(bare)
}

const thirdPerson: Rewrite = (sentence) => {
  if (
    !/^(?:Here,? |In this study, |In addition, )?[Ww]e\b/.test(sentence) ||
    /\bus\b/.test(sentence)
  )
    return undefined
  return sentence
    .replace(/^((?:Here|In this study|In addition),? )?[Ww]e\b/, (_, lead: string = '') =>
      lead === '' ? 'The authors' : `${lead}the authors`,
    )
    .replace(/\bwe\b/g, 'they')
    .replace(/\bour\b/g, 'their')
}

/** Nouns that what follows "in" belongs to. */
const relational =
  /\b(?:increases?|decreases?|reductions?|changes?|improvements?|loss|declines?|difference|defects?)$/

/** Whether what follows a sentence's object may stay where it is when object and subject change places. */
function isSimpleEnd(after: string): boolean {
  return (
    /^(?:\.$| (?:in|during|at|within|under) )/.test(after) &&
    !/\b(?:while|thereby|itself|themselves)\b|, \w+ing\b|\b(?:by|through|via) \w+ing\b|\band (?:\w+ly )?\w+(?:s|ed)\b/.test(
      after,
    )
  )
}

const toPassive: Rewrite = (sentence, material) => {
  const sides = activeSides(sentence)
  const forms = sides === undefined ? undefined : oneSidedVerb(sides.verb)
  if (sides === undefined || forms === undefined) return undefined
  const { before, subject, verb, object, after } = sides
  const isPast = verb === forms.past
  const be = isPlural(object) ? (isPast ? 'were' : 'are') : isPast ? 'was' : 'is'
  if (!isSimpleEnd(after) || /\b(?:its|their|his|her)\b/i.test(object)) return undefined
  if (/^ in\b/.test(after) && relational.test(object)) return undefined
  return `${before}${placed(before, object, material)} ${be} ${forms.participle} by ${smallStart(subject, material) ?? subject}${after}`
}

const toActive: Rewrite = (sentence, material) => {
  const sides = passiveSides(sentence)
  const forms = sides === undefined ? undefined : oneSidedParticiple(sides.verb)
  if (sides === undefined || forms === undefined || !isSimpleEnd(sides.after)) return undefined
  const { before, subject, be, object, after } = sides
  const isPast = be === 'was' || be === 'were'
  const verb = isPast ? forms.past : isPlural(object) ? forms.base : forms.present
  const agent = placed(before, object, material)
  return `${before}${agent} ${verb} ${smallStart(subject, material) ?? subject}${after}`
}

const finite = /\b(?:is|are|was|were|has|have|had|did|does|can|could|[a-z]+ed)\b/
const clauseToFront: Rewrite = (sentence, material) => {
  const match =
    /^([^,;()]+) ((?:when|because|although|if|during|after|before) [^,;()]{8,}|in (?:mice|rats|humans|vivo|vitro|patients with [a-z ]{4,25}|[12]\d{3}))\.$/.exec(
      sentence,
    )
  const [, main = '', clause = ''] = match ?? []
  if (match === null || main.split(' ').length < 4 || /^\d/.test(main)) return undefined
  if (/\bfrom\b.*\bto\b/.test(clause)) return undefined
  if (/^(?:when|because|although|if) /.test(clause) !== finite.test(clause)) return undefined
  if (/\b(?:shortly|soon|even|only|years|months|days|weeks|hours|just|long)$/.test(main))
    return undefined
  if (
    /\b(?:that|which|who|whether|to|and|or|but|since|until|from|between|after|before|during|where|than|how)\b/.test(
      main,
    )
  )
    return undefined
  const small = smallStart(main, material)
  if (small === undefined && !/^[A-Z]\w*[A-Z0-9]|^[A-Z][a-z]+ [A-Z]/.test(main)) return undefined
  return `${largeStart(clause)}, ${small ?? main}.`
}

const clauseToEnd: Rewrite = (sentence, material) => {
  const match =
    /^((?:When|After|Because|Although|During|In|At|By|On|Among|For|Since) [^,;()]{3,60}), ([^,;():]{20,140})\.$/.exec(
      sentence,
    )
  const [, clause = '', main = ''] = match ?? []
  const small = smallStart(clause, material)
  if (match === null || small === undefined) return undefined
  if (
    /^In (?:contrast|addition|particular|fact|turn|conclusion|summary|general|comparison|short|this|order|parallel)|^(?:By|In) [a-z]+ing|^At the same time|^For (?:example|instance)|^By contrast|\d$/.test(
      clause,
    )
  )
    return undefined
  if (main.split(' ').length > 16 || /^\d|\b(?:where|than|compared|\w+ing)\b/.test(main))
    return undefined
  if (
    /^(?:the (?:former|latter)|it|they|he|she|we)\b|\b(?:that|which|who|whether|but|while|and|or|to)\b/.test(
      main,
    )
  )
    return undefined
  return `${largeStart(main)} ${small}.`
}

const item = '[A-Za-z0-9α-ω-]+(?: [A-Za-z0-9α-ω-]+)?'
const listReordered: Rewrite = (sentence) => {
  if (/respectively|\bfollowed by\b|\bthen\b|\bfirst\b/.test(sentence)) return undefined
  const pattern = new RegExp(
    `\\b(?:such as|including|like) (${item}), (${item}),? and (${item})(?=[.;]|, )`,
    'u',
  )
  const match = pattern.exec(sentence)
  const [all = '', one = '', two = '', three = ''] = match ?? []
  if (
    match === null ||
    [one, two, three].some((part) =>
      /\b(?:the|a|an|of|in|\d+|than|with|their|its|and|or)\b/.test(part),
    )
  )
    return undefined
  if (/ /.test(three) && !(/ /.test(one) && / /.test(two))) return undefined
  const lead = all.slice(0, all.indexOf(one))
  return `${sentence.slice(0, match.index)}${lead}${three}, ${one} and ${two}${sentence.slice(match.index + all.length)}`
}

const people =
  'patients|women|men|children|people|participants|subjects|individuals|mice|rats|animals|cells|infants|adults|persons|proteins|genes|those|students|studies'
const whichClauses = byPatterns([
  [
    new RegExp(
      `\\b(${people}) (?:who|which|that) (?:were|are|was|is|had been) (?=(?:[a-z]+ed|taken|given|born|shown|known) (?:with|in|to|by|for|at|as|from)\\b)`,
    ),
    '$1 ',
  ],
  [new RegExp(`\\b(${people}) lacking\\b`), '$1 that lack'],
  [new RegExp(`\\b(${people}) expressing\\b`), '$1 that express'],
  [new RegExp(`\\b(${people}) carrying\\b`), '$1 that carry'],
  [
    new RegExp(
      `\\b(${people}) with (?=diabetes|cancer|HIV|hypertension|asthma|obesity|depression)`,
    ),
    '$1 who have ',
  ],
  [
    new RegExp(`\\b(${people}) without (?=diabetes|cancer|HIV|hypertension|asthma|depression)`),
    '$1 who do not have ',
  ],
  [
    new RegExp(
      `\\b(${people}) who (?:have|had) (?!not\\b|been\\b|a\\b|[a-z]+(?:ed|en|one|own|de|ft|st)\\b)(?=[a-z])`,
    ),
    '$1 with ',
  ],
  [
    new RegExp(
      `\\b(${people}) (?=(?:treated|infected|diagnosed|enrolled|hospitalized|included|born|exposed) (?:with|in|to|at|by)\\b)`,
    ),
    '$1 that were ',
  ],
  [/, which (?:is|are|was|were) (?=(?:an?|the) [^,]+(?:,|\.$))/, ', '],
  [
    /, (?=an? [a-z]+ (?:of|that|for|in|involved) [^,]{4,50}, (?:is|was|has|can|plays)\b)/,
    ', which is ',
  ],
  [
    /\bis an? ([A-Za-z]+) (?:film|band|singer|actor|actress|author|album) that was (?=directed|released|written|produced)/,
    'is a $1 work ',
  ],
])

/** Rewrites that leave what a sentence says as it is and change its build. */
export const orderParaphrases: Readonly<Record<string, Rewrite>> = {
  'opening added': opened,
  'opening dropped': stripped,
  'third person': thirdPerson,
  voice: anyOf(toPassive, toActive),
  'clause moved': anyOf(clauseToFront, clauseToEnd),
  'list reordered': listReordered,
  'which-clause': whichClauses,
}
