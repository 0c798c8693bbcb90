/** The part of Citation.js that is used; it has no types of its own. */
export interface CitationJs {
  /** Names that BibTeX knows without `@string`: months, a few journals. */
  readonly strings: Readonly<Record<string, string>>
  /** Whether a command of TeX, without its backslash, is read as more than its own letters. */
  readonly knowsCommand: (name: string) => boolean
  /** Entries as CSL-JSON, in order. One step of a named form: nothing is guessed of the data, nothing fetched. */
  readonly cslOfBibtex: (
    entries: readonly BibtexEntry[],
  ) => readonly Readonly<Record<string, unknown>>[]
  /** Works as RIS fields by tag. */
  readonly risFields: (items: readonly unknown[]) => readonly RisFields[]
}

/** An entry as it stands in a file: values are TeX. */
export interface BibtexEntry {
  readonly type: string
  readonly label: string
  readonly properties: Readonly<Record<string, string>>
}

/** Values by tag; `TY` is there always. */
export type RisFields = Readonly<
  Record<string, string | number | readonly (string | number)[] | undefined>
>

interface Core {
  readonly plugins: {
    readonly input: { readonly data: (data: unknown, form: string) => unknown }
    readonly output: {
      readonly format: (name: string, data: readonly unknown[], options: object) => unknown
    }
    readonly config: { readonly get: (plugin: string) => unknown }
  }
}

const commandKinds = [
  'argumentCommands',
  'commands',
  'diacritics',
  'formattingCommands',
  'formattingEnvs',
  'mathCommands',
  'mathScriptFormatting',
] as const

/**
 * Citation.js with BibTeX and RIS, loaded at the first call. Only single steps of named forms are used: its own way in
 * guesses what it is given, and a guess can be an address that it fetches.
 * @see https://citation.js.org/api
 */
export async function loadCitationJs(): Promise<CitationJs> {
  // @ts-expect-error: without types
  const core: unknown = await import('@citation-js/core')
  // @ts-expect-error: without types
  await import('@citation-js/plugin-bibtex')
  // @ts-expect-error: without types
  await import('@citation-js/plugin-ris')
  const { plugins } = core as Core
  const bibtex = plugins.config.get('@bibtex') as {
    readonly constants: { readonly defaultStrings: Readonly<Record<string, string>> } & {
      readonly [kind in (typeof commandKinds)[number]]: object
    }
  }
  const { constants } = bibtex
  return {
    strings: constants.defaultStrings,
    knowsCommand: (name) =>
      /^(?:begin|end)$/.test(name) ||
      commandKinds.some((kind) => Object.hasOwn(constants[kind], name)),
    cslOfBibtex: (entries) =>
      plugins.input.data(entries, '@biblatex/entries+list') as readonly Readonly<
        Record<string, unknown>
      >[],
    risFields: (items) =>
      plugins.output.format('ris', items, { format: 'object' }) as readonly RisFields[],
  }
}
