import { ScholiumError } from '../../kernel/errors.ts'

const maxTimeoutMs = 2 ** 31 - 1

/** Reads a server configuration and collects warnings. */
export class ConfigReader {
  readonly warnings: string[] = []
  readonly environment: Environment

  constructor(environment: Environment) {
    this.environment = environment
  }

  /**
   * The value of `mcpServers`.
   * @throws `invalid_configuration`
   */
  serversOf(text: string): Readonly<Record<string, unknown>> {
    const whole = asObject(parseConfig(text))
    if (whole === undefined) throw configurationError('The configuration must be a JSON object.')
    const servers = asObject(whole.mcpServers)
    if (servers === undefined) {
      throw configurationError(
        'The configuration has no object "mcpServers".',
        'Write {"mcpServers": {"name": {"command": "…", "args": []}}}.',
      )
    }
    for (const key of Object.keys(whole).filter((key) => key !== 'mcpServers')) {
      this.warnings.push(`The key "${key}" next to "mcpServers" is unknown and has no effect.`)
    }
    return servers
  }

  /**
   * One server's entry.
   * @throws `invalid_configuration` if it is not an object
   */
  entry(name: string, value: unknown): ConfigEntry {
    const values = asObject(value)
    if (values === undefined)
      throw configurationError(`MCP server "${name}": it must be an object.`)
    return new ConfigEntry(name, values, this)
  }
}

/** One server's entry. All methods throw `invalid_configuration` that names the server and key. */
export class ConfigEntry {
  readonly name: string
  readonly environment: Environment
  private readonly values: Readonly<Record<string, unknown>>
  private readonly warnings: string[]

  constructor(name: string, values: Readonly<Record<string, unknown>>, reader: ConfigReader) {
    this.name = name
    this.values = values
    this.environment = reader.environment
    this.warnings = reader.warnings
  }

  has(key: string): boolean {
    return this.values[key] !== undefined
  }

  problem(key: string, what: string): ScholiumError {
    return configurationError(`MCP server "${this.name}", key "${key}": ${what}.`)
  }

  warnOfOthers(known: readonly string[]): void {
    for (const key of Object.keys(this.values).filter((key) => !known.includes(key))) {
      this.warnings.push(
        `MCP server "${this.name}": the key "${key}" is unknown and has no effect.`,
      )
    }
  }

  boolean(key: string): boolean | undefined {
    const value = this.values[key]
    if (value === undefined || typeof value === 'boolean') return value
    throw this.problem(key, 'it must be true or false')
  }

  milliseconds(key: string): number | undefined {
    const value = this.values[key]
    if (value === undefined) return undefined
    if (Number.isInteger(value) && Number(value) > 0 && Number(value) <= maxTimeoutMs) {
      return Number(value)
    }
    throw this.problem(key, 'it must be a whole number of milliseconds, 1 or more')
  }

  text(key: string): string {
    return this.expanded(key).text
  }

  optionalText(key: string): string | undefined {
    return this.has(key) ? this.text(key) : undefined
  }

  expanded(key: string): ExpandedText {
    const value = this.values[key]
    if (typeof value !== 'string' || value === '') {
      throw this.problem(key, 'it must be non-empty text')
    }
    return this.expand(key, value)
  }

  texts(key: string): readonly ExpandedText[] {
    const value = this.values[key] ?? []
    if (!Array.isArray(value)) throw this.problem(key, 'it must be a list of texts')
    return value.map((item: unknown, index) => {
      const place = `${key}[${index}]`
      if (typeof item !== 'string') throw this.problem(place, 'it must be text')
      return this.expand(place, item)
    })
  }

  textsByName(key: string): Readonly<Record<string, ExpandedText>> {
    const value = asObject(this.values[key] ?? {})
    if (value === undefined) throw this.problem(key, 'it must be an object with text values')
    const members = Object.entries(value).map(([name, item]) => {
      const place = `${key}.${name}`
      if (typeof item !== 'string') throw this.problem(place, 'it must be text')
      return [name, this.expand(place, item)]
    })
    return Object.fromEntries(members)
  }

  headers(): Readonly<Record<string, ExpandedText>> {
    const headers = this.textsByName('headers')
    for (const [name, { text }] of Object.entries(headers)) {
      try {
        new Headers([[name, text]])
      } catch {
        // The reason would contain the value, which may be a secret.
        throw this.problem(`headers.${name}`, 'it cannot be sent as a header')
      }
    }
    return headers
  }

  private expand(place: string, value: string): ExpandedText {
    if (value.includes('\0')) throw this.problem(place, 'it contains a NUL character')
    const expanded = expandVariables(value, this.environment)
    const { missing } = expanded
    if (missing === undefined) return expanded
    throw configurationError(
      `MCP server "${this.name}", key "${place}": the variable ${missing} is not set.`,
      `Set ${missing}, or write \${${missing}:-default}.`,
      missing,
    )
  }
}

function parseConfig(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    // The parser's message quotes the text, which may contain a secret.
    throw configurationError(
      'The configuration is not JSON.',
      'Comments and trailing commas are not allowed.',
    )
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
}

/** @param variable the unset variable, if that is the problem */
function configurationError(message: string, hint?: string, variable?: string): ScholiumError {
  return new ScholiumError('invalid_configuration', message, {
    ...(hint === undefined ? {} : { hint }),
    ...(variable === undefined ? {} : { details: { variable } }),
  })
}

/** Environment variables by name, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A text with its variables replaced. */
export interface ExpandedText {
  readonly text: string
  /** The variables it names, in order, with their values. */
  readonly variables: readonly { readonly name: string; readonly value?: string }[]
  /** The first variable without value or default. */
  readonly missing?: string
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Replaces `${NAME}` and `${NAME:-default}`. As in a shell, `:-` also applies to an empty value. Other dollar signs are
 * kept.
 * @see https://www.gnu.org/software/bash/manual/html_node/Shell-Parameter-Expansion.html
 */
function expandVariables(text: string, environment: Environment): ExpandedText {
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
