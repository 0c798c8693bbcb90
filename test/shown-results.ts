import { type PromptPassage, passagesIn } from '../src/testing/scripted-team.ts'

/** A tool's result as a model was shown it, read back. */
export interface ShownResult {
  /** The whole of it. */
  readonly text: string
  readonly error?: string
  readonly passages: readonly (PromptPassage & { readonly title: string })[]
  readonly passagesLeft: number
  readonly isVerbatim?: boolean
}

/** Reads a result in the form of `formatResult` and `presentPassages`. */
export function readShown(text: string): ShownResult {
  const error = /^Error: ([\s\S]*)$/.exec(text)?.[1]
  const titles = new Map(
    [...text.matchAll(/^\[(\d+)\] (.*)$/gm)].map(([, n, title]) => [Number(n), title]),
  )
  const passages = passagesIn(text).map((one) => ({ ...one, title: titles.get(one.n) ?? '' }))
  const verbatim = /^These words (do not )?stand there/.exec(text)
  return {
    text,
    passages,
    passagesLeft: Number(/^(\d+) more passages? of it/m.exec(text)?.[1] ?? 0),
    ...(error === undefined ? {} : { error }),
    ...(verbatim === null ? {} : { isVerbatim: verbatim[1] === undefined }),
  }
}
