import type { ActionSummary } from '../../../app.ts'
import { ScholiumError } from '../../../kernel/errors.ts'
import { findNearest } from '../../../kernel/text/nearest.ts'
import { withApp } from '../../arguments/app-settings.ts'
import type { Invocation, RunCommand } from '../../arguments/invocation.ts'
import { printResult } from '../../render/print.ts'
import { renderTable } from '../../render/table.ts'
import { wrap } from '../../render/text.ts'

/** `scholium actions`. */
export const runActions: RunCommand = (invocation) =>
  withApp(invocation, async (app) => {
    const [name] = invocation.words
    const actions = await app.listActions()
    const chosen = name === undefined ? actions : named(actions, name)
    const isOne = chosen.length === 1 && chosen[0]?.name === name
    printResult(invocation, chosen, () =>
      isOne
        ? describe(chosen[0] as ActionSummary, invocation).join('\n')
        : renderTable(
            ['ACTION', 'DESCRIPTION'],
            chosen.map(({ name: own, description }) => [own, firstSentence(description)]),
            invocation.terminal.stdout.columns,
          ).join('\n'),
    )
    return 0
  })

/** The action, or the family of actions, with a name. @throws `invalid_input` if there is neither */
function named(actions: readonly ActionSummary[], name: string): readonly ActionSummary[] {
  const own = actions.filter((action) => action.name === name)
  const family = actions.filter((action) => action.name.startsWith(`${name}.`))
  if (own.length + family.length > 0) return own.length > 0 ? own : family
  const meant = findNearest(
    name,
    actions.map((action) => action.name),
  )
  throw new ScholiumError('invalid_input', `Unknown action "${name}".`, {
    hint: meant === undefined ? 'List them with: scholium actions' : `Did you mean ${meant}?`,
  })
}

function firstSentence(text: string): string {
  return /^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/[.:]$/, '') ?? text
}

function describe(action: ActionSummary, { terminal }: Invocation): readonly string[] {
  const { name, description, effect, result, needs, params } = action
  const { paint, columns = 100 } = terminal.stdout
  const lines = (text: string, indent: string) => wrap(text, Math.max(40, columns), indent)
  const told = params.flatMap(({ name: own, type, isRequired, default: usual, description }) => {
    const facts = [
      type,
      ...(isRequired ? ['required'] : usual === undefined ? [] : [`default ${usual}`]),
    ]
    return lines(`  ${paint.bold(own)} (${facts.join(', ')}) ${description}`.trimEnd(), '      ')
  })
  return [
    paint.bold(name),
    ...lines(description, ''),
    '',
    params.length === 0 ? 'No parameters' : 'Parameters',
    ...told,
    '',
    ...lines(`Returns: ${result}`, '  '),
    `Effect: ${effect}`,
    ...(needs === undefined ? [] : [`Needs the feature ${needs}`]),
  ]
}
