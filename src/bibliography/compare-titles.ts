/** Whether two titles name one work. `unclear`: one may be the other shortened, reworded or mistyped. */
export type TitleComparison = 'same' | 'unclear' | 'different'

/**
 * `same`: every word except function words matches a word of the other title, in any order. From 6 letters on, words match if
 * they differ in one letter other than the first ("color" and "colour", "hormone" and "hormones"). `unclear`: one title is the
 * beginning of the other (two words or more), or at least {@link nearShare} of the words of both match and the difference is not
 * in numbers. Case, accents, punctuation, TeX, markup, a publisher's "RETRACTED:" and word breaks ("data set", "pre-training")
 * are ignored.
 */
export function compareTitles(one: string, other: string): TitleComparison {
  const words = splitTitle(one)
  const others = splitTitle(other)
  if (words.length === 0 || others.length === 0) return 'unclear'
  if (words.join('') === others.join('')) return 'same'
  if (isBeginning(words, others) || isBeginning(others, words)) return 'unclear'
  const left = others.filter(isSignificant)
  const telling = words.filter(isSignificant)
  const missed = telling.filter((word) => !takeSimilar(word, left))
  const unmatched = [...missed, ...left]
  if (unmatched.length === 0) return 'same'
  if (missed.some(hasNumber) && left.some(hasNumber)) return 'different'
  const share = 1 - unmatched.length / (telling.length + others.filter(isSignificant).length)
  return share >= nearShare ? 'unclear' : 'different'
}

/** Share of matching words, over both titles, from which one may be a rewording of the other. */
const nearShare = 0.8

/** Words beyond this are ignored: comparison is quadratic, and no title is this long. */
const maxWords = 200

/** The words of a title, normalized by {@link normalizeTitle}. */
export function splitTitle(title: string): readonly string[] {
  return normalizeTitle(title)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, maxWords)
}

/**
 * A title in the normal form used for comparing titles and finding them in text: lower-case words separated by single spaces,
 * without accents, apostrophes, punctuation, TeX, markup, or a publisher's "RETRACTED:" prefix.
 */
export function normalizeTitle(title: string): string {
  return foldLetters(
    title
      .replace(retractionMark, '')
      .replace(/<\/?(?:i|b|sup|sub|span|scp|em|strong|jats:[a-z]+|mml:[a-z]+)(?: [^<>]*)?>/gi, '')
      .replace(/\\[a-zA-Z]+ ?|\\["'`^~=.]|[{}$]/g, ''),
  )
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The prefix that publishers put before the title of a retracted work. */
export const retractionMark =
  /^\W*(?:retracted|withdrawn|removed)(?: (?:article|paper|chapter|manuscript))?(?:\s*[:：\])}]+|\s+[-–—])\s*/i

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  þ: 'th',
  ð: 'd',
}

/** Text in lower case without accents and apostrophes. */
export function foldLetters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʼ´`]/gu, '')
    .toLowerCase()
    .replace(/[ßøłđæœıþð]/g, (letter) => letters[letter] ?? letter)
}

const smallWords = new Set(
  'a an and as at by for from in into its of on or the to using via with de der die das des du et la le les un und von'.split(
    ' ',
  ),
)

function isSignificant(word: string): boolean {
  return !smallWords.has(word)
}

/** Numbers matter: "Part II" is not "Part I", nor T201M F205L. */
function hasNumber(word: string): boolean {
  return /\p{N}|^[ivx]+$/u.test(word)
}

function isBeginning(start: readonly string[], words: readonly string[]): boolean {
  return (
    start.length >= 2 && start.length < words.length && start.every((word, i) => word === words[i])
  )
}

/** Removes a matching word from a list; false if there is none. */
function takeSimilar(word: string, words: string[]): boolean {
  const exact = words.indexOf(word)
  const at = exact >= 0 ? exact : words.findIndex((other) => isOneLetterOff(word, other))
  if (at < 0) return false
  words.splice(at, 1)
  return true
}

function isOneLetterOff(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (long.length < 6 || long.length - short.length > 1 || short[0] !== long[0]) return false
  if (hasNumber(short) || hasNumber(long)) return false
  let start = 0
  while (start < short.length && short[start] === long[start]) start += 1
  const isExchange = short.length === long.length
  return short.slice(isExchange ? start + 1 : start) === long.slice(start + 1)
}
