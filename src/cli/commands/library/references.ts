import type { ReferenceFormat, References } from '../../../app.ts'
import { printable } from '../../../citations/markup/printable.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { RunCommand } from '../../arguments/invocation.ts'
import { printResult } from '../../render/print.ts'
import { oneLine } from '../../render/text.ts'
import { referenceFormats } from './references-formats.ts'

/** `scholium references`. */
export const runReferences: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const { words, options, terminal } = invocation
    const format = chooseFormat(options.filled('format'))
    const style = options.filled('style')
    const [from = 'last'] = words
    const references = await app.references(from, {
      ...(format === undefined ? {} : { format }),
      ...(style === undefined ? {} : { style }),
    })
    for (const refused of references.refused) terminal.tell(oneLine(refusalText(refused)))
    for (const { text, ...place } of references.notes)
      terminal.tell(oneLine(`Note: ${[...formatPlace(place), text].join(': ')}`))
    const { items, refused } = references
    if (items.length === 0) terminal.tell('It contains no references.')
    printResult(invocation, references, () => printable(references.text))
    return refused.length === 0 ? 0 : 3
  })

function chooseFormat(given: string | undefined): ReferenceFormat | undefined {
  if (given === undefined || isFormat(given)) return given
  throw new ScholiumError('invalid_input', `Unknown reference format "${given}".`, {
    hint: `Choose one of: ${Object.keys(referenceFormats).join(', ')}.`,
  })
}

function isFormat(given: string): given is ReferenceFormat {
  return Object.hasOwn(referenceFormats, given)
}

type Refused = References['refused'][number]

/** A file, a work or an entry is left out; a single field is only missing from its entry. */
function refusalText({ reason, ...place }: Refused): string {
  const where = formatPlace(place).join(': ')
  if (where === '') return `Not read: ${reason}`
  return place.field === undefined ? `Skipped: ${where}: ${reason}` : `${where}: skipped: ${reason}`
}

/** The entry with its line, and the field. */
function formatPlace({ key, field, line, index }: Partial<Refused>): readonly string[] {
  const named = key ?? (index === undefined ? 'an entry' : `item ${index}`)
  if (key === undefined && line === undefined && index === undefined) return []
  const entry = line === undefined ? named : `${named} (line ${line})`
  return field === undefined ? [entry] : [entry, `field ${field}`]
}
