import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import { isJsonObject } from '../../kernel/json.ts'
import type { AgentDocument } from '../document/agent-document.ts'
import {
  type EnvironmentName,
  type EnvironmentValues,
  environmentNamesOf,
  expandEnvironment,
} from '../templates/environment.ts'
import type { Templates } from '../templates/templates.ts'

/** What of the environment the operator gave to a run. */
export interface GivenEnvironment {
  /** Values that are no secrets; they are in the record. */
  readonly plain: EnvironmentValues
  /** Names of variables whose values are secret and that had one when the run began. */
  readonly secretNames: readonly string[]
  /** Values of secrets, as far as this process has them; also of those that were given since the run began. */
  readonly secretValues: EnvironmentValues
  /** Variables that the files read, that had a value when the run began, and that were not given. */
  readonly withheld: readonly string[]
}

/** The secrets of a file, for templates as the log shows them and for effects. */
export interface AgentSecrets {
  /** Name to `[secret:NAME]`. */
  readonly shown: EnvironmentValues
  /** Name to value, for those that have one. */
  readonly real: EnvironmentValues
  /** What the file may read of the environment, values of secrets replaced. */
  readonly shownEnvironment: EnvironmentValues
  /** The same with the values of secrets, as far as this process has them. */
  readonly realEnvironment: EnvironmentValues
  /** All values that must not come into a log. */
  readonly values: readonly string[]
  /** Secrets that had no value when the run began. */
  readonly missing: readonly Absent[]
  /** Names of variables that are secret. */
  readonly variables: ReadonlySet<string>
  /** Secrets that are absent from `real`. */
  readonly absent: readonly Absent[]
  /** Variables that the run began with and this process does not have. */
  readonly lost: readonly Absent[]
  /** Variables that an effect needs where the file gives no default: the run began without them. */
  readonly required: readonly (Absent | Given)[]
}

/** A secret, or a variable of the environment, that has no value here. */
export interface Absent {
  readonly name: string
  /** Why, as a sentence, and what gives it one. */
  readonly message: string
  readonly hint: string
}

/** A variable that was given after the run began. */
export interface Given {
  readonly name: string
  readonly value: string
}

/** The values, with what is absent as an error of whoever reads it: with a value the run goes on. */
export function withAbsent(
  values: EnvironmentValues,
  absent: readonly Absent[],
): EnvironmentValues {
  return withGetters(values, absent, true)
}

/** The values, with more that only a name without a default finds (see `expandEnvironment`). */
export function withRequired(
  values: EnvironmentValues,
  required: readonly (Absent | Given)[],
): EnvironmentValues {
  return withGetters(values, required, false)
}

function withGetters(
  values: EnvironmentValues,
  more: readonly (Absent | Given)[],
  enumerable: boolean,
): EnvironmentValues {
  const getters = more.map((one) => {
    const get = () => {
      if ('value' in one) return one.value
      const { message, hint } = one
      throw new ScholiumError('invalid_configuration', message, { retryable: true, hint })
    }
    return [one.name, { enumerable, get }] as const
  })
  return Object.create(null, {
    ...Object.getOwnPropertyDescriptors(values),
    ...Object.fromEntries(getters),
  }) as EnvironmentValues
}

/** The secrets of a file, with the values that the environment gives them. */
export function secretsOf(
  document: Pick<AgentDocument, 'secrets'>,
  given: GivenEnvironment,
): AgentSecrets {
  const { plain, secretNames, secretValues } = given
  const { secrets } = document
  const names = Object.keys(secrets)
  const lost = secretNames.filter((name) => !Object.hasOwn(secretValues, name))
  const shownEnvironment = { ...plain, ...placeholders(secretNames) }
  const had = secretNames.filter((name) => Object.hasOwn(secretValues, name))
  const all = { ...secretValues, ...plain }
  const absent = names.filter((name) => missingIn(secrets[name] as string, all, lost).length > 0)
  const real = Object.fromEntries(
    names
      .filter((name) => !absent.includes(name))
      .map((name) => [name, expandEnvironment(secrets[name] as string, all)]),
  )
  const describeSecret = (environment: EnvironmentValues) => (name: string) =>
    describeAbsent(
      `secret ${name}`,
      name,
      missingIn(secrets[name] as string, environment, lost),
      given,
    )
  return {
    shown: placeholders(names),
    real,
    shownEnvironment,
    realEnvironment: {
      ...plain,
      ...Object.fromEntries(had.map((name) => [name, secretValues[name] as string])),
    },
    values: [...Object.values(real), ...Object.values(secretValues)].filter(
      (value) => value !== '',
    ),
    missing: names
      .filter((name) => missingIn(secrets[name] as string, shownEnvironment).length > 0)
      .map(describeSecret(shownEnvironment)),
    variables: new Set(secretNames),
    absent: absent.map(describeSecret(all)),
    lost: lost.map((name) => describeAbsent(`variable ${name}`, name, [name], given)),
    required: requiredOf(document, given),
  }
}

