/** Names and values, such as environment variables that the user grants an agent file. */
export type EnvironmentValues = Readonly<Record<string, string>>

/** A variable that a text reads from the environment. */
export interface EnvironmentName {
  readonly name: string
  readonly hasDefault: boolean
}

const referencePattern = /\$?\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/**
 * Replaces `${NAME}` and `${NAME:-default}` in a text; as in a shell, `:-` also replaces an empty value. `$${NAME}`
 * stands for `${NAME}` itself. A name without value and default stays as written (see {@link findEnvironmentNames}).
 * Values are not expanded again. A non-enumerable member only has a value where the text gives no default.
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

/** The names that {@link expandEnvironment} would replace in a text. */
export function findEnvironmentNames(text: string): readonly EnvironmentName[] {
  return [...text.matchAll(referencePattern)]
    .filter(([written]) => !written.startsWith('$$'))
    .map(([, name, fallback]) => ({ name: name as string, hasDefault: fallback !== undefined }))
}
