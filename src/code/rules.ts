import { ScholiumError } from '../kernel/errors.ts'
import { findNearest } from '../kernel/text/nearest.ts'
import { matchesWildcard } from '../kernel/text/wildcard.ts'
import { researchName } from './session-sources.ts'
import type { CodeSettings } from './settings.ts'
import type { CommandRule, Verdict } from './tools/code-tool.ts'
import { codeToolNames, toOwnName } from './tools/tool-names.ts'

/** A session rule: which calls it covers. */
export interface CallRule {
  /** A tool's name; `*` matches any characters. */
  readonly tool: string
  /**
   * For files: a path prefix or a pattern with `*`. For `bash`: a command line. For `env`: a variable. Absent: all
   * calls.
   */
  readonly pattern?: string
}

/**
 * Parses a rule: `edit`, `edit:src/`, `bash:npm test *`, `files.*`.
 * @throws `invalid_input` if it names no tool
 */
export function parseRule(text: string): CallRule {
  const [, tool = '', pattern] = /^([\w.*-]+)(?::(.*))?$/s.exec(text.trim()) ?? []
  if (!/[A-Za-z]/.test(tool) || pattern?.trim() === '') {
    throw new ScholiumError('invalid_input', `"${text}" is not a rule.`, {
      hint: 'Give a tool, or a tool and its argument: edit, edit:src/, "bash:npm test *".',
    })
  }
  return pattern === undefined ? { tool } : { tool, pattern: pattern.trim() }
}

/** What a rule can name, other than tools of MCP servers, which have a dot in their names. */
const ruleNames: readonly string[] = [...codeToolNames, researchName, 'env']

/** @throws `invalid_input` for a malformed rule or an unknown tool */
export function requireRules({ allow = [], deny = [] }: Partial<CodeSettings>): void {
  for (const text of [...allow, ...deny]) {
    const { tool } = parseRule(text)
    if (tool.includes('.') || ruleNames.some((name) => matchesWildcard(tool, name))) continue
    const own = toOwnName(tool.toLowerCase())
    const meant = ruleNames.includes(own) ? own : findNearest(own, ruleNames)
    const advice = meant === undefined ? '.' : `; did you mean ${meant}?`
    throw new ScholiumError('invalid_input', `There is no tool "${tool}"${advice}`, {
      hint: `Rules can name ${ruleNames.join(', ')}, or SERVER.TOOL of an MCP server.`,
    })
  }
}

/** The session's rules about command lines, as the `bash` tool takes them. */
export function commandRules(texts: readonly string[], verdict: Verdict): readonly CommandRule[] {
  return texts.flatMap((text) => {
    const { tool, pattern } = parseRule(text)
    return tool === 'bash' ? [{ rule: pattern ?? '*', verdict }] : []
  })
}

/** Rules about specific files or variables that cover the tool. */
export function findNamedRules(texts: readonly string[], toolName: string): readonly string[] {
  return texts.filter((text) => {
    const { tool, pattern } = parseRule(text)
    return pattern !== undefined && matchesWildcard(tool, toolName)
  })
}

/** The first rule that covers a call; with several paths, each has to be covered. */
export function findRule(
  texts: readonly string[],
  toolName: string,
  paths: readonly string[],
): string | undefined {
  const fits = (text: string, path: string | undefined) =>
    matchesRule(parseRule(text), toolName, path)
  if (paths.length === 0) return texts.find((text) => fits(text, undefined))
  const found = paths.map((path) => texts.find((text) => fits(text, path)))
  return found.includes(undefined) ? undefined : found[0]
}

/** The first rule that names one of these files exactly, without a folder or `*`; each has to be named. */
export function findNamingRule(
  texts: readonly string[],
  toolName: string,
  paths: readonly string[],
): string | undefined {
  const exact = texts.filter((text) => paths.includes(parseRule(text).pattern ?? ''))
  return findRule(exact, toolName, paths)
}

/** The first rule that covers a call through any of the files it would change. */
export function findDenyingRule(
  texts: readonly string[],
  toolName: string,
  paths: readonly string[],
): string | undefined {
  const rules = [undefined, ...paths].map((path) =>
    texts.find((text) => matchesRule(parseRule(text), toolName, path)),
  )
  return rules.find((rule) => rule !== undefined)
}

function matchesRule({ tool, pattern }: CallRule, toolName: string, path: string | undefined) {
  if (!matchesWildcard(tool, toolName)) return false
  if (pattern === undefined) return true
  if (path === undefined) return false
  return pattern.includes('*') ? matchesWildcard(pattern, path) : isUnder(path, pattern)
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

/** The rules that "always" adds for these files: their folders. */
export function createAlwaysRules(toolName: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [toolName]
  const places = paths.map((path) => (path.includes('/') ? path.replace(/[^/]*$/, '') : path))
  const tools = fileTools.includes(toolName) ? fileTools : [toolName]
  return [...new Set(places)].flatMap((place) => tools.map((tool) => `${tool}:${place}`))
}

/** Rules that {@link findNamingRule} finds for these files. */
export function createNamingRules(toolName: string, paths: readonly string[]): readonly string[] {
  return paths.map((path) => `${toolName}:${path}`)
}

const fileTools: readonly string[] = ['edit', 'write']
