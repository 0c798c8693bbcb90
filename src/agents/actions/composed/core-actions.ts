import * as z from 'zod'
import type { JsonObject } from '../../../kernel/json.ts'
import type { ComposedAction } from '../action.ts'
import { defineComposedAction } from './composed-action.ts'

const values = z.record(z.string(), z.json())

/** Actions that only compute: `state.set`, `core.switch`, `core.return`, `return`, `template`. */
export function coreActions(): readonly ComposedAction[] {
  return [
    defineComposedAction({
      name: 'state.set',
      description: 'Sets keys of the state.',
      params: values.describe('Keys of the state with their values.'),
      result: 'what it was given',
      run: async (given) => given as JsonObject,
    }),
    defineComposedAction({
      name: 'core.switch',
      description:
        'Chooses the way on: the node has edges, a target for each value and one for default.',
      params: z.strictObject({
        value: z.json().optional().describe('What decides; its text is looked up among the edges.'),
      }),
      result: 'the value',
      run: async ({ value = null }) => value,
    }),
    ...['core.return', 'return'].map((name) =>
      defineComposedAction({
        name,
        description: 'Ends the run with a result.',
        params: values.describe('What the run gives: value, or any members.'),
        result: 'value where it is the only member, else all of them; also the output of the run',
        run: async (given) => {
          const [key, second] = Object.keys(given)
          return key === 'value' && second === undefined
            ? (given.value ?? null)
            : (given as JsonObject)
        },
      }),
    ),
    defineComposedAction({
      name: 'template',
      description: 'Fills in a template.',
      params: z.strictObject({
        template: z.json().describe('A text with templates in it, or values with such texts.'),
      }),
      result: 'what it came to',
      run: async ({ template }) => template,
    }),
  ]
}
