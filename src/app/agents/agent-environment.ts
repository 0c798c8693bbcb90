import { isSecretName } from '../../agents/run/secrets.ts'
import type { EnvironmentValues } from '../../agents/templates/environment.ts'
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

function isSecret(name: string, value: string): boolean {
  return isSecretName(name) || /:\/\/[^/\s]*:[^/\s]*@/.test(value)
}
