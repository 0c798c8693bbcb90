import type { AgentDocument } from '../document/agent-document.ts'
import {
  type EnvironmentValues,
  environmentNamesOf,
  expandEnvironment,
} from '../templates/environment.ts'

/** What of the environment the operator gave to a run. */
export interface GivenEnvironment {
  /** Values that are no secrets; they are in the record. */
  readonly plain: EnvironmentValues
  /** Names of variables whose values are secret and that had one when the run began. */
  readonly secretNames: readonly string[]
  /** Their values, as far as this process has them. */
  readonly secretValues: EnvironmentValues
}

/** The secrets of a file, for templates as the log shows them and for effects. */
export interface AgentSecrets {
  /** Name to `[secret:NAME]`. */
  readonly shown: Readonly<Record<string, string>>
  /** Name to value. */
  readonly real: Readonly<Record<string, string>>
  /** What the file may read of the environment, values of secrets replaced. */
  readonly shownEnvironment: EnvironmentValues
  /** The same with the values of secrets. */
  readonly realEnvironment: EnvironmentValues
  /** All values that must not come into a log. */
  readonly values: readonly string[]
  /** Names of secrets of the file whose variables of the environment have no value. */
  readonly missing: readonly string[]
  /** Names of variables that are secret. */
  readonly variables: ReadonlySet<string>
  /** Those of them that the run began with and this process does not have. */
  readonly lost: readonly string[]
}

/** The secrets of a file, with the values that the environment gives them. */
export function secretsOf(
  { secrets }: Pick<AgentDocument, 'secrets'>,
  { plain, secretNames, secretValues }: GivenEnvironment,
): AgentSecrets {
  const names = Object.keys(secrets)
  const had = secretNames.filter((name) => Object.hasOwn(secretValues, name))
  const shownEnvironment = {
    ...plain,
    ...Object.fromEntries(secretNames.map((name) => [name, placeholder(name)])),
  }
  const ownValues = Object.fromEntries(had.map((name) => [name, secretValues[name] as string]))
  const realEnvironment = { ...plain, ...ownValues }
  const missing = names.filter((name) => !hasValue(secrets[name] as string, shownEnvironment))
  const real = Object.fromEntries(
    names
      .filter((name) => hasValue(secrets[name] as string, realEnvironment))
      .map((name) => [name, expandEnvironment(secrets[name] as string, realEnvironment)]),
  )
  const values = [...Object.values(real), ...Object.values(ownValues)]
  return {
    shown: Object.fromEntries(names.map((name) => [name, placeholder(name)])),
    real,
    shownEnvironment,
    realEnvironment,
    values: values.filter((value) => value !== ''),
    missing,
    variables: new Set(secretNames),
    lost: secretNames.filter((name) => !had.includes(name)),
  }
}

/** The variables of the environment that the secrets of a file are made of. */
export function secretVariablesOf({ secrets }: Pick<AgentDocument, 'secrets'>): readonly string[] {
  return Object.values(secrets).flatMap((text) => environmentNamesOf(text).map(({ name }) => name))
}

function hasValue(text: string, environment: EnvironmentValues): boolean {
  return environmentNamesOf(text).every(
    ({ name, hasDefault }) => hasDefault || Object.hasOwn(environment, name),
  )
}

function placeholder(name: string): string {
  return `[secret:${name}]`
}
