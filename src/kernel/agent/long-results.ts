import * as z from 'zod'
import { ScholiumError } from '../errors.ts'
import { assumedWindowTokens } from '../limits/output-cap.ts'
import type { ModelBinding } from '../model/model.ts'
import { formatResult } from '../text/result-text.ts'
import type { ToolResultPart } from './message.ts'
import { defineTool, type Tool, type ToolRegistry } from './tool.ts'

/** Share of a model's context window that one result may take. */
const maxShare = 1 / 5
/** Characters per token, cautiously: usually three to four, fewer in dense notation and some languages. */
const charactersPerToken = 3
/** Places that a search of a result shows at most, and the characters around each. */
const maxPlaces = 10
const aroundPlace = 300

/** Characters of one result that a model with a tiny window is shown nevertheless. */
const minCharacters = 1_000

/** Characters of one result that a model is shown: a fifth of its context window. */
export function maxResultCharacters({ sizes }: Pick<ModelBinding, 'sizes'>): number {
  const share = (sizes?.windowTokens ?? assumedWindowTokens) * maxShare * charactersPerToken
  return Math.max(minCharacters, Math.floor(share))
}

/** The name of the tool that reads on in a result that was shortened. */
export const readResultName = 'read_result'

/**
 * Results that are too long for a model: it is shown their beginning and end, and reads or searches the whole with a tool of its
 * own, which is offered once there is such a result. They are kept as long as the agent works on its task.
 */
export class LongResults {
  private readonly maxCharacters: number
  private readonly kept: string[] = []
  private readonly tool: Tool

  constructor(model: ModelBinding) {
    this.maxCharacters = model.effect === 'pure' ? Infinity : maxResultCharacters(model)
    this.tool = readResultTool(this.kept, this.maxCharacters)
  }

  /** The agent's tools, and that which reads results if there are any to read. */
  registryFor(tools: ToolRegistry): ToolRegistry {
    const { tool, kept } = this
    if (kept.length === 0 || tools.get(readResultName) !== undefined) return tools
    return {
      tools: [...tools.tools, tool],
      get: (name) => (name === readResultName ? tool : tools.get(name)),
    }
  }

  /** The result as it is, or shortened, with the way to the rest. */
  shorten(result: ToolResultPart): ToolResultPart {
    const text = formatResult(result.output, result.isError)
    if (text.length <= this.maxCharacters || result.toolName === readResultName) return result
    const number = this.kept.push(text)
    const room = this.maxCharacters - 400
    const head = cutAtLine(text.slice(0, Math.floor(room * 0.7)))
    const tail = text.slice(-Math.floor(room * 0.3)).toWellFormed()
    const left = text.length - head.length - tail.length
    const note = `[${left} of ${text.length} characters are left out here. ${readResultName} {"result": ${number}, "from": ${head.length}} reads on, {"result": ${number}, "find": "words"} finds where words stand.]`
    const output = `${head}\n\n${note}\n\n${tail}`
    return { ...result, output: result.isError ? { error: output } : output }
  }
}

/** The text up to its last line break, if that is near its end. */
function cutAtLine(text: string): string {
  const end = text.lastIndexOf('\n')
  return (end > text.length * 0.8 ? text.slice(0, end) : text).toWellFormed()
}

function readResultTool(kept: readonly string[], maxCharacters: number): Tool {
  return defineTool({
    name: readResultName,
    description: 'Reads on in a result that was shortened, or finds where words stand in it.',
    input: z.object({
      result: z.number().int().min(1).describe('The number that the shortened result names.'),
      from: z.number().int().min(0).optional().describe('The character to read on from.'),
      find: z.string().min(1).optional().describe('Words to find in it.'),
    }),
    effect: 'pure',
    async execute({ result, from = 0, find }) {
      const text = kept[result - 1]
      if (text === undefined) {
        throw new ScholiumError('tool_failed', `There is no shortened result ${result}.`, {
          hint: 'Call its tool again.',
        })
      }
      return find === undefined
        ? readFrom(text, from, maxCharacters)
        : findIn(text, find, maxCharacters)
    },
  })
}

function readFrom(text: string, from: number, maxCharacters: number): string {
  const part = cutAtLine(text.slice(from, from + maxCharacters - 200))
  const next = from + part.length
  if (part === '') return `The result ends at character ${text.length}.`
  const left = text.length - next
  return left <= 0 ? part : `${part}\n\n[${left} more characters: "from": ${next} reads on.]`
}

function findIn(text: string, words: string, maxCharacters: number): string {
  const [all, wanted] = [text.toLowerCase(), words.toLowerCase()]
  const room = Math.floor(maxCharacters / (2 * aroundPlace + wanted.length + 20))
  const most = Math.max(1, Math.min(maxPlaces, room))
  const places: number[] = []
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + aroundPlace)) {
    places.push(at)
    if (places.length > most) break
  }
  if (places.length === 0) return 'These words do not stand in the result.'
  const shown = places.slice(0, most).map((at) => {
    const start = Math.max(0, at - aroundPlace)
    return `At ${at}:\n${text.slice(start, at + wanted.length + aroundPlace).toWellFormed()}`
  })
  const more = places.length > most ? ['[There are more places.]'] : []
  return [...shown, ...more].join('\n\n')
}
