import { ScholiumError } from '../../kernel/errors.ts'
import { isJsonObject } from '../../kernel/json.ts'
import type { AgentDocument } from '../document/agent-document.ts'
import {
  type EnvironmentName,
  type EnvironmentValues,
  expandEnvironment,
  findEnvironmentNames,
} from '../templates/environment.ts'
import type { Templates } from '../templates/templates.ts'

/** What the operator granted a run of the environment. */
export interface GivenEnvironment {
  /** Values that are not secret; they are recorded. */
  readonly plain: EnvironmentValues
  /** Names of secret variables that had a value when the run began. */
  readonly secretNames: readonly string[]
  /** Values of secrets that this process has, including those granted since the run began. */
  readonly secretValues: EnvironmentValues
  /** Variables that the files read and that had a value when the run began, but were not granted. */
  readonly withheld: readonly string[]
}

/** A file's secrets, as templates show them in the log and as effects see them. */
export interface AgentSecrets {
  /** Name to `[secret:NAME]`. */
  readonly shown: EnvironmentValues
  /** Values by name, for those that have one. */
  readonly real: EnvironmentValues
  /** The environment as the file may see it, secret values replaced. */
  readonly shownEnvironment: EnvironmentValues
  /** The same with secret values, as far as this process has them. */
  readonly realEnvironment: EnvironmentValues
  /** All values that must not be logged. */
  readonly values: readonly string[]
  /** Secrets that had no value when the run began. */
  readonly missing: readonly Absent[]
  /** Names of secret variables. */
  readonly variables: ReadonlySet<string>
  /** Secrets missing from `real`. */
  readonly absent: readonly Absent[]
  /** Variables that the run began with and this process lacks. */
  readonly lost: readonly Absent[]
  /** Variables without a default that an effect needs; the run began without them. */
  readonly required: readonly (Absent | GivenValues)[]
}

/** A secret or environment variable that has no value. */
export interface Absent {
  readonly name: string
  /** Why, as a sentence, and how to set it. */
  readonly message: string
  readonly hint: string
}

/** A variable that was granted after the run began. */
export interface GivenValues {
  readonly name: string
  readonly value: string
}

/** The values; reading an absent one is an error, so that the run continues once it has a value. */
export function withAbsent(
  values: EnvironmentValues,
  absent: readonly Absent[],
): EnvironmentValues {
  return withGetters(values, absent, true)
}

/** The values, plus some that only names without a default find (see `expandEnvironment`). */
export function withRequired(
  values: EnvironmentValues,
  required: readonly (Absent | GivenValues)[],
): EnvironmentValues {
  return withGetters(values, required, false)
}

