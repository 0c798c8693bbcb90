import { antonyms } from './antonyms.ts'
import { anyOf, byPatterns, byTable, type Rewrite, replaceOne } from './rewriting.ts'
import { formsOf } from './verbs.ts'

/** Sentences in which a "not" more changes nothing, or in which it is no statement. */
const open =
  /\b(?:[Ww]hether|[Ii]f|[Aa]im(?:s|ed)?|[Oo]bjective|[Pp]urpose|[Hh]ypothes\w+|to (?:determine|assess|evaluate|investigate|examine|test|explore|identify))\b/

const notAdded: Rewrite = (sentence, { random }) =>
  open.test(sentence) || /\b(?:no|not|neither|nor|none|without|cannot)\b/i.test(sentence)
    ? undefined
    : replaceOne(
        sentence,
        /\b(?:is|are|was|were|can|could|should|will|would)\b(?= (?:[a-z]+ed|[a-z]+en|be|a|an|the|in|significantly|associated|able|necessary|sufficient|essential|higher|lower|effective|present|found|shown|seen|known|born|made)\b)|\b(?:has|have|had)\b(?= been\b)/,
        random,
        ({ 0: verb, index }) =>
          /\b(?:no|not|neither|nor|there|hardly|little|few|only|that|which|who)\b[^,]*$/i.test(
            sentence.slice(0, index),
          )
            ? undefined
            : `${verb} not`,
      )

const base = `reduce increase decrease inhibit induce promote suppress improve activate enhance prevent cause affect
  require regulate impair attenuate predict mediate support alter stimulate block delay confirm abolish restore
  enable produce receive win include contain`
const verbs = base.split(/\s+/).map(formsOf)
const after = '(?= (?:the|its|their|an?|both|all|these|this)\\b)'

const verbDenied: Rewrite = (sentence, { random }) => {
  if (open.test(sentence)) return undefined
  const pattern = new RegExp(
    `(?<= )(${verbs.flatMap(({ past, present }) => [past, present]).join('|')})${after}`,
  )
  return replaceOne(sentence, pattern, random, (match) => {
    const before = sentence.slice(0, match.index).trimEnd()
    if (
      /\b(?:is|are|was|were|be|been|being|have|has|had|by|and|or|not|to|that|which|who|\w+ly|[,;])$|[,;]$/.test(
        before,
      ) ||
      /\b(?:no|not|neither|nor)\b/.test(sentence)
    )
      return undefined
    const verb = verbs.find(({ past, present }) => past === match[0] || present === match[0])
    if (verb === undefined) return undefined
    if (match[0] === verb.present) return `does not ${verb.base}`
    return random() < 0.5 ? `did not ${verb.base}` : `failed to ${verb.base}`
  })
}

const notRemoved: Rewrite = (sentence, material) =>
  /\bwhether\b|\bnot only\b/i.test(sentence) ? undefined : removals(sentence, material)

const removals = byPatterns([
  [
    /\b(is|are|was|were|has|have|had|can|could|did|do|does|will|would|should|may) not(?! (?:only|all|just|necessarily))\b/,
    '$1',
  ],
  [/\bcannot\b/, 'can'],
  [
    /\bno (significant|statistically significant|clear|major) (difference|effect|association|correlation|change|increase|relationship)(?!s)/,
    'a $1 $2',
  ],
  [
    /\bno (significant|statistically significant|clear|major) (differences|effects|associations|correlations|changes)/,
    '$1 $2',
  ],
  [/\bno (effect|impact|influence) on/, 'a marked $1 on'],
  [/\b(is|was) no evidence (that|of|for)/, '$1 strong evidence $2'],
  [/\bno evidence (that|of|for)/, 'strong evidence $1'],
  [/\bfailed to\b/, 'managed to'],
  [/\bfail to\b/, 'manage to'],
  [/\bunable to\b/, 'able to'],
  [/\bneither (.{3,30}) nor /, 'both $1 and '],
  [/\bnot significantly\b/, 'significantly'],
  [/\bwithout (?!a\b|an\b|the\b)(?=[a-z]+)/, 'with '],
  [/\bin the absence of\b/, 'in the presence of'],
  [/\b[Nn]one of the\b/, 'all of the'],
  [/\black of\b/, 'presence of'],
  [/\b(is|are|remains?) (?:un|not )known\b/, '$1 known'],
])

const presence = byPatterns([
  [
    /\b((?:patients|women|men|children|adults|individuals|subjects|persons|participants|mice|those|people|infants|cases|controls)) with (?!or\b|a\b|an\b|the\b|respect|regard|age\b|sex\b|and\b|more|less|at\b|no\b|little\b)/,
    '$1 without ',
  ],
  [/\bin the presence of\b/, 'in the absence of'],
  [/\bevidence (that|of|for)\b/, 'no evidence $1'],
  [/\bdependent on\b/, 'independent of'],
  [/\bindependent of\b/, 'dependent on'],
  [/\bindependently of\b/, 'depending on'],
])

const presenceChanged: Rewrite = (sentence, material) =>
  /\bwith(?:out)? (?:and|or) with|\bwithout\b|\bno evidence\b/i.test(sentence)
    ? undefined
    : presence(sentence, material)

const idiom =
  /\b(?:more or less|high-throughput|low-density|high-density|at least|in common|early-onset|in the long-term|at higher risk of death|primary (?:care|outcome|endpoint|school)|secondary (?:outcome|school)|positive for|more than one|large[- ]scale|high school|(?:North|South|East|West) [A-Z]|late \d|early \d|further|similar to|as well as|likely to|high-\w+|low-\w+|likelihood|large-\w+|much more|known as|best known|best-known|also known)\b/

const opposite = byTable(antonyms)
const direction: Rewrite = (sentence, material) =>
  idiom.test(sentence) || open.test(sentence) ? undefined : opposite(sentence, material)

/** Rewrites that make a sentence false by a negation or an opposite. */
export const polarityCorruptions: Readonly<Record<string, Rewrite>> = {
  'negation added': anyOf(notAdded, verbDenied),
  'negation removed': notRemoved,
  'with and without': presenceChanged,
  direction,
}
