import type { PageTrouble } from './pdf-troubles.ts'

/** What is known of a file's need for character maps, of which none is here. */
export interface MissingCharacterMaps {
  /** pdf.js' door to its data files. It finds none, but what is asked for is noted. */
  readonly BinaryDataFactory: new () => object
  /** The trouble with the page just read: text without its character map, if one was asked for, else what was seen. */
  troubleOf(seen: Omit<PageTrouble, 'page'> | undefined): Omit<PageTrouble, 'page'> | undefined
}

/** Watches one file for the predefined character maps of East Asian fonts, which pdf.js leaves out without a word. */
export function watchCharacterMaps(): MissingCharacterMaps {
  const askedNow = new Set<string>()
  let askedFirst: string | undefined
  return {
    BinaryDataFactory: class {
      async fetch({ kind, filename }: { kind: string; filename: string }): Promise<never> {
        if (kind === 'cMapUrl') askedNow.add(filename.replace(/\.bcmap$/, ''))
        throw new Error(`${filename} is missing`)
      }
    },
    troubleOf(seen) {
      const [asked] = askedNow
      askedNow.clear()
      askedFirst ??= asked
      // A font is asked for once: later pages of its text are just empty.
      const what = asked ?? (seen?.kind === 'no_text' ? askedFirst : undefined)
      return what === undefined ? seen : { kind: 'character_map', what }
    },
  }
}
