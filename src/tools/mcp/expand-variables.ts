/** Names of variables to their values, as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A text with its variables filled in. */
export interface ExpandedText {
  readonly text: string
  /** The variables that it names, in their order, each with what the environment gave for it. */
  readonly variables: readonly { readonly name: string; readonly value?: string }[]
  /** The first variable that has neither a value nor a default. */
  readonly missing?: string
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * A text in which `${NAME}` and `${NAME:-default}` stand for variables. As in a shell, `:-` also stands in for an empty value.
 * Anything else with a dollar sign is left as it is.
 * @see https://www.gnu.org/software/bash/manual/html_node/Shell-Parameter-Expansion.html
 */
export function expandVariables(text: string, environment: Environment): ExpandedText {
  const variables: ExpandedText['variables'][number][] = []
  let missing: string | undefined
  const expanded = text.replaceAll(variable, (_whole, name: string, fallback?: string) => {
    const value = environment[name]
    if (value !== undefined && (value !== '' || fallback === undefined)) {
      variables.push({ name, value })
      return value
    }
    variables.push({ name })
    if (fallback === undefined) missing ??= name
    return fallback ?? ''
  })
  return { text: expanded, variables, ...(missing === undefined ? {} : { missing }) }
}
