import type { ToolCallPart, ToolResultPart } from '../kernel/agent/message.ts'
import type { Tool } from '../kernel/agent/tool.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { type Calculation, numbersBeside } from './calculated.ts'
import type { Figure } from './result.ts'
import type { AskState } from './state.ts'
import type { TeamParts } from './team.ts'

/** The name of the tool. */
const toolName = 'python'
/** Figures of an answer at most; the log has the others. */
const maxFigures = 12
/** What is kept of the numbers of one run of code. */
const maxResultCharacters = 4_000

/** Whether this run's expert may run Python: it was on when the question was asked, and the expert is a language model. */
export function offersPython({ python }: AskState, context: RunContext): boolean {
  return python && context.services.models.forRole('expert').effect !== 'pure'
}

/** The expert's tools in this run. */
export async function expertToolsFor(
  { expertTools, python }: TeamParts,
  state: AskState,
  context: RunContext,
): Promise<readonly Tool[]> {
  if (!offersPython(state, context)) return expertTools
  if (python === undefined)
    throw new ScholiumError(
      'invalid_configuration',
      'This run may use Python, and nothing that runs it is set up.',
    )
  return [...expertTools, await python()]
}

/** What Python gave back, as far as it is looked at here. */
type Ran = {
  readonly stdout?: Json
  readonly value?: Json
  readonly error?: Json
  readonly figures?: readonly string[]
}

/** Takes the drawings out of what models see: each becomes a note, and is kept here. */
export class Figures {
  private readonly kept: Figure[]
  private count: number

  /** @param kept those that the run has already */
  constructor(kept: readonly Figure[]) {
    this.kept = [...kept]
    this.count = kept.length
  }

  get all(): readonly Figure[] {
    return this.kept.slice(0, maxFigures)
  }

  /** A result in the form in which a model sees it. */
  present(result: ToolResultPart): ToolResultPart {
    const output = result.output as Ran
    if (result.toolName !== toolName || result.isError === true || !Array.isArray(output.figures))
      return result
    const figures = output.figures.map((svg) => this.keep(String(svg)))
    return { ...result, output: { ...(output as object), figures } as Json }
  }

  private keep(svg: string): string {
    this.count++
    const [, width = '0', height = '0'] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? []
    const size = { width: Number(width), height: Number(height) }
    this.kept.push({ figure: this.count, mediaType: 'image/svg+xml', ...size, svg })
    return `figure ${this.count}: ${width}×${height}, kept`
  }
}

/**
 * What code calculated: the numbers of its output and value that do not stand in the code itself. What was only written down and
 * printed again is no calculation.
 *
 * @param calls those that the results answer, in their order
 */
export function calculationsOfPython(
  results: readonly ToolResultPart[],
  calls: readonly ToolCallPart[],
): readonly Calculation[] {
  return results.flatMap((part, index) => {
    if (part.toolName !== toolName || part.isError === true) return []
    const { stdout = '', value = null } = part.output as Ran
    const printed = [stdout, value].map((one) =>
      typeof one === 'string' ? one : JSON.stringify(one, null, 1),
    )
    const expression = codeOf(calls[index])
    const result = numbersBeside(printed.join('\n'), expression).join(' ; ')
    if (result === '') return []
    return [{ tool: 'python', expression, result: result.slice(0, maxResultCharacters) }]
  })
}

function codeOf(call: ToolCallPart | undefined): string {
  const { code = '' } = (call?.input ?? {}) as { readonly code?: Json }
  return String(code)
}
