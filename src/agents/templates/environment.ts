/** Names and their values, such as those of the process that the user let an agent file read. */
export type EnvironmentValues = Readonly<Record<string, string>>

/** A name that text reads from the environment. */
export interface EnvironmentName {
  readonly name: string
  readonly hasDefault: boolean
}

const reference = /\$?\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g

/**
 * Text with `${NAME}` and `${NAME:-default}` replaced by the given values; as in a shell, `:-` also replaces an empty value.
 * `$${NAME}` stands for `${NAME}` itself. A name without value and default stays as it is written (see
 * {@link environmentNamesOf}). What a value holds is not expanded again.
 */
export function expandEnvironment(text: string, environment: EnvironmentValues): string {
  if (!text.includes('${')) return text
  return text.replace(reference, (written: string, name: string, fallback: string | undefined) => {
    if (written.startsWith('$$')) return written.slice(1)
    if (fallback === undefined)
      return Object.hasOwn(environment, name) ? (environment[name] ?? written) : written
    const value = isWithheld(environment, name) ? undefined : environment[name]
    return value === undefined || value === '' ? fallback : value
  })
}

/** Whether a name has no value, or one that is an error to read: its default takes its place. */
function isWithheld(environment: EnvironmentValues, name: string): boolean {
  const found = Object.getOwnPropertyDescriptor(environment, name)
  return found === undefined || found.get !== undefined
}

/** The names that {@link expandEnvironment} would replace in text, so that a check can tell which have no value. */
export function environmentNamesOf(text: string): readonly EnvironmentName[] {
  return [...text.matchAll(reference)]
    .filter(([written]) => !written.startsWith('$$'))
    .map(([, name, fallback]) => ({ name: name as string, hasDefault: fallback !== undefined }))
}
