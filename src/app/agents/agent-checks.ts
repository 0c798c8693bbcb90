import type { Action, ActionRegistry } from '../../agents/actions/action.ts'
import { suggestProvider } from '../../agents/actions/composed/model-choice.ts'
import type { DocumentChecks, KnownAction } from '../../agents/document/checks.ts'
import { createTemplates } from '../../agents/templates/templates.ts'

/** The name of an action. */
export function actionName(action: Action): string {
  return action.kind === 'tool' ? action.tool.name : action.name
}

/** What to check agent files against, given a program's actions. */
export async function createChecks(
  { all }: ActionRegistry,
  refused: ReadonlyMap<string, string>,
  providers: readonly string[] = [],
): Promise<DocumentChecks> {
  const known = all.map((action): readonly [string, KnownAction] => {
    const { params, needs } = action
    const name = actionName(action)
    const late = action.kind === 'composed' ? action.lateParams : undefined
    return [
      name,
      {
        name,
        params,
        ...(needs === undefined ? {} : { needs }),
        ...(late === undefined ? {} : { lateParams: late }),
      },
    ]
  })
  return {
    actions: new Map(known),
    refused,
    templates: await createTemplates(),
    misnamedProvider: (model) => suggestProvider(model, providers),
  }
}
