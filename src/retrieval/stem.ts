/**
 * The Porter stem of a lower-case English word; words with characters other than a to z are unchanged.
 * @see https://tartarus.org/martin/PorterStemmer/def.txt (M. F. Porter, An algorithm for suffix stripping, 1980, with the
 * author's two later changes: "bli" and "logi" in step 2)
 */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  const plain = step1c(step1b(step1a(word)))
  return step5(replaceSuffix(replaceSuffix(replaceSuffix(plain, step2, 0), step3, 0), step4, 1))
}

/** Suffixes with their replacements; the first match counts. */
type Rules = readonly (readonly [suffix: string, replacement: string])[]

const step2: Rules = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
]
const step3: Rules = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]
const step4: Rules = [
  'al',
  'ance',
  'ence',
  'er',
  'ic',
  'able',
  'ible',
  'ant',
  'ement',
  'ment',
  'ent',
  'ion',
  'ou',
  'ism',
  'ate',
  'iti',
  'ous',
  'ive',
  'ize',
].map((suffix) => [suffix, ''] as const)

function replaceSuffix(word: string, rules: Rules, measureAbove: number): string {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue
    const rest = word.slice(0, -suffix.length)
    const fits = measure(rest) > measureAbove && (suffix !== 'ion' || /[st]$/.test(rest))
    return fits ? rest + replacement : word
  }
  return word
}

function step1a(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function step1b(word: string): string {
  if (word.endsWith('eed')) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word
  const rest = word.endsWith('ed')
    ? word.slice(0, -2)
    : word.endsWith('ing')
      ? word.slice(0, -3)
      : undefined
  if (rest === undefined || !hasVowel(rest)) return word
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (/([^aeiou])\1$/.test(rest) && endsInDoubleConsonant(rest))
    return /[lsz]$/.test(rest) ? rest : rest.slice(0, -1)
  return measure(rest) === 1 && endsInShortSyllable(rest) ? `${rest}e` : rest
}

function step1c(word: string): string {
  return word.endsWith('y') && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word
}

function step5(word: string): string {
  let result = word
  if (result.endsWith('e')) {
    const rest = result.slice(0, -1)
    const parts = measure(rest)
    if (parts > 1 || (parts === 1 && !endsInShortSyllable(rest))) result = rest
  }
  return result.endsWith('ll') && measure(result) > 1 ? result.slice(0, -1) : result
}

function isConsonant(word: string, index: number): boolean {
  const letter = word[index] as string
  if ('aeiou'.includes(letter)) return false
  return letter !== 'y' || index === 0 || !isConsonant(word, index - 1)
}

/** How often a run of vowels is followed by a run of consonants. */
function measure(word: string): number {
  let count = 0
  let afterVowel = false
  for (let index = 0; index < word.length; index++) {
    const consonant = isConsonant(word, index)
    if (consonant && afterVowel) count++
    afterVowel = !consonant
  }
  return count
}

function hasVowel(word: string): boolean {
  for (let index = 0; index < word.length; index++) if (!isConsonant(word, index)) return true
  return false
}

function endsInDoubleConsonant(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last)
}

/** Consonant, vowel, consonant, the last not w, x or y: "hop", but not "snow". */
function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1
  return (
    last >= 2 &&
    isConsonant(word, last) &&
    !isConsonant(word, last - 1) &&
    isConsonant(word, last - 2) &&
    !/[wxy]$/.test(word)
  )
}
