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
      result: 'its input',
      run: async (given) => given as JsonObject,
    }),
    defineComposedAction({
      name: 'core.switch',
      description:
        'Chooses the next node: the node has edges, one target per value and one for default.',
      params: z.strictObject({
        value: z.json().optional().describe('The value; its text is looked up among the edges.'),
      }),
      result: 'the value',
      run: async ({ value = null }) => value,
    }),
    ...['core.return', 'return'].map((name) =>
      defineComposedAction({
        name,
        description: 'Ends the run with a result.',
        params: values.describe('The result of the run: value, or any members.'),
        result: 'value if it is the only member, otherwise all members; also the output of the run',
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
        template: z.json().describe('Text with templates, or values that contain such text.'),
      }),
      result: 'the rendered value',
      run: async ({ template }) => template,
    }),
  ]
}
