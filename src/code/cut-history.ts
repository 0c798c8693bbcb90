import type { Message } from '../kernel/agent/message.ts'

/**
 * The places at which a conversation can be cut so that calls and their results stay together: numbers of the first message that is
 * kept. One with results never begins what is kept, and what begins before the end of a call's results never ends what is left out.
 */
export function cutPoints(messages: readonly Message[]): readonly number[] {
  return messages.flatMap(({ role }, index) => (index > 0 && role !== 'tool' ? [index] : []))
}

/**
 * The place to cut at so that no more than `keptTokens` are kept: before a request of the person where that keeps anything, else
 * before a message of the model. The newest messages are kept whatever they have; `undefined` where nothing can be left out.
 *
 * @param tokensOf of each message
 */
export function chooseCut(
  messages: readonly Message[],
  tokensOf: readonly number[],
  keptTokens: number,
): number | undefined {
  const points = cutPoints(messages)
  const kept = (from: number) => tokensOf.slice(from).reduce((sum, tokens) => sum + tokens, 0)
  const fitting = points.filter((point) => kept(point) <= keptTokens)
  const request = fitting.find((point) => messages[point]?.role === 'user')
  return request ?? fitting[0] ?? points.at(-1)
}
