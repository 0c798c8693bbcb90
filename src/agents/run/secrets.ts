import { ScholiumError } from '../../kernel/errors.ts'
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
  /** Secrets without a value, and why they have none. */
  readonly missing: readonly MissingSecret[]
  /** Variables that the file names and has no value of: to read one is an error. */
  readonly missingVariables: readonly MissingSecret[]
}

/** A secret, or a variable of the environment, that has no value here. */
export interface MissingSecret {
  readonly name: string
  /** Why, as a sentence, and what gives it one. */
  readonly message: string
  readonly hint: string
}

/** The error of a run that would have to use a secret that it was not given: with it, the run goes on. */
function missingSecret({ message, hint }: MissingSecret): ScholiumError {
  return new ScholiumError('invalid_configuration', message, { retryable: true, hint })
}

/** Whether a variable of the environment is taken for a secret by its name. */
export function isSecretName(name: string): boolean {
  return /(?:key|token|secret|passw(?:or)?d|credentials?|auth)(?:_|\d|$)/i.test(name)
}

/** The values, with those that are missing as an error of whoever reads them; nobody finds them who does not name them. */
export function withRequired(
  values: EnvironmentValues,
  missing: readonly MissingSecret[],
): EnvironmentValues {
  const errors = missing.map((secret) => {
    const get = () => {
      throw missingSecret(secret)
    }
    return [secret.name, { get }] as const
  })
  return Object.defineProperties({ ...values }, Object.fromEntries(errors))
}

/** The secrets of a file, with the values that the environment gives them. */
export function secretsOf(
  document: Pick<AgentDocument, 'secrets'>,
  environment: EnvironmentValues,
  withheld: readonly string[] = [],
): AgentSecrets {
  const { secrets } = document
  const names = Object.keys(secrets)
  const missing = names.flatMap((name) => {
    const variables = missingIn(secrets[name] as string, environment)
    return variables.length === 0
      ? []
      : [describeMissing(`secret ${name}`, name, variables, withheld)]
  })
  const real = Object.fromEntries(
    names
      .filter((name) => missingIn(secrets[name] as string, environment).length === 0)
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
    missingVariables: missingVariables(document, environment, withheld),
  }
}

/** The variables without which a secret has no value. */
function missingIn(text: string, environment: EnvironmentValues): readonly string[] {
  return environmentNamesOf(text).flatMap(({ name, hasDefault }) =>
    hasDefault || Object.hasOwn(environment, name) ? [] : [name],
  )
}

function missingVariables(
  document: Pick<AgentDocument, 'secrets'>,
  environment: EnvironmentValues,
  withheld: readonly string[],
): readonly MissingSecret[] {
  const ofSecrets = Object.values(document.secrets).flatMap((text) => missingIn(text, environment))
  const text = withheld.length === 0 ? '' : JSON.stringify(document)
  const named = withheld.filter((name) => text.includes(name))
  return [...new Set([...ofSecrets, ...named])].map((name) =>
    describeMissing(`variable ${name}`, name, [name], withheld),
  )
}

/** @param what what has no value, as in `secret TOKEN` */
function describeMissing(
  what: string,
  name: string,
  variables: readonly string[],
  withheld: readonly string[],
): MissingSecret {
  const kept = variables.filter((variable) => withheld.includes(variable))
  const unset = variables.filter((variable) => !withheld.includes(variable))
  const why = [
    ...(unset.length === 0 ? [] : [`${unset.join(', ')} is not set in the environment`]),
    ...(kept.length === 0 ? [] : [`the file was not given ${kept.join(', ')}`]),
  ].join(', and ')
  const toGive = variables.filter((variable) => kept.includes(variable) || isSecretName(variable))
  const give = toGive.map((variable) => `--secret ${variable}`).join(' ')
  const set = unset.length === 0 ? '' : `Set ${unset.join(', ')}`
  const hint =
    give === ''
      ? `${set}.`
      : set === ''
        ? `Give it with ${give}.`
        : `${set} and give it with ${give}.`
  return { name, message: `The ${what} has no value: ${why}.`, hint }
}

function placeholder(name: string): string {
  return `[secret:${name}]`
}
