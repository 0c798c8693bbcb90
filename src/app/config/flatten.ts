import type { Origin, Setting, Settings } from './origin.ts'
import type { ConfigFile } from './schema.ts'

/** The maps of a file whose members are settings of their own. */
const groups = ['models', 'prices', 'limits', 'retryLimits', 'criteria', 'mcp', 'python'] as const

/**
 * Flattens a configuration into settings by key; `originOf` gives the origin of a path. A model given by name becomes a
 * map.
 */
export function flatten(
  config: ConfigFile,
  originOf: (path: readonly string[]) => Origin,
): Settings {
  const settings = new Map<string, Setting>()
  const { $schema, models, prices, limits, retryLimits, criteria, mcp, python, ...single } = config
  const grouped = { models, prices, limits, retryLimits, criteria, mcp, python }
  for (const [key, value] of Object.entries(single)) {
    if (value !== undefined) settings.set(key, { value, origin: originOf([key]) })
  }
  for (const group of groups) {
    for (const [name, given] of Object.entries(grouped[group] ?? {})) {
      if (given === undefined) continue
      const isModelName = group === 'models' && typeof given === 'string'
      const value = isModelName ? { name: given } : given
      settings.set(`${group}.${name}`, { value, origin: originOf([group, name]) })
    }
  }
  return settings
}
