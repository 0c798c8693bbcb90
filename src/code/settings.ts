import type { JsonObject } from '../kernel/json.ts'
import { wordToPaste } from '../kernel/text/shell-word.ts'

/** How detailed the fallback answer is. */
export type FallbackVerbosity = 'minimal' | 'normal' | 'detailed'

/** A person's settings for a session; each change is recorded as a turn. */
export type CodeSettings = {
  /** `provider:model`. Absent: the run's `default` model. */
  readonly model?: string
  /** Maximum number of model calls per request. */
  readonly maxSteps: number
  /** Whether code writes an answer if a request ends without one. */
  readonly hasFallback: boolean
  readonly verbosity: FallbackVerbosity
  /** Whether calls that would be asked about are allowed; never while the conversation holds untrusted text. */
  readonly isYolo: boolean
  /** Whether faces show the model's thoughts. */
  readonly showThoughts: boolean
  /** Rules for what is allowed without asking, or never; see `parseRule`. */
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

/** Settings of a new session. */
export const defaultSettings: CodeSettings = {
  maxSteps: 20,
  hasFallback: true,
  verbosity: 'normal',
  isYolo: false,
  showThoughts: false,
  allow: [],
  deny: [],
}

/** Settings that a resumed session may keep. */
export type GrantedSettings = Pick<CodeSettings, 'allow' | 'isYolo'>

/** Permissions that a resumed session may keep. */
export interface SessionGrants extends GrantedSettings {
  /** Whether the person still trusts the folder. */
  readonly isTrusted: boolean
  /** Whether web pages may be fetched. */
  readonly hasWeb: boolean
}

/** Settings reduced to what is granted; the same object if nothing is withheld. */
export function limitSettings(settings: CodeSettings, granted: GrantedSettings): CodeSettings {
  const allow = settings.allow.filter((rule) => granted.allow.includes(rule))
  const isYolo = settings.isYolo && granted.isYolo
  const isAll = allow.length === settings.allow.length && isYolo === settings.isYolo
  return isAll ? settings : { ...settings, allow, isYolo }
}

/** The options that would grant what is withheld, quoted for the platform's shell. */
export function listWithheldOptions(
  { allow, isYolo }: CodeSettings,
  granted: GrantedSettings,
  platform: NodeJS.Platform,
): readonly string[] {
  const rules = allow.filter((rule) => !granted.allow.includes(rule))
  return [
    ...(isYolo && !granted.isYolo ? ['--yolo'] : []),
    ...rules.map((rule) => `--allow ${wordToPaste(rule, platform) ?? 'RULE'}`),
  ]
}

/** Input of a session's run. */
export type CodeInput = {
  /** Absolute path of the folder it works in. */
  readonly workspace: string
  readonly settings: CodeSettings & JsonObject
  /** Names of the MCP servers that may be used. */
  readonly mcp: readonly string[]
  /** Whether web pages may be fetched. */
  readonly web: boolean
  /** Skill folders in addition to those of the project and the home folder. */
  readonly skills?: readonly string[]
  /** Whether the folder's instructions count as the person's own. Default: they are untrusted text. */
  readonly isTrusted?: true
  /** Title in lists. Default: `a coding session`. */
  readonly title?: string
}
