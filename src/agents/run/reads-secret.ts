import type { Json, JsonObject } from '../../kernel/json.ts'
import type { AgentDocument } from '../document/agent-document.ts'
import { type EnvironmentName, environmentNamesOf } from '../templates/environment.ts'
import type { Templates } from '../templates/templates.ts'
import type { AgentSecrets } from './secrets.ts'

/** What tells whether a text reads a secret. */
export interface SecretReader {
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
  if (isObject(value))
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

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
