import type { JsonObject } from '../../../kernel/json.ts'
import type { AgentAnswer } from './ask-agent.ts'
import { notDone } from './composed-action.ts'

/** How the answers of several agents become one result. */
export const aggregations = ['collect', 'vote', 'first', 'consensus'] as const

/** One of {@link aggregations}. */
export type Aggregation = (typeof aggregations)[number]

/** The texts of those that answered. */
export function responsesOf(answers: readonly AgentAnswer[]): readonly string[] {
  return answers.flatMap(({ success, response }) => (success ? [String(response)] : []))
}

/** What the answers come to; a consensus is reached from a share of equal answers on. */
export function aggregate(
  kind: Aggregation,
  answers: readonly AgentAnswer[],
  threshold: number,
): JsonObject {
  const responses = responsesOf(answers)
  if (responses.length === 0) return { ...notDone('No agent gave an answer.'), ...emptyOf(kind) }
  const counted = { ...aggregateOf(kind, answers, responses, threshold), success: true }
  return { ...counted, aggregation: kind }
}

function aggregateOf(
  kind: Aggregation,
  answers: readonly AgentAnswer[],
  responses: readonly string[],
  threshold: number,
): JsonObject {
  switch (kind) {
    case 'collect':
      return { responses, count: responses.length }
    case 'first': {
      const first = answers.find(({ success }) => success) as AgentAnswer
      return { result: String(first.response), agent: first.agent }
    }
    case 'vote': {
      const { votes, winner } = count(responses)
      return {
        result: winner,
        votes,
        unanimous: Object.keys(votes).length === 1,
        total_votes: responses.length,
      }
    }
    case 'consensus': {
      const { votes, winner } = count(responses)
      const agreement = (votes[winner] as number) / responses.length
      const isReached = agreement >= threshold
      return {
        result: isReached ? winner : null,
        agreement,
        consensus_reached: isReached,
        threshold,
      }
    }
  }
}

function emptyOf(kind: Aggregation): JsonObject {
  switch (kind) {
    case 'collect':
      return { responses: [], count: 0 }
    case 'first':
      return { result: null }
    case 'vote':
      return { result: null, votes: {}, unanimous: false }
    case 'consensus':
      return { result: null, agreement: 0, consensus_reached: false }
  }
}

/** How often each answer was given, white space, case and a last stop aside; of equally many the one that came first wins. */
function count(responses: readonly string[]): {
  readonly votes: Readonly<Record<string, number>>
  readonly winner: string
} {
  const shownAs = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const response of responses) {
    const key = response.trim().replace(/\s+/g, ' ').replace(/[.!]$/, '').toLowerCase()
    if (!shownAs.has(key)) shownAs.set(key, response.trim())
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const ranked = [...counts].sort(([, left], [, right]) => right - left)
  return {
    votes: Object.fromEntries([...counts].map(([key, number]) => [shownAs.get(key), number])),
    winner: shownAs.get(ranked[0]?.[0] ?? '') ?? '',
  }
}
