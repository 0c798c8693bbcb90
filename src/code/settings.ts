import type { JsonObject } from '../kernel/json.ts'
import { wordToPaste } from '../kernel/text/shell-word.ts'

/** How much the answer says that code writes where a request ended without one. */
export type FallbackVerbosity = 'minimal' | 'normal' | 'detailed'

/** What a person set up for a session; each change is recorded as a turn of its own. */
export type CodeSettings = {
  /** `provider:model`; absent: the run's model of the role `default`. */
  readonly model?: string
  /** Model calls of one request at most. */
  readonly maxSteps: number
  /** Whether an answer is written by code where a request ended without one. */
  readonly hasFallback: boolean
  readonly verbosity: FallbackVerbosity
  /** Whether what the rules would ask about is done without asking; never in a conversation that holds text from elsewhere. */
  readonly isYolo: boolean
  /** Whether faces show the model's thoughts. */
  readonly showThoughts: boolean
  /** What may be done without asking, or never: see `readRule`. */
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

/** What a session begins with where nothing is said. */
export const defaultSettings: CodeSettings = {
  maxSteps: 20,
  hasFallback: true,
  verbosity: 'normal',
  isYolo: false,
  showThoughts: false,
  allow: [],
  deny: [],
}

/** What of its settings a resumed session may have now. */
export type GrantedSettings = Pick<CodeSettings, 'allow' | 'isYolo'>

/** What a resumed session may have now of what its record says. */
export interface SessionGrants extends GrantedSettings {
  /** Whether the person still trusts its folder. */
  readonly isTrusted: boolean
  /** Whether addresses may be fetched. */
  readonly hasWeb: boolean
}

/** Settings with no more than what is granted: the same ones where all of it is. */
export function limitSettings(settings: CodeSettings, granted: GrantedSettings): CodeSettings {
  const allow = settings.allow.filter((rule) => granted.allow.includes(rule))
  const isYolo = settings.isYolo && granted.isYolo
  const isAll = allow.length === settings.allow.length && isYolo === settings.isYolo
  return isAll ? settings : { ...settings, allow, isYolo }
}

/** What settings name and is not granted, as a command in a shell of the platform grants it. */
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

/** What a session's run begins with. */
export type CodeInput = {
  /** The folder in which it works, whole. */
  readonly workspace: string
  readonly settings: CodeSettings & JsonObject
  /** The MCP servers that may be used, by name. */
  readonly mcp: readonly string[]
  /** Whether addresses may be fetched. */
  readonly web: boolean
  /** Folders of skills beside those of the project and of the home. */
  readonly skills?: readonly string[]
  /** Whether what the folder tells models counts as the person's own instructions. Default: it is text from elsewhere. */
  readonly isTrusted?: true
  /** What the session is listed as. Default: `a coding session`. */
  readonly title?: string
}
