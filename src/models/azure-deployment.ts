import type { ModelRole } from '../kernel/model/model.ts'
import type { Variables } from './base-url.ts'

/** The name that stands for the deployment which the environment names. */
export const azureName = 'azure'

/** The variables that name deployments of Azure OpenAI. None of them chooses a model: that costs, and is said by a person. */
export const deploymentVariables = {
  language: 'AZURE_OPENAI_DEPLOYMENT_NAME',
  embedding: 'AZURE_OPENAI_EMBEDDING_DEPLOYMENT_NAME',
} as const

/** The variable that names the deployment of a role. */
export function deploymentVariableOf(role: ModelRole): string {
  return deploymentVariables[role === 'embedding' ? 'embedding' : 'language']
}

/** The name of a role's model: for `azure` alone `azure:` and the deployment that the environment names, any other as it is. */
export function withDeployment(name: string, role: ModelRole, environment: Variables): string {
  if (name !== azureName) return name
  const deployment = (environment[deploymentVariableOf(role)] ?? '').trim()
  return deployment === '' ? name : `${azureName}:${deployment}`
}
