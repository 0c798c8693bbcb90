/**
 * The origins of settings, from the strongest to the weakest. `named` is a file given by `--config` or
 * `SCHOLIUM_CONFIG`.
 */
export const originKinds = [
  'option',
  'environment',
  'env_file',
  'project',
  'named',
  'user',
  'default',
] as const

/** One of {@link originKinds}. */
export type OriginKind = (typeof originKinds)[number]

/** The origin of a setting. */
export interface Origin {
  readonly kind: OriginKind
  /** For people: `--model`, `environment SCHOLIUM_MODEL`, `/p/scholium.yaml:12`, `default`. */
  readonly text: string
  /** The folder that its relative paths start from. */
  readonly folder: string
}

/**
 * Whether it is in the project's folder, where somebody else may have written it: a cloned repository may contain such
 * files.
 */
export function isOfProject({ kind }: Origin): boolean {
  return kind === 'project' || kind === 'env_file'
}

/** A value and its origin. */
export interface Setting<T = unknown> {
  readonly value: T
  readonly origin: Origin
}

/** Settings by their key, such as `limits.maxSteps` or `models.critic`. */
export type Settings = ReadonlyMap<string, Setting>

/** A problem with a file, a variable or an option. */
export interface Problem {
  /** `/p/scholium.yaml:3:5`, `environment SCHOLIUM_MODEL`. */
  readonly place: string
  readonly message: string
}
