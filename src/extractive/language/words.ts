/** A word or a number of a text. */
export interface Word {
  /** As printed in the text. */
  readonly text: string
  /** Lower case without accents, a possessive "'s" and thousands separators. */
  readonly plain: string
  readonly stem: string
  /** Offset in UTF-16 code units. */
  readonly start: number
  readonly isNumber: boolean
  /** Whether it begins with a capital letter. */
  readonly isCapital: boolean
  /** Whether only spaces or a hyphen separate it from the word before. */
  readonly isJoined: boolean
}

const wordPattern = /\p{N}+(?:[.,/]\p{N}+)*|[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:['’]\p{L}+)?/gu

/** The words and numbers of a text in order. Scripts without spaces give overlapping pairs of characters. */
export function readWords(text: string): readonly Word[] {
  const words: Word[] = []
  let lastEnd = 0
  for (const match of text.matchAll(wordPattern)) {
    const found = match[0]
    const isJoined = /^[\s-]*$/.test(text.slice(lastEnd, match.index))
    lastEnd = match.index + found.length
    if (isUnspaced(found)) words.push(...toCharacterPairs(found, match.index))
    else words.push(toWord(found, match.index, isJoined))
  }
  return words
}

function toWord(text: string, start: number, isJoined: boolean): Word {
  const isNumber = /^\p{N}/u.test(text)
  const plain = isNumber
    ? text.replaceAll(/,(?=\d{3}(?!\d))/g, '')
    : fold(text).replace(/['’]s?$/, '')
  const stem = isNumber ? plain : toStem(plain)
  return { text, plain, stem, start, isNumber, isCapital: /^\p{Lu}/u.test(text), isJoined }
}

/** Letters that Unicode normalization does not decompose. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
}

/** Lower case without accents, so that "Rømer" and "Romer" are the same word. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  if (/^[\x20-\x7e]*$/.test(lower)) return lower
  return lower
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[øłđðþßæœıħ]/g, (letter) => plainLetters[letter] ?? letter)
}

function isUnspaced(word: string): boolean {
  return word.length > 1 && /^[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]/.test(word)
}

function toCharacterPairs(run: string, start: number): readonly Word[] {
  const characters = [...run]
  return characters.slice(1).map((character, index) => {
    const pair = `${characters[index]}${character}`
    return {
      text: pair,
      plain: pair,
      stem: pair,
      start: start + index,
      isNumber: false,
      isCapital: false,
      isJoined: true,
    }
  })
}

/** A text on one line: each run of white space as one space, without control characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}\ufffd]+/gu, ' ').trim()
}

/** Suffixes to remove, longest first; repeated until nothing changes. */
const suffixes = [
  'ation',
  'ition',
  'ating',
  'ated',
  'ator',
  'ment',
  'ance',
  'ence',
  'ate',
  'age',
  'ing',
  'ion',
  'ied',
  'al',
  'er',
  'or',
  'est',
  'ed',
  'ly',
  'e',
  'y',
  'i',
] as const

const shortestStem = 4

/**
 * A deliberately strong stem of a lower-case word: inflected forms and derived nouns share it ("invent",
 * "invented", "inventor", "invention"). A key to compare by, not a word.
 */
export function toStem(word: string): string {
  const base = irregular.get(word) ?? word
  if (base.length < shortestStem || !/^[a-z]+$/.test(base)) return base
  let stem = singular(base)
    .replace(/(?<=..)iz(?=e|ing|ation)/, 'is')
    .replace(/(?<=...)our(?=s?$|ed|ing)/, 'or')
  for (;;) {
    const shorter = withoutSuffix(stem)
    if (shorter === stem) return undouble(stem)
    stem = shorter
  }
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /[^sui]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

function withoutSuffix(word: string): string {
  for (const suffix of suffixes) {
    if (!word.endsWith(suffix)) continue
    const rest = word.slice(0, -suffix.length)
    const least = takesShortStem.has(suffix) ? 3 : shortestStem
    if (rest.length < least || !/[aeiouy]/.test(rest) || (suffix === 'ed' && rest.endsWith('e')))
      continue
    return rest
  }
  return word
}

const takesShortStem: ReadonlySet<string> = new Set(['ing', 'ed', 'ly', 'e', 'y', 'i'])

function undouble(word: string): string {
  return /([bdfgklmnprt])\1$/.test(word) && word.length > 3 ? word.slice(0, -1) : word
}

const irregular: ReadonlyMap<string, string> = new Map(
  (
    'won:win wins:win written:write wrote:write made:make found:find gave:give given:give got:get gotten:get ' +
    'took:take taken:take went:go gone:go goes:go born:birth died:death dead:death dying:death dies:death die:death ' +
    'began:begin begun:begin built:build led:lead held:hold said:say shown:show showed:show shows:show proof:prove proofs:prove ' +
    'proven:prove sank:sink sunk:sink sold:sell sent:send became:become knew:know known:know grew:grow grown:grow ' +
    'drew:draw drawn:draw flew:fly flown:fly ran:run spoke:speak spoken:speak stood:stand taught:teach thought:think ' +
    'told:tell understood:understand wore:wear worn:wear fought:fight bought:buy brought:bring caught:catch ' +
    'chose:choose chosen:choose ate:eat eaten:eat fell:fall fallen:fall felt:feel froze:freeze frozen:freeze kept:keep ' +
    'left:leave lost:lose met:meet paid:pay rose:rise risen:rise sang:sing sung:sing slept:sleep spent:spend ' +
    'stole:steal stolen:steal struck:strike swam:swim threw:throw thrown:throw broke:break broken:break ' +
    'lay:lie lies:lie lain:lie laid:lay lasts:last lasted:last came:come saw:see seen:see sought:seek shot:shoot ' +
    'used:use uses:use using:use use:use men:man women:woman children:child mice:mouse feet:foot teeth:tooth geese:goose lives:life ' +
    'people:person persons:person bacteria:bacterium phenomena:phenomenon criteria:criterion indices:index ' +
    'matrices:matrix theses:thesis hypotheses:hypothesis analyses:analysis algae:alga genera:genus ' +
    'meter:metre meters:metre kilometer:kilometre kilometers:kilometre liter:litre liters:litre center:centre ' +
    'mile:mi1e miles:mi1e supply:supplier supplies:supplier supplied:supplier million:1e6 millions:1e6 billion:1e9 billions:1e9 ' +
    'long:long length:length heights:height height:height weights:weigh weight:weigh speeds:speed species:species'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)
