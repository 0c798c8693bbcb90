import { lookupKeyVariables } from '../sources/lookup/sources.ts'
import type { Environment } from './home.ts'

/** The keys of sources: what must not get into a log. */
export function webSecrets(environment: Environment): readonly string[] {
  return lookupKeyVariables.flatMap((name) => (environment[name] ?? '').trim() || [])
}
