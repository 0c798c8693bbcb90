/** Names and their values, such as those of the process that the user let an agent file read. */
export type EnvironmentValues = Readonly<Record<string, string>>

/** A name that text reads from the environment. */
export interface EnvironmentName {
  readonly name: string
  readonly hasDefault: boolean
}

const referencePattern = /\$?\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/**
 * Text with `${NAME}` and `${NAME:-default}` replaced by the given values; as in a shell, `:-` also replaces an empty value.
 * `$${NAME}` stands for `${NAME}` itself. A name without value and default stays as it is written (see
 * {@link findEnvironmentNames}). What a value holds is not expanded again. A member that is not enumerable has a value only where the
 * text gives no default.
 */
export function expandEnvironment(text: string, environment: EnvironmentValues): string {
  if (!text.includes('${')) return text
  return text.replace(
    referencePattern,
    (written: string, name: string, fallback: string | undefined) => {
      if (written.startsWith('$$')) return written.slice(1)
      if (fallback === undefined)
        return Object.hasOwn(environment, name) ? (environment[name] ?? written) : written
      const isListed = Object.prototype.propertyIsEnumerable.call(environment, name)
      return (isListed && environment[name]) || fallback
    },
  )
}

/** The names that {@link expandEnvironment} would replace in text, so that a check can tell which have no value. */
export function findEnvironmentNames(text: string): readonly EnvironmentName[] {
  return [...text.matchAll(referencePattern)]
    .filter(([written]) => !written.startsWith('$$'))
    .map(([, name, fallback]) => ({ name: name as string, hasDefault: fallback !== undefined }))
}
