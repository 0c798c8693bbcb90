import type { Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError, toFailure } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { CitedNumbers } from '../numbers/index-entry.ts'
import { citationSchema } from './citation-parameters.ts'
import { translateCitations } from './translate-citations.ts'

/**
 * A tool whose parameters for addresses take citation numbers: `url` is shown to models as `citation`, `page_urls` as
 * `page_citations`, an integer from 1 or a list of them. When it is called, the numbers are turned into the addresses that
 * `numbers` has then, and the tool gets those. A number that stands for nothing, or for a source without an address, is refused
 * like any argument of the wrong form. A tool without such parameters stays as it is.
 *
 * @throws `invalid_configuration` for a tool that takes addresses in a form that numbers cannot stand for
 */
export function adaptTool(tool: Tool, numbers: CitedNumbers): Tool {
  const parameters = shownParameters(tool)
  if (parameters === undefined) return tool
  return {
    ...tool,
    description: `${tool.description} Sources are given by their citation numbers.`.trimStart(),
    parameters,
    parse(input) {
      const translated = translateCitations(tool.parameters, input as Json, numbers)
      return translated.ok ? tool.parse(translated.value) : translated
    },
    execute: (input, run) => tool.execute(input, run),
  }
}

function shownParameters({ name, parameters }: Tool): JsonObject | undefined {
  try {
    return citationSchema(parameters)
  } catch (error) {
    const { code, message, hint, details } = toFailure(error)
    throw new ScholiumError(code, `The tool "${name}" cannot take citation numbers. ${message}`, {
      cause: error,
      ...(hint === undefined ? {} : { hint }),
      ...(details === undefined ? {} : { details }),
    })
  }
}
