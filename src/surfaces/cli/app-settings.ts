import type { AppOptions, createApp } from '../../app.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Limits } from '../../kernel/limits.ts'
import type { ModelRole } from '../../kernel/model.ts'
import type { Invocation } from './invocation.ts'
import type { GivenOptions } from './option.ts'
import { nearest } from './suggest.ts'

/** The app, as its surfaces see it. */
export type OpenApp = ReturnType<typeof createApp>
/** The answer to a question. */
export type Answer = Awaited<ReturnType<OpenApp['ask']>>

/** Does `work` with the app that the options describe, and closes it whatever happens. */
export async function withApp(
  invocation: Invocation,
  work: (app: OpenApp) => Promise<number>,
): Promise<number> {
  const settings = appSettings(invocation)
  const { createApp } = await import('../../app.ts')
  const app = createApp(settings)
  try {
    return await work(app)
  } finally {
    await app.close()
  }
}

type Models = { readonly [role in ModelRole]?: string }

function appSettings({ options, terminal }: Invocation): AppOptions {
  const home = options.text('home')
  const models = options.has('model') ? modelsOf(options) : {}
  const limits = limitsOf(options)
  return {
    environment: terminal.host.env,
    folder: terminal.host.cwd(),
    ...(home === undefined ? {} : { home }),
    ...(Object.keys(models).length === 0 ? {} : { models }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  }
}

const roles: readonly ModelRole[] = [
  'default',
  'planner',
  'researcher',
  'expert',
  'critic',
  'finalizer',
]

/** Models by role from `--model NAME` and `--model ROLE=NAME`. @throws `invalid_input` for a role that is none */
export function modelsOf(options: GivenOptions): Models {
  const pairs = options.texts('model').map((text): readonly [string, string] => {
    const [, role, name] = /^([a-z]+)=(.*)$/s.exec(text) ?? []
    if (role === undefined || name === undefined) return ['default', text]
    if ((roles as readonly string[]).includes(role)) return [role, name]
    const meant = nearest(role, roles)
    throw new ScholiumError('invalid_input', `"${role}" is no role that a model can have.`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Roles: ${roles.join(', ')}.`,
    })
  })
  return Object.fromEntries(pairs)
}

/** The limits of a run. @throws `invalid_input` for a value that is none */
export function limitsOf(options: GivenOptions): Limits {
  const maxSteps = options.whole('max-steps', 1)
  const maxTokens = options.whole('max-tokens', 1)
  const maxCostUsd = options.amount('max-cost-usd')
  const maxSeconds = options.amount('max-seconds')
  return {
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(maxSeconds === undefined ? {} : { maxWallMs: Math.round(maxSeconds * 1000) }),
  }
}
