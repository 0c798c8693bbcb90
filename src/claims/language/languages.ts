/** The language of a text, as far as it matters to rules: `other` is any that is neither English nor unknown. */
export type Language = 'english' | 'german' | 'chinese' | 'arabic' | 'other'

/** Frequent words by which languages in Latin letters are told apart. */
const frequentWords: readonly (readonly [Language, ReadonlySet<string>])[] = [
  [
    'english',
    'the of and to is are were for with that by from on at be this which has have it its not than or as an a in was but',
  ],
  [
    'german',
    'der die das und ist sind war waren wurde werden von mit für auf im den dem des ein eine einen einer nicht als auch sich hat haben wird bei nach aus zu zum zur durch über er sie es rund etwa in an',
  ],
  [
    'other',
    'le la les des et est une du dans pour pas que qui sur plus el los las y es un del por con no se más il di che è per sono della nel gli het een van en zijn niet dat voor os o e da do em não uma ao é',
  ],
].map(([language, words = '']) => [language as Language, new Set(words.split(' '))])

const scripts: readonly (readonly [Language, RegExp])[] = [
  ['chinese', /\p{sc=Han}/gu],
  ['arabic', /\p{sc=Arab}/gu],
  ['other', /(?!\p{sc=Latin}|\p{sc=Han}|\p{sc=Arab}|\p{sc=Greek})\p{L}/gu],
]

/** Longer texts are judged by their beginning, in UTF-16 code units. */
const maxUnits = 2_000

/** The language of a text, by its script and frequent words; `undefined` if neither tells. */
export function detectLanguage(text: string): Language | undefined {
  const start = text.slice(0, maxUnits)
  if (!/^[\0-\u024f\u2000-\u206f]*$/.test(start)) {
    const latin = start.match(/\p{sc=Latin}+/gu)?.length ?? 0
    const counts = scripts.map(
      ([language, letters]) => [language, start.match(letters)?.length ?? 0] as const,
    )
    const [language, count] = counts.reduce((one, other) => (other[1] > one[1] ? other : one))
    // A word in Latin letters stands for about two characters of another script.
    if (count > 2 * latin)
      return language === 'chinese' && /[\p{sc=Hira}\p{sc=Kana}]/u.test(start) ? 'other' : language
  }
  const words = start.toLowerCase().match(/\p{L}+/gu) ?? []
  let best: readonly [Language | undefined, number] = [undefined, 0]
  for (const [language, known] of frequentWords) {
    const count = words.filter((word) => known.has(word)).length
    if (count > best[1]) best = [language, count]
  }
  return best[0]
}

/** Whether rules for English words fit a text: it is English, or too short to tell. */
export function mayBeEnglish(text: string): boolean {
  return [undefined, 'english'].includes(detectLanguage(text))
}

/** Whether two texts are known to be in different languages. */
export function areOtherLanguages(one: string, other: string): boolean {
  const [first, second] = [detectLanguage(one), detectLanguage(other)]
  return first !== undefined && second !== undefined && first !== second
}

const otherDigits = /[٠-٩۰-۹０-９٪％]|(?<=[٠-٩۰-۹])[٫٬](?=[٠-٩۰-۹])|(?<=[０-９])[．，](?=[０-９])/gu

/** A text of the same length with Arabic-Indic and fullwidth digits, separators in numbers and percent signs as in ASCII. */
export function normalizeDigits(text: string): string {
  if (!/[\u0660-\u066c\u06f0-\u06f9\uff05\uff0c-\uff19]/.test(text)) return text
  return text.replace(otherDigits, (mark) => {
    const code = mark.charCodeAt(0)
    if (code >= 0xff10 || (code >= 0x660 && code <= 0x669) || (code >= 0x6f0 && code <= 0x6f9))
      return String((code - (code >= 0xff10 ? 0xff10 : code >= 0x6f0 ? 0x6f0 : 0x660)) % 10)
    return mark === '٪' || mark === '％' ? '%' : mark === '٫' || mark === '．' ? '.' : ','
  })
}

const commaNumber = /(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+)(?![\d.,]*\d)/g

/**
 * A text of the same length with its numbers as in English: {@link normalizeDigits}, and in languages with a decimal comma
 * "1.250,5" as "1,250.5".
 */
export function normalizeNumbers(text: string): string {
  const plain = normalizeDigits(text)
  if (!/\d[.,]\d/.test(plain)) return plain
  const language = detectLanguage(plain)
  const hasComma =
    language === 'german' || (language === 'other' && /\p{sc=Latin}|\p{sc=Cyrl}/u.test(plain))
  return hasComma
    ? plain.replace(commaNumber, (number) =>
        number.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.')),
      )
    : plain
}
