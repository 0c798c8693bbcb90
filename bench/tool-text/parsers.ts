import { toolCallsFromText } from '../../src/kernel/text/tool-calls-from-text.ts'
import type { Parse } from './score.ts'

/** What would be executed: a broken call is not. */
export const parseOwn: Parse = ({ text, tools }) =>
  toolCallsFromText(text, tools)
    .calls.filter(({ isBroken }) => isBroken !== true)
    .map(({ toolName, input }) => ({ toolName, input }))

/** What a few lines would do: `JSON.parse` from the first brace to the last, if the result names an offered tool. */
export const parsePlainly: Parse = ({ text, tools }) => {
  const [start, end] = [text.search(/[[{]/), Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))]
  try {
    const parsed: unknown = JSON.parse(text.slice(start, end + 1))
    return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((call) =>
      tools.some(({ name }) => name === call?.name)
        ? { toolName: call.name, input: call.arguments ?? call.parameters }
        : [],
    )
  } catch {
    return []
  }
}
