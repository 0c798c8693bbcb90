import type { AgentDocument } from '../document/agent-document.ts'
import {
  type EnvironmentValues,
  environmentNamesOf,
  expandEnvironment,
} from '../templates/environment.ts'

/** The secrets of a file, for templates as the log shows them and for effects. */
export interface AgentSecrets {
  /** Name to `[secret:NAME]`. */
  readonly shown: Readonly<Record<string, string>>
  /** Name to value. */
  readonly real: Readonly<Record<string, string>>
  /** The environment, values of secret names replaced. */
  readonly shownEnvironment: EnvironmentValues
  /** All values that must not come into a log. */
  readonly values: readonly string[]
  /** Names of secrets whose variables of the environment have no value. */
  readonly missing: readonly string[]
}

/** Whether a variable of the environment is taken for a secret by its name. */
export function isSecretName(name: string): boolean {
  return /(?:key|token|secret|passw(?:or)?d|credentials?|auth)(?:_|\d|$)/i.test(name)
}

/** The secrets of a file, with the values that the environment gives them. */
export function secretsOf(
  { secrets }: Pick<AgentDocument, 'secrets'>,
  environment: EnvironmentValues,
): AgentSecrets {
  const names = Object.keys(secrets)
  const missing = names.filter((name) => !hasValue(secrets[name] as string, environment))
  const real = Object.fromEntries(
    names
      .filter((name) => !missing.includes(name))
      .map((name) => [name, expandEnvironment(secrets[name] as string, environment)]),
  )
  const named = names.flatMap((name) => environmentNamesOf(secrets[name] as string))
  const secretVariables = new Set(named.map(({ name }) => name))
  const isSecret = (name: string) => secretVariables.has(name) || isSecretName(name)
  const variables = Object.entries(environment)
  return {
    shown: Object.fromEntries(names.map((name) => [name, placeholder(name)])),
    real,
    shownEnvironment: Object.fromEntries(
      variables.map(([name, value]) => [name, isSecret(name) ? placeholder(name) : value]),
    ),
    values: [
      ...Object.values(real),
      ...variables.flatMap(([name, value]) => (isSecret(name) ? [value] : [])),
    ].filter((value) => value !== ''),
    missing,
  }
}

function hasValue(text: string, environment: EnvironmentValues): boolean {
  return environmentNamesOf(text).every(
    ({ name, hasDefault }) => hasDefault || Object.hasOwn(environment, name),
  )
}

function placeholder(name: string): string {
  return `[secret:${name}]`
}