function withGetters(
  values: EnvironmentValues,
  more: readonly (Absent | GivenValues)[],
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

/** A file's secrets with their values from the environment. */
export function findSecrets(
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
  const absent = names.filter((name) => listMissing(secrets[name] as string, all, lost).length > 0)
  const real = Object.fromEntries(
    names
      .filter((name) => !absent.includes(name))
      .map((name) => [name, expandEnvironment(secrets[name] as string, all)]),
  )
  const describeSecret = (environment: EnvironmentValues) => (name: string) =>
    describeAbsent(
      `secret ${name}`,
      name,
      listMissing(secrets[name] as string, environment, lost),
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
      .filter((name) => listMissing(secrets[name] as string, shownEnvironment).length > 0)
      .map(describeSecret(shownEnvironment)),
    variables: new Set(secretNames),
    absent: absent.map(describeSecret(all)),
    lost: lost.map((name) => describeAbsent(`variable ${name}`, name, [name], given)),
    required: listRequired(document, given),
  }
}

/** The environment variables that a file's secrets use. */
export function listSecretVariables({
  secrets,
}: Pick<AgentDocument, 'secrets'>): readonly string[] {
  return Object.values(secrets).flatMap((text) =>
    findEnvironmentNames(text).map(({ name }) => name),
  )
}

function listRequired(
  document: Pick<AgentDocument, 'secrets'>,
  given: GivenEnvironment,
): readonly (Absent | GivenValues)[] {
  const { plain, secretNames, secretValues, withheld } = given
  return [...new Set([...withheld, ...listSecretVariables(document)])]
    .filter((name) => !Object.hasOwn(plain, name) && !secretNames.includes(name))
    .map((name) => {
      const value = Object.hasOwn(secretValues, name) ? secretValues[name] : undefined
      if (value !== undefined) return { name, value }
      return describeAbsent(`variable ${name}`, name, [name], given)
    })
}

/** The variables without which a secret has no value. */
function listMissing(
  text: string,
  environment: EnvironmentValues,
  lost: readonly string[] = [],
): readonly string[] {
  return findEnvironmentNames(text)
    .filter(({ name, hasDefault }) => !hasDefault || lost.includes(name))
    .flatMap(({ name }) => (Object.hasOwn(environment, name) ? [] : [name]))
}

/** @param what the thing without a value, such as `secret TOKEN` */
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
    ...(kept.length === 0 ? [] : [`${kept.join(', ')} was not passed to the file`]),
  ].join(', and ')
  const give = variables.map((variable) => `--secret ${variable}`).join(' ')
  const hint =
    unset.length === 0
      ? `Pass it with ${give}.`
      : `Set ${unset.join(', ')} and pass it with ${give}.`
  return { name, message: `The ${what} has no value: ${why}.`, hint }
}

function placeholders(names: readonly string[]): EnvironmentValues {
  return Object.fromEntries(names.map((name) => [name, `[secret:${name}]`]))
}

/** What is needed to tell whether a text reads a secret. */
interface SecretReader {
  readonly document: AgentDocument
  readonly secrets: AgentSecrets
  readonly shown: { readonly templates: Templates }
}

/**
 * Whether templates in a value may read a secret: `secrets`, an environment variable that is or may become secret, the
 * whole `env` if any of it is secret, or `settings` that do. Judged by the text alone, so that it does not depend on
 * which secrets are set.
 */
export function mayReadSecret(run: SecretReader, value: unknown, followsSettings = true): boolean {
  if (Array.isArray(value)) return value.some((item) => mayReadSecret(run, item, followsSettings))
  if (isJsonObject(value))
    return Object.values(value).some((member) =>
      mayReadSecret(run, member ?? null, followsSettings),
    )
  if (typeof value !== 'string') return false
  const { document, secrets, shown } = run
  const required = secrets.required.map(({ name }) => name)
  const isSecret = ({ name, hasDefault }: EnvironmentName) =>
    secrets.variables.has(name) || (!hasDefault && required.includes(name))
  if (findEnvironmentNames(value).some(isSecret)) return true
  if (!/\{[{%]/.test(value)) return false
  const { roots } = shown.templates.findNames(value, 'template')
  if (roots.has('secrets') && Object.keys(document.secrets).length > 0) return true
  if (roots.has('env') && secrets.variables.size > 0) return true
  // Settings inside settings are as written, with their own templates not filled in.
  return (
    followsSettings && roots.has('settings') && mayReadSecret(run, document.settings.all, false)
  )
}

/** `env.NAME`, `env["NAME"]` and `env.get("NAME")` in a template. */
const inTemplate = /\benv(?:\.get\(\s*["']|\.|\[\s*["'])([A-Za-z_]\w*)/g

/** The environment variables that a file names, in order of appearance. Code reads none. */
export function listEnvironmentNames(document: AgentDocument): readonly string[] {
  const { description: _said, ...read } = document
  const names = collectTexts(read).flatMap((text) => [
    ...findEnvironmentNames(text).map(({ name }) => name),
    ...[...text.matchAll(inTemplate)].map(([, name]) => name as string),
  ])
  return [...new Set(names)].filter((name) => name !== 'get')
}

/** All texts of a value except code. */
function collectTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(collectTexts)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'code' || key === 'run' ? [] : collectTexts(member ?? null),
  )
}
