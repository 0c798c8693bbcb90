import { ScholiumError } from '../../../kernel/errors.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { jsonText, printResult } from '../../render/print.ts'

/** `scholium inspect`. */
export const runInspect: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { words, options, format: output } = invocation
    const format = options.choice('format', ['mermaid', 'dot', 'json'])
    if (output !== 'text' && format !== undefined && format !== 'json') {
      throw new ScholiumError(
        'invalid_input',
        `--json cannot be combined with --format ${format}.`,
        {
          hint: 'Omit --json, or give --format json.',
        },
      )
    }
    const overlays = options.texts('overlay')
    const inspected = await app.inspectAgent(words[0] ?? '', { overlays })
    const { document, picture, mermaid, dot } = inspected
    const data = { schema: 'scholium.inspect/1', document, picture }
    printResult(invocation, data, () => {
      if (format === 'json') return jsonText(data)
      return format === 'dot' ? dot : mermaid
    })
    return 0
  })
