import { anyOf, byPatterns, byTable, largeStart, type Rewrite } from './rewriting.ts'
import { spellings, synonyms } from './synonyms.ts'

const fixed =
  /\b(?:while on|used to|as well as in|related to|no novel|major depressive|novel by|novels?|(?:a|the|his|her|first|second|this) novel|as many as|not (?:sufficient|necessary)|around the|might have|United|children's|a while)\b/
const exchanged = byTable(synonyms)
const synonym: Rewrite = (sentence, material) =>
  fixed.test(sentence) || (material.source.set === 'HotpotQA' && /performed|novel/i.test(sentence))
    ? undefined
    : exchanged(sentence, material)

/** Two or three words exchanged. */
const severalSynonyms: Rewrite = (sentence, material) => {
  const first = synonym(sentence, material)
  const second = first === undefined ? undefined : synonym(first, material)
  if (second === undefined || second === sentence) return undefined
  const third = synonym(second, material)
  return third === undefined || third === sentence || third === first ? second : third
}

const contraction = byPatterns([
  [/\b(is|are|was|were|has|have|had|did|does|do|could|would|should) not\b/, "$1n't"],
  [/\bcannot\b/, "can't"],
  [/\bwill not\b/, "won't"],
  [
    /(?<=^|[a-z] )([Ii]t|[Tt]hat|[Tt]here|[Hh]e|[Ss]he) (?:is)(?= (?:a|an|the|not|no|[a-z]+ed)\b)/,
    "$1's",
  ],
  [/\b([Tt]hey|[Ww]e) have(?= [a-z]+(?:ed|en|wn|nd)\b)/, "$1've"],
  [/\b([Tt]hey|[Ww]e) are\b/, "$1're"],
])

const spelling = byTable(
  new Map(
    spellings.flatMap(([american, british]) => [
      [american, [british]],
      [british, [american]],
    ]),
  ),
)

const weightless =
  'also|thus|therefore|hence|furthermore|moreover|indeed|interestingly|importantly|notably|additionally|herein|consequently|accordingly|similarly|further'
const adverb = anyOf(
  (sentence) => {
    const dropped = sentence.replace(
      new RegExp(
        `^(?:${weightless}|here|finally|in addition|in fact|of note|collectively|together|overall|taken together|in conclusion|in summary|in this study|strikingly|remarkably|surprisingly|however|in turn), `,
        'i',
      ),
      '',
    )
    return dropped === sentence ? undefined : largeStart(dropped)
  },
  byPatterns([
    [/(?<=[a-z]) (?:also|thus|therefore|indeed|herein) (?=[a-z])(?!as\b|and\b|in\b)/, ' '],
    [/, (?:however|therefore|thus|moreover|indeed|in turn|for example),/, ''],
    [/\b(?:very|quite|actually|in fact) (?=[a-z])/, ''],
  ]),
)

const phrase = '(?:the |a |an )?[a-z0-9A-Zα-ω/+-]+(?: [a-z0-9A-Zα-ω/+-]+){0,3}'
const nominal = byPatterns([
  [/\b[Ww]e (?:also )?(?:analyzed|analysed) (?=the|data)/, 'we carried out an analysis of '],
  [
    /(?<!(?:aim|aims|aimed|was|is|were|sought|wanted|us|able|designed) )\bto (?:assess|evaluate) (?=the (?:effects?|role|efficacy|safety|impact|association|relationship|risk)\b)/,
    'for an assessment of ',
  ],
  [/(?<=\b(?:by|through|in|to|for|of) )the use of (?=[a-z])(?!the\b|th)/, 'using '],
  [/\bresulted in (?:a|an) (?:reduction|decrease) (?:in|of) (?=[a-z])/, 'reduced '],
  [/\bresults in (?:a|an) (?:reduction|decrease) (?:in|of) (?=[a-z])/, 'reduces '],
  [/\bresulted in (?:a|an) increase (?:in|of) (?=[a-z])/, 'increased '],
  [/\b(?:led to|caused) (?:a|an) (?:reduction|decrease) in (?=[a-z])/, 'reduced '],
  [/\bled to increased (?=[a-z])/, 'increased '],
  [/\bresulted in (increased|reduced|decreased|enhanced|impaired) (?=[a-z])/, '$1 '],
  [
    /\bresulted in (?:a )?significant(?:ly)? (?:reduced|reduction in|decrease in) (?=[a-z])/,
    'significantly reduced ',
  ],
  [/\bis an? inhibitor of (?=[A-Za-z])/, 'inhibits '],
  [/\bis a regulator of (?=[A-Za-z])/, 'regulates '],
  [/\bfor the treatment of (?=[a-z])/, 'for treating '],
  [/\bfor the detection of (?=[a-z])/, 'for detecting '],
  [/\bfor the prevention of (?=[a-z])/, 'for preventing '],
  [/\bin the treatment of (?=[a-z])/, 'in treating '],
  [/\bto treat (?=[a-z])/, 'for the treatment of '],
  [/\bto prevent (?=[a-z])/, 'for the prevention of '],
  [/\bby the inhibition of (?=[a-zA-Z])/, 'by inhibiting '],
  [/\bthrough inhibition of (?=[a-zA-Z])/, 'by inhibiting '],
  [/\bby inhibiting (?=[a-zA-Z])/, 'through inhibition of '],
  [/\bby activating (?=[a-zA-Z])/, 'through activation of '],
  [/\bby reducing (?=[a-z])/, 'through a reduction of '],
  [/\b(is|are) required for (?:the )?(?=[a-z]+(?:tion|ment|sis)\b)/, '$1 needed for '],
  [new RegExp(`\\bthe risk of developing (?=${phrase})`), 'the risk of '],
])

/** Rewrites that leave what a sentence says as it is and change single words. */
export const wordParaphrases: Readonly<Record<string, Rewrite>> = {
  synonym,
  'several synonyms': severalSynonyms,
  contraction,
  spelling,
  'dropped adverb': adverb,
  nominalisation: nominal,
}
