import { delimiter } from 'node:path'
import { ScholiumError } from '../../kernel/errors.ts'
import type { ModelRole } from '../../kernel/model/model.ts'
import { findNearest } from '../../kernel/text/nearest.ts'
import { chosenRoles } from '../models/roles.ts'
import type { Environment } from '../trust/user-folders.ts'
import { flatten } from './flatten.ts'
import type { Origin } from './origin.ts'
import type { FileOutcome } from './read-file.ts'
import type { ConfigFile } from './schema.ts'
import { settingSpecs } from './setting-specs.ts'

/** The settings from environment variables; an empty variable sets nothing. */
export async function settingsOfVariables(
  environment: Environment,
  originOf: (variable: string) => Origin,
): Promise<FileOutcome> {
  const names = new Set(settingSpecs.flatMap(({ variable }) => variable ?? []))
  const outcomes: FileOutcome[] = []
  for (const name of names) {
    const text = (environment[name] ?? '').trim()
    if (text !== '') outcomes.push(await settingsOfVariable(name, text, originOf(name)))
  }
  return {
    settings: new Map(outcomes.flatMap(({ settings }) => [...settings])),
    problems: outcomes.flatMap(({ problems }) => problems),
  }
}

async function settingsOfVariable(
  name: string,
  text: string,
  origin: Origin,
): Promise<FileOutcome> {
  const place = origin.text
  const outcome = name === 'SCHOLIUM_MODEL' ? modelsFrom(text) : await checked(name, text)
  if ('error' in outcome)
    return { settings: new Map(), problems: [{ place, message: outcome.error }] }
  if (!outcome.ok) {
    const problems = outcome.mistakes.map(({ message }) => ({ place, message }))
    return { settings: new Map(), problems }
  }
  return { settings: flatten(outcome.config, () => origin), problems: [] }
}

function modelsFrom(text: string): { ok: true; config: ConfigFile } | { error: string } {
  try {
    return { ok: true, config: { models: modelsByRole(text.split(/[\s,]+/)) } }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

async function checked(name: string, text: string) {
  if (name === 'SCHOLIUM_HOME') return { ok: true, config: { home: text } } as const
  const { checkConfig } = await import('./check-file.ts')
  return checkConfig(nested(name, text))
}

/** A variable's text at its path in a configuration: `{ limits: { maxSteps: 40 } }`. */
function nested(name: string, text: string): object {
  const key = settingSpecs.find(({ variable }) => variable === name)?.key ?? ''
  const value =
    key === 'mcp.servers'
      ? parseServers(text)
      : key === 'trustedHomes'
        ? text.split(delimiter)
        : switches.has(key)
          ? parseSwitch(text)
          : /^\d*\.?\d+$/.test(text)
            ? Number(text)
            : text
  return key.split('.').reduceRight<unknown>((inner, part) => ({ [part]: inner }), value) as object
}

const switches: ReadonlySet<string> = new Set(['web', 'python.enabled'])

/** `true`, `false`, or comma-separated names. */
function parseServers(text: string): boolean | readonly string[] {
  const given = parseSwitch(text)
  return typeof given === 'boolean' ? given : given.split(',').map((name) => name.trim())
}

/** A boolean as people write it in the environment; the schema rejects anything else. */
function parseSwitch(text: string): boolean | string {
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : text
}

const roles: readonly ModelRole[] = chosenRoles

/** Models by role, from texts such as `NAME` and `ROLE=NAME`. @throws `invalid_input` for an unknown role */
export function modelsByRole(texts: readonly string[]): Readonly<Record<string, string>> {
  const pairs = texts.map((text): readonly [string, string] => {
    const [, role, name] = /^([a-z]+)=(.*)$/s.exec(text) ?? []
    if (role === undefined || name === undefined) return ['default', text]
    if ((roles as readonly string[]).includes(role)) return [role, name]
    const meant = findNearest(role, roles)
    throw new ScholiumError('invalid_input', `Unknown model role "${role}".`, {
      hint: `${meant === undefined ? '' : `Did you mean ${meant}? `}Roles: ${roles.join(', ')}.`,
    })
  })
  return Object.fromEntries(pairs)
}
