import { isSecretName } from '../../agents/run/secrets.ts'
import type { EnvironmentValues } from '../../agents/templates/environment.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import { nearest } from '../../kernel/nearest.ts'
import type { Environment } from '../home.ts'

/**
 * What agent files may read of the environment: an agent file may be somebody else's, so nothing that has the name of a secret,
 * or the form of an address with a password, unless the operator names it.
 */
export function agentEnvironment(
  environment: Environment,
  secrets: readonly string[],
): EnvironmentValues {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && (secrets.includes(name) || !isSecret(name, value))
        ? [[name, value]]
        : [],
    ),
  )
}

/** The variables that {@link agentEnvironment} leaves out. */
export function withheldVariables(
  environment: Environment,
  secrets: readonly string[],
): readonly string[] {
  const given = agentEnvironment(environment, secrets)
  return Object.keys(environment).filter(
    (name) => environment[name] !== undefined && !Object.hasOwn(given, name),
  )
}

/** @throws `invalid_input` for a variable that the environment does not have */
export function requireVariables(environment: Environment, names: readonly string[]): void {
  const missing = names.find((name) => environment[name] === undefined)
  if (missing === undefined) return
  const meant = nearest(missing, Object.keys(environment))
  throw new ScholiumError('invalid_input', `The environment has no variable ${missing}.`, {
    hint: meant === undefined ? `Set it, or leave it out.` : `Did you mean --secret ${meant}?`,
  })
}

function isSecret(name: string, value: string): boolean {
  return isSecretName(name) || /:\/\/[^/\s]*:[^/\s]*@/.test(value)
}
