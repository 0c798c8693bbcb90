import { renumberMarks } from '../claims/renumber-marks.ts'
import type { Json, JsonObject } from '../kernel/json.ts'

/** The tool whose answers cite sources by numbers of their own. */
export const researchName = 'research'

/** An answer of the question team as the tool gives it. */
type ResearchAnswer = JsonObject & {
  readonly answer: string
  readonly sources: readonly (JsonObject & { readonly n: number; readonly sourceId: string })[]
  readonly gaps?: readonly string[]
}

/**
 * The sources that answers of a session have cited: each has one number in all of them, from 1 on, in the order in which they were
 * first cited, so that no number stands for two sources.
 */
export class SessionSources {
  private readonly ids: string[]

  /** @param known the ids of before: the first has the number 1 */
  constructor(known: readonly string[]) {
    this.ids = [...known]
  }

  /** The ids of all sources so far, each at the place of its number. */
  get all(): readonly string[] {
    return [...this.ids]
  }

  /** An answer with the session's numbers; what is none as it was. New sources get the next numbers. */
  renumber(output: Json): Json {
    if (!isResearchAnswer(output)) return output
    const { answer, sources, gaps } = output
    const numbers = new Map(sources.map(({ n, sourceId }) => [n, this.getNumber(sourceId)]))
    const renumbered = (text: string) => renumberMarks(text, numbers, this.ids.length)
    const now = sources.map(({ sourceId: _id, n, ...source }) => ({
      ...source,
      n: numbers.get(n) as number,
    }))
    return {
      ...output,
      answer: renumbered(answer),
      sources: now.sort((one, other) => one.n - other.n),
      ...(gaps === undefined ? {} : { gaps: gaps.map(renumbered) }),
    }
  }

  private getNumber(id: string): number {
    const at = this.ids.indexOf(id)
    return at === -1 ? this.ids.push(id) : at + 1
  }
}

function isResearchAnswer(output: Json): output is ResearchAnswer {
  const { answer, sources } = (output ?? {}) as JsonObject
  return typeof answer === 'string' && Array.isArray(sources)
}
