import { lowerFirst, pick, type Rewrites, replaceOne } from './rewrite.ts'

const synonyms =
  'showed/demonstrated show/demonstrate shows/demonstrates revealed/showed found/observed used/employed use/utilize about/approximately ' +
  'approximately/roughly largest/biggest patients/individuals method/technique methods/techniques begin/start disease/illness ' +
  'examined/investigated investigated/examined assessed/evaluated performed/conducted primarily/mainly mainly/chiefly whereas/while ' +
  'although/though several/multiple many/numerous through/via important/significant required/needed requires/needs enhances/increases ' +
  'participants/subjects rapidly/quickly obtained/acquired reduced/decreased decreased/reduced increased/raised elevated/increased ' +
  'because/since suggest/indicate crucial/essential essential/vital often/frequently identified/discovered children/kids ' +
  'nearly/almost including/such'
const synonymOf = new Map(synonyms.split(' ').map((pair) => pair.split('/') as [string, string]))
const numberNames = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]

/** Rewrites that leave what a sentence says as it is. */
export const paraphrases: Rewrites = {
  opener: (sentence, random) =>
    pick(
      [
        'The authors found that ',
        'However, ',
        'The study reports that ',
        'In addition, ',
        'Results showed that ',
      ],
      random,
    ) + lowerFirst(sentence),
  synonym: (sentence, random) =>
    replaceOne(
      sentence,
      /\b[a-z]+\b/g,
      random,
      (found) => synonymOf.get(found) ?? '',
      (found) => synonymOf.has(found),
    ),
  tense: (sentence, random) =>
    replaceOne(
      sentence,
      /\b(?:is|are|was|were|has|shows|increases|reduces|requires|induces|suggests)\b/g,
      random,
      (found) => otherTense[found] ?? found,
    ),
  bracket: (sentence, random) => replaceOne(sentence, /\s\([^()]*\)/g, random, () => ''),
  fronted: (sentence) => {
    const [, body, phrase] =
      /^([A-Z][^,;()]+?) ((?:in|during|after|before|at) (?:the )?[\w-]+(?: [\w-]+){0,2})\.$/.exec(
        sentence,
      ) ?? []
    return body === undefined || phrase === undefined
      ? undefined
      : `${phrase[0]?.toUpperCase()}${phrase.slice(1)}, ${lowerFirst(body)}.`
  },
  numeral: (sentence, random) =>
    replaceOne(
      sentence,
      /(?<=\d)\s?%|(?<=[a-z] )(?:[2-9]|two|three|four|five|six|seven|eight|nine|ten)(?= [a-z])|(?<=\d),(?=\d{3}\b)/g,
      random,
      otherNumeral,
    ),
  spelling: (sentence, random) =>
    replaceOne(
      sentence,
      /\b[a-z]*(?:tumor|color|behavior|characteriz|organiz|analyz|hydrolyz|anemia|edema|estrogen|fiber|center|recogniz|localiz)[a-z]*\b/g,
      random,
      british,
    ),
  article: (sentence, random) =>
    replaceOne(sentence, /\b(?:the|these|this) (?=[a-z]{4,})/g, random, (found) =>
      found === 'the ' ? '' : 'the ',
    ),
  filler: (sentence, random) =>
    replaceOne(
      sentence,
      /\b(?:is|are|was|were|can|did|does)\b(?! also)/g,
      random,
      (found) => `${found} also`,
    ),
}

const otherTense: Readonly<Record<string, string>> = {
  is: 'was',
  are: 'were',
  was: 'is',
  were: 'are',
  has: 'had',
  shows: 'showed',
  increases: 'increased',
  reduces: 'reduced',
  requires: 'required',
  induces: 'induced',
  suggests: 'suggested',
}

function otherNumeral(found: string): string {
  if (found.trim() === '%') return ' percent'
  if (found === ',') return ''
  const index = numberNames.indexOf(found)
  return index === -1 ? (numberNames[Number(found)] ?? found) : String(index)
}

function british(found: string): string {
  return found
    .replace(/tumor|color|behavior/, (word) => word.replace(/or$/, 'our'))
    .replace(/z(?=[aei])/, 's')
    .replace(/^(?=nemia|estrogen)|^(?=edema)/, '')
    .replace('anemia', 'anaemia')
    .replace(/^edema/, 'oedema')
    .replace(/^estrogen/, 'oestrogen')
    .replace('fiber', 'fibre')
    .replace('center', 'centre')
}
