import type { ReferenceFormat } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { withApp } from './app-settings.ts'
import type { RunCommand } from './invocation.ts'
import { printResult } from './print.ts'
import { oneLine } from './text.ts'

/** The forms of a list of references, with what each is for. */
export const referenceFormats: Readonly<Record<ReferenceFormat, string>> = {
  text: 'plain text',
  markdown: 'Markdown',
  html: 'HTML',
  bibtex: 'BibTeX',
  ris: 'RIS',
  csl: 'CSL-JSON',
}

/** `scholium references`. */
export const runReferences: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { words, options, terminal } = invocation
    const format = formatOf(options.filled('format'))
    const style = options.filled('style')
    const [from = 'last'] = words
    const references = await app.references(from, {
      ...(format === undefined ? {} : { format }),
      ...(style === undefined ? {} : { style }),
    })
    for (const { key, line, reason } of references.refused)
      terminal.tell(
        `Left out: ${oneLine(key ?? 'an entry')}${line === undefined ? '' : ` (line ${line})`}: ${oneLine(reason)}`,
      )
    if (references.items.length === 0) terminal.tell('There are no references in it.')
    printResult(invocation, references, () => withoutEscapes(references.text))
    return references.refused.length === 0 ? 0 : 3
  })

function formatOf(given: string | undefined): ReferenceFormat | undefined {
  if (given === undefined || given in referenceFormats) return given as ReferenceFormat | undefined
  throw new ScholiumError('invalid_input', `There is no form "${given}" of references.`, {
    hint: `Choose one of: ${Object.keys(referenceFormats).join(', ')}.`,
  })
}

/** What came from files may hold controls, which a terminal takes for commands. */
function withoutEscapes(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '')
}
