import type { CslItem } from '../../../citations/source.ts'

/** What one part of a page says of the page. */
export interface PageFacts {
  /** A CSL type. */
  readonly type?: string | undefined
  readonly title?: string | undefined
  readonly author?: CslItem['author'] | undefined
  readonly issued?: CslItem['issued'] | undefined
  /** The journal, book or site that it is a part of. */
  readonly container?: string | undefined
  readonly publisher?: string | undefined
  readonly language?: string | undefined
  readonly url?: string | undefined
  readonly doi?: string | undefined
  readonly isbn?: string | undefined
}

/** A name as it is written; addresses are no names. */
export function nameOf(written: string | undefined): NonNullable<CslItem['author']> {
  const name = written?.replace(/^(?:by|von|par|por)[\s:]+(?=\p{Lu})/iu, '').trim() ?? ''
  return name === '' || /^(?:https?:|www\.|@)/.test(name) ? [] : [{ literal: name }]
}

/** A name from tags in which the family's stands first, if it is written `Family, Given`; else as it is. */
export function catalogueName(written: string | undefined): NonNullable<CslItem['author']> {
  const [family = '', given = '', ...rest] = (written ?? '').split(/\s*,\s*/)
  const isSuffix = /^(?:jr|sr|ph\.?d|m\.?d|inc|ltd|llc|ii|iii|iv)\b/i.test(given)
  if (family === '' || given === '' || isSuffix || rest.length > 0) return nameOf(written)
  return [{ family, given }]
}
