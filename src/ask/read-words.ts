/** What a person's words say of what was shown: that it is right, that it is not wanted, what to change; or nothing that is clear. */
export type Words = 'yes' | 'no' | 'change' | 'unclear'

const wordSet = (list: string): ReadonlySet<string> => new Set(list.split(' '))
const assenting = wordSet(
  'y yes yep yeah yup sure ok okay k fine good great perfect right alright correct approve approved agree agreed accept accepted go ahead proceed continue start do it lgtm looks',
)
const refusing = wordSet(
  'n no nope nah never refuse refused reject rejected decline declined deny denied cancel cancelled stop abort quit',
)
/** Words that only say it kindly. */
const polite = wordSet(
  'please thanks thank you very much so i we all is that this the plan to me for us',
)
/** So many words at least, or characters in a script without spaces between words, say what to change. */
const leastWords = 3
/** Of them, beside yes and no. */
const leastOthers = 2
const leastCharacters = 4
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

/** Reads the words of a person. */
export function readWords(text: string): Words {
  const all = text.toLowerCase().match(/[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu) ?? []
  const words = all.filter((word) => !polite.has(word))
  const isEach = (set: ReadonlySet<string>) => words.length > 0 && words.every((w) => set.has(w))
  if (isEach(assenting)) return text.includes('?') ? 'unclear' : 'yes'
  if (isEach(refusing)) return text.includes('?') ? 'unclear' : 'no'
  const others = words.filter((word) => !assenting.has(word) && !refusing.has(word))
  const isOrder =
    (words.length >= leastWords && others.length >= leastOthers) ||
    (text.match(withoutSpaces) ?? []).length >= leastCharacters
  return isOrder ? 'change' : 'unclear'
}
