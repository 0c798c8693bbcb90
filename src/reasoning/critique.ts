import type { Json } from '../kernel/json.ts'
import { parseJsonObject } from '../kernel/text/json-from-text.ts'
import { toText } from './structured.ts'

/** What a critic found. */
export interface Critique {
  /** What whoever improves is told. */
  readonly text: string
  readonly issuesFound: readonly string[]
  readonly suggestions: readonly string[]
  /** 0 to 1, or null where the critic gave no number. */
  readonly improvementScore: number | null
}

/** A critique in a critic's text: of one in JSON its issues and suggestions, of any other its words. */
export function parseCritique(said: string): Critique {
  const found = parseJsonObject(said, [])
  const { issues_found, suggestions, improvement_score } = found.ok ? found.value : {}
  if (issues_found === undefined && suggestions === undefined)
    return { text: said, issuesFound: [], suggestions: [], improvementScore: null }
  const read = { issuesFound: textsOf(issues_found), suggestions: textsOf(suggestions) }
  return { text: describe(read), ...read, improvementScore: scoreOf(improvement_score) }
}

function describe({
  issuesFound,
  suggestions,
}: Pick<Critique, 'issuesFound' | 'suggestions'>): string {
  if (issuesFound.length + suggestions.length === 0) return 'No issues were found.'
  return [
    ...issuesFound.map((issue) => `Issue: ${issue}`),
    ...suggestions.map((suggestion) => `Suggestion: ${suggestion}`),
  ].join('\n')
}

function textsOf(value: Json | undefined): readonly string[] {
  const items: readonly Json[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return items.map(toText).filter((text) => text.trim() !== '')
}

function scoreOf(value: Json | undefined): number | null {
  return typeof value === 'number' ? Math.min(1, Math.max(0, value)) : null
}
