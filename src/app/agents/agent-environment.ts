import type { AgentDocument } from '../../agents/document/agent-document.ts'
import type { AgentInput } from '../../agents/run/agent-input.ts'
import { listEnvironmentNames } from '../../agents/run/secrets.ts'
import type { EnvironmentValues } from '../../agents/templates/environment.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import type { Environment } from '../trust/user-folders.ts'

/** The environment variables that an operator lets a run's files read. */
export interface GivenNames {
  /** Variables whose values are recorded: `NAME`, or `NAME=VALUE`. */
  readonly environment: readonly string[]
  /** Variables whose values are not recorded. */
  readonly secrets: readonly string[]
}

/**
 * The environment of a run: only what the operator names, since an agent file may be somebody else's.
 * @throws `invalid_input` for an invalid name, or a variable without a value
 */
export function agentEnvironment(
  environment: Environment,
  { environment: given, secrets }: GivenNames,
  documents: readonly AgentDocument[],
): Pick<AgentInput, 'environment' | 'secretNames' | 'withheld'> {
  const plain = Object.fromEntries(
    given.map((one) => readVariable(environment, one)).filter(([name]) => !secrets.includes(name)),
  )
  requireSecrets(environment, secrets)
  const isThere = (name: string) => (environment[name] ?? '') !== ''
  const read = new Set(documents.flatMap(listEnvironmentNames))
  const withheld = [...read].filter(
    (name) => isThere(name) && !Object.hasOwn(plain, name) && !secrets.includes(name),
  )
  return {
    ...(Object.keys(plain).length === 0 ? {} : { environment: plain }),
    ...(secrets.length === 0 ? {} : { secretNames: [...new Set(secrets)] }),
    ...(withheld.length === 0 ? {} : { withheld }),
  }
}

/** @throws `invalid_input` for an invalid name, or a variable without a value */
export function requireSecrets(environment: Environment, names: readonly string[]): void {
  for (const name of names) readVariable(environment, name, true)
}

/** The values of secrets that the environment has. */
export function readSecretValues(
  environment: Environment,
  secrets: readonly string[],
): EnvironmentValues {
  return Object.fromEntries(
    secrets.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

function readVariable(
  environment: Environment,
  given: string,
  isSecret = false,
): readonly [string, string] {
  const [, name, , written] = /^([A-Za-z_]\w*)(=(.*))?$/s.exec(given) ?? []
  // Other users can see a command line.
  if (name === undefined || (isSecret && written !== undefined)) {
    const form = isSecret ? 'NAME' : 'NAME or NAME=VALUE'
    const shown = isSecret ? given.split('=', 1)[0] : given
    throw new ScholiumError(
      'invalid_input',
      `"${shown}" is not the name of an environment variable.`,
      {
        hint: `Write it as ${form}.`,
      },
    )
  }
  const value = written ?? environment[name]
  if (value !== undefined) return [name, value]
  const set = Object.keys(environment).filter((known) => environment[known] !== undefined)
  const meant = findNearest(name, set)
  const advice = isSecret ? 'Set it, or omit it.' : `Give it a value: ${name}=VALUE, or omit it.`
  throw new ScholiumError('invalid_input', `The environment variable ${name} is not set.`, {
    hint: meant === undefined ? advice : `Did you mean --${isSecret ? 'secret' : 'env'} ${meant}?`,
  })
}
