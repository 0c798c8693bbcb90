import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { ComposedAction } from '../action.ts'
import { composedAction } from '../composed/composed-action.ts'
import { errorActions } from './error-actions.ts'
import { traceActions } from './trace-actions.ts'
import { validateInputAction } from './validate-actions.ts'

const maxCodeCharacters = 50_000

/** The actions that look at the state of the file, and do not more than one step. */
export function createStateActions(): readonly ComposedAction[] {
  return [
    ...errorActions(),
    ...traceActions(),
    validateInputAction(),
    hasSecretAction(),
    luaAction(),
    prologAction(),
  ]
}

function hasSecretAction(): ComposedAction {
  return composedAction({
    name: 'secrets.has',
    description: 'Whether the file names a secret that has a value.',
    params: z.strictObject({ key: z.string().min(1).describe('Its name in secrets.') }),
    result: '{exists}',
    run: async ({ key }, call) => {
      const secrets = call.render('{{ secrets }}')
      return { exists: isJsonObject(secrets) && Object.hasOwn(secrets, key) }
    },
  })
}

function luaAction(): ComposedAction {
  return composedAction({
    name: 'lua.eval',
    description:
      'Runs Lua in the sandbox. It finds the members of the state as its variables, and all of it as state.',
    params: z.strictObject({
      code: z
        .string()
        .min(1)
        .max(maxCodeCharacters)
        .describe('The code, at most 50,000 characters.'),
    }),
    result: 'what it returns',
    run: ({ code }, call) =>
      call.runCode({ language: 'lua', code }, call.context.child('lua'), call.state),
  })
}

function prologAction(): ComposedAction {
  return composedAction({
    name: 'prolog.query',
    description: 'Asks Prolog in the sandbox for the solutions of a goal, at most 100.',
    params: z.strictObject({
      code: z
        .string()
        .min(1)
        .max(maxCodeCharacters)
        .describe(
          'The goal: category(X), X \\= unknown. Clauses may stand above it where it begins with ?-',
        ),
      facts: z
        .string()
        .max(500_000)
        .default('')
        .describe('Facts and rules that it may use, at most 500,000 characters.'),
    }),
    result: '{bindings: [{X: value}], count, success}; no bindings where it does not hold',
    run: async ({ code, facts }, call) => {
      const { clauses, goal } = queryOf(code)
      const text = `${closed(facts)}\n${closed(clauses)}\n?- (${goal}).`
      const context = call.context.child('prolog')
      const bindings = bindingsOf(await call.runCode({ language: 'prolog', code: text }, context))
      return { bindings, count: bindings.length, success: true }
    },
  })
}

/** The goal of a query, and the clauses that may stand above its `?-`. */
function queryOf(code: string): { readonly clauses: string; readonly goal: string } {
  const at = [...code.matchAll(/^[ \t]*\?-/gm)].at(-1)
  const clauses = at === undefined ? '' : code.slice(0, at.index)
  const goal = at === undefined ? code : code.slice(at.index + at[0].length)
  return { clauses, goal: goal.trim().replace(/\.$/, '') }
}

/** Clauses whose last one ends, as it may be left out. */
function closed(clauses: string): string {
  const written = clauses.trimEnd()
  const last = written.split('\n').at(-1) ?? ''
  return written === '' || /\.\s*(?:%.*)?$/.test(last) || /^\s*%/.test(last)
    ? written
    : `${written}.`
}

/** Of a goal that holds without variables there is one solution, which binds nothing. */
function bindingsOf(value: Json): readonly Json[] {
  if (value === null) return [{}]
  return Array.isArray(value) ? value : [value]
}
