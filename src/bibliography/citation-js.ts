/** The part of Citation.js that Scholium uses; the package has no types. */
export interface CitationJs {
  /** Names that BibTeX knows without `@string`: months and a few journals. */
  readonly strings: Readonly<Record<string, string>>
  /** Whether a TeX command, given without its backslash, has a meaning beyond its letters. */
  readonly knowsCommand: (name: string) => boolean
  /** Entries as CSL-JSON, in order. Only this one conversion runs: nothing is guessed, nothing fetched. */
  readonly cslOfBibtex: (
    entries: readonly BibtexEntry[],
  ) => readonly Readonly<Record<string, unknown>>[]
  /** Works as RIS fields by tag. */
  readonly risFields: (items: readonly unknown[]) => readonly RisFields[]
}

/** An entry as in the file: values are TeX. */
export interface BibtexEntry {
  readonly type: string
  readonly label: string
  readonly properties: Readonly<Record<string, string>>
}

/** Values by tag; `TY` is always present. */
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
 * Citation.js with BibTeX and RIS, loaded on first use. Only single, named conversion steps are used: the general entry point
 * guesses the format of its input, and may take it for a URL and fetch it.
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
