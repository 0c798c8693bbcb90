import { renumberMarks } from '../claims/renumber-marks.ts'
import type { Json, JsonObject } from '../kernel/json.ts'

/** The tool whose answers cite numbered sources. */
export const researchName = 'research'

/** An answer of the question team, as the tool returns it. */
type ResearchAnswer = JsonObject & {
  readonly answer: string
  readonly sources: readonly (JsonObject & { readonly n: number; readonly sourceId: string })[]
  readonly gaps?: readonly string[]
}

/**
 * The sources cited in a session. Each gets one number in order of first citation, starting at 1, so that no number
 * stands for two sources.
 */
export class SessionSources {
  private readonly ids: string[]

  /** @param known ids of earlier sources; the first has number 1 */
  constructor(known: readonly string[]) {
    this.ids = [...known]
  }

  /** Ids of all sources so far, in the order of their numbers. */
  get all(): readonly string[] {
    return [...this.ids]
  }

  /**
   * Renumbers an answer with the session's numbers; any other output is returned as is. New sources get the next
   * numbers.
   */
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
