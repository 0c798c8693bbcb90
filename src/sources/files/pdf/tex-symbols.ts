/** Families of TeX's fonts for mathematics: symbols, large symbols, italics. */
export type TexFamily = 'CMSY' | 'CMEX' | 'CMMI'

/** The family of a font, by its name in a PDF. */
export function texFamilyOf(fontName: string): TexFamily | undefined {
  return /(?:^|\+)(CMSY|CMEX|CMMI)\d/.exec(fontName)?.[1] as TexFamily | undefined
}

/**
 * The character for a code that PDFium cannot map, because Adobe's list of glyph names lacks the glyph's: each symbol
 * follows its code in hexadecimal. Other unmapped codes are of fonts that a program renumbered.
 * @see https://ctan.org/pkg/encodings (OMS, OMX, OML)
 */
const symbols: Readonly<Record<TexFamily, ReadonlyMap<number, string>>> = {
  CMSY: parse(
    '05⋄ 07∓ 09⊖ 0b⊘ 0c⊙ 0d© 0e◦ 10≍ 16≼ 17≽ 1c≪ 1d≫ 1e≺ 1f≻ 25↗ 26↘ 27≃ 2d↖ 2e↙ 30′ 33∋ 34△ 35▽ 36\u0338 37↦ 3e⊤ 5d⊎ 60⊢ 61⊣ 62⌊ 63⌋ 64⌈ 65⌉ 68〈 69〉 6b‖ 6d⇕ 6f≀ 71∐ 74⊔ 75⊓ 76⊑ 77⊒',
  ),
  CMEX: parse('48∮ 49∮ 50∑ 51∏ 52∫ 53⋃ 54⋂ 55⊎ 56⋀ 57⋁ 58∑ 59∏ 5a∫ 5b⋃ 5c⋂ 5d⊎ 5e⋀ 5f⋁ 60∐ 61∐'),
  CMMI: parse('0f\u03f5 25\u03f1 28↼ 29↽ 2a⇀ 2b⇁ 3f⋆ 5b♭ 5c♮ 5d♯ 60ℓ 7b\u0131 7c\u0237 7d℘'),
}

/** The character for an unmapped code of a family; a replacement character if unknown. */
export function texSymbol(family: TexFamily, code: number): string {
  return symbols[family].get(code) ?? '\ufffd'
}

function parse(list: string): ReadonlyMap<number, string> {
  return new Map(list.split(' ').map((one) => [Number.parseInt(one.slice(0, 2), 16), one.slice(2)]))
}