/** The variables of the environment that the secrets of a file are made of. */
export function secretVariablesOf({ secrets }: Pick<AgentDocument, 'secrets'>): readonly string[] {
  return Object.values(secrets).flatMap((text) => environmentNamesOf(text).map(({ name }) => name))
}

function requiredOf(
  document: Pick<AgentDocument, 'secrets'>,
  given: GivenEnvironment,
): readonly (Absent | Given)[] {
  const { plain, secretNames, secretValues, withheld } = given
  return [...new Set([...withheld, ...secretVariablesOf(document)])]
    .filter((name) => !Object.hasOwn(plain, name) && !secretNames.includes(name))
    .map((name) => {
      const value = Object.hasOwn(secretValues, name) ? secretValues[name] : undefined
      if (value !== undefined) return { name, value }
      return describeAbsent(`variable ${name}`, name, [name], given)
    })
}

/** The variables without which a secret has no value. */
function missingIn(
  text: string,
  environment: EnvironmentValues,
  lost: readonly string[] = [],
): readonly string[] {
  return environmentNamesOf(text)
    .filter(({ name, hasDefault }) => !hasDefault || lost.includes(name))
    .flatMap(({ name }) => (Object.hasOwn(environment, name) ? [] : [name]))
}

/** @param what what has no value, as in `secret TOKEN` */
function describeAbsent(
  what: string,
  name: string,
  variables: readonly string[],
  { withheld }: GivenEnvironment,
): Absent {
  const kept = variables.filter((variable) => withheld.includes(variable))
  const unset = variables.filter((variable) => !withheld.includes(variable))
  const why = [
    ...(unset.length === 0 ? [] : [`${unset.join(', ')} is not set in the environment`]),
    ...(kept.length === 0 ? [] : [`the file was not given ${kept.join(', ')}`]),
  ].join(', and ')
  const give = variables.map((variable) => `--secret ${variable}`).join(' ')
  const hint =
    unset.length === 0
      ? `Give it with ${give}.`
      : `Set ${unset.join(', ')} and give it with ${give}.`
  return { name, message: `The ${what} has no value: ${why}.`, hint }
}

function placeholders(names: readonly string[]): EnvironmentValues {
  return Object.fromEntries(names.map((name) => [name, `[secret:${name}]`]))
}

/** What tells whether a text reads a secret. */
interface SecretReader {
  readonly document: AgentDocument
  readonly secrets: AgentSecrets
  readonly shown: { readonly templates: Templates }
}

/**
 * Whether the templates in a value may read a secret: `secrets`, a variable of the environment that is one or may be given as one, `env` as soon as one
 * of it is, `settings` that do. By what is written alone, so that it is the same whether the secret is there or not.
 */
export function readsSecret(run: SecretReader, value: Json, followsSettings = true): boolean {
  if (Array.isArray(value)) return value.some((item) => readsSecret(run, item, followsSettings))
  if (isJsonObject(value))
    return Object.values(value).some((member) => readsSecret(run, member ?? null, followsSettings))
  if (typeof value !== 'string') return false
  const { document, secrets, shown } = run
  const required = secrets.required.map(({ name }) => name)
  const isSecret = ({ name, hasDefault }: EnvironmentName) =>
    secrets.variables.has(name) || (!hasDefault && required.includes(name))
  if (environmentNamesOf(value).some(isSecret)) return true
  if (!/\{[{%]/.test(value)) return false
  const { roots } = shown.templates.namesOf(value, 'template')
  if (roots.has('secrets') && Object.keys(document.secrets).length > 0) return true
  if (roots.has('env') && secrets.variables.size > 0) return true
  // Settings in settings are as written, their own templates not filled in.
  return followsSettings && roots.has('settings') && readsSecret(run, document.settings.all, false)
}

/** `env.NAME`, `env["NAME"]` and `env.get("NAME")` in a template. */
const inTemplate = /\benv(?:\.get\(\s*["']|\.|\[\s*["'])([A-Za-z_]\w*)/g

/** The variables of the environment that a file names, in the order in which they stand there. Code reads none. */
export function environmentReadBy(document: AgentDocument): readonly string[] {
  const { description: _said, ...read } = document
  const names = textsIn(read as unknown as Json).flatMap((text) => [
    ...environmentNamesOf(text).map(({ name }) => name),
    ...[...text.matchAll(inTemplate)].map(([, name]) => name as string),
  ])
  return [...new Set(names)].filter((name) => name !== 'get')
}

/** All texts of a value but those that are code. */
function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value as JsonObject).flatMap(([key, member]) =>
    key === 'code' || key === 'run' ? [] : textsIn(member ?? null),
  )
}
