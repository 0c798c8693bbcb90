import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { ComposedAction } from '../action.ts'
import { defineComposedAction } from '../composed/composed-action.ts'
import { errorActions } from './error-actions.ts'
import { traceActions } from './trace-actions.ts'
import { validateInputAction } from './validate-actions.ts'

const maxCodeCharacters = 50_000

/** Actions that read the state and perform at most one step. */
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
  return defineComposedAction({
    name: 'secrets.has',
    description: 'Whether a secret declared in the file has a value.',
    params: z.strictObject({ key: z.string().min(1).describe('Its name in secrets.') }),
    result: '{exists}',
    run: async ({ key }, call) => {
      const secrets = call.render('{{ secrets }}')
      return { exists: isJsonObject(secrets) && Object.hasOwn(secrets, key) }
    },
  })
}

function luaAction(): ComposedAction {
  return defineComposedAction({
    name: 'lua.eval',
    description:
      'Runs Lua in the sandbox. State members are available as variables, and the whole state as state.',
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
  return defineComposedAction({
    name: 'prolog.query',
    description: 'Finds up to 100 solutions of a goal with Prolog in the sandbox.',
    params: z.strictObject({
      code: z
        .string()
        .min(1)
        .max(maxCodeCharacters)
        .describe(
          'The goal: category(X), X \\= unknown. If it starts with ?-, clauses may precede it',
        ),
      facts: z
        .string()
        .max(500_000)
        .default('')
        .describe('Facts and rules for the query, at most 500,000 characters.'),
    }),
    result: '{bindings: [{X: value}], count, success}; no bindings if the goal fails',
    run: async ({ code, facts }, call) => {
      const { clauses, goal } = toQuery(code)
      const text = `${closed(facts)}\n${closed(clauses)}\n?- (${goal}).`
      const context = call.context.child('prolog')
      const bindings = readBindings(await call.runCode({ language: 'prolog', code: text }, context))
      return { bindings, count: bindings.length, success: true }
    },
  })
}

/** The goal of a query, and the clauses above its `?-`. */
function toQuery(code: string): { readonly clauses: string; readonly goal: string } {
  const at = [...code.matchAll(/^[ \t]*\?-/gm)].at(-1)
  const clauses = at === undefined ? '' : code.slice(0, at.index)
  const goal = at === undefined ? code : code.slice(at.index + at[0].length)
  return { clauses, goal: goal.trim().replace(/\.$/, '') }
}

/** Clauses with a final period, which may be omitted. */
function closed(clauses: string): string {
  const written = clauses.trimEnd()
  const last = written.split('\n').at(-1) ?? ''
  return written === '' || /\.\s*(?:%.*)?$/.test(last) || /^\s*%/.test(last)
    ? written
    : `${written}.`
}

/** A goal without variables that holds has one solution with no bindings. */
function readBindings(value: Json): readonly Json[] {
  if (value === null) return [{}]
  return Array.isArray(value) ? value : [value]
}
