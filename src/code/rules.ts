import { ScholiumError } from '../kernel/errors.ts'
import { nearest } from '../kernel/text/nearest.ts'
import { matchesWildcard } from '../kernel/text/wildcard.ts'
import { researchName } from './session-sources.ts'
import type { CodeSettings } from './settings.ts'
import type { CommandRule, Verdict } from './tools/code-tool.ts'
import { codeToolNames, toOwnName } from './tools/tool-names.ts'

/** A rule of a session: which calls it is about. */
export interface CallRule {
  /** A tool's name, in which `*` stands for any characters. */
  readonly tool: string
  /** Of files, where the path begins or, with `*` in it, how it goes on; of `bash`, the command line; of `env`, a variable. Absent: all calls. */
  readonly pattern?: string
}

/**
 * A rule from its text: `edit`, `edit:src/`, `bash:npm test *`, `files.*`.
 * @throws `invalid_input` for one that names nothing
 */
export function parseRule(text: string): CallRule {
  const [, tool = '', pattern] = /^([\w.*-]+)(?::(.*))?$/s.exec(text.trim()) ?? []
  if (!/[A-Za-z]/.test(tool) || pattern?.trim() === '') {
    throw new ScholiumError('invalid_input', `"${text}" is no rule.`, {
      hint: 'Write a tool, or a tool and what it is given: edit, edit:src/, "bash:npm test *".',
    })
  }
  return pattern === undefined ? { tool } : { tool, pattern: pattern.trim() }
}

/** What a rule can name beside tools of MCP servers, which have a dot in their names. */
const ruleNames: readonly string[] = [...codeToolNames, researchName, 'env']

/** @throws `invalid_input` for a rule of a person that names nothing, or a tool that no session has */
export function requireRules({ allow = [], deny = [] }: Partial<CodeSettings>): void {
  for (const text of [...allow, ...deny]) {
    const { tool } = parseRule(text)
    if (tool.includes('.') || ruleNames.some((name) => matchesWildcard(tool, name))) continue
    const own = toOwnName(tool.toLowerCase())
    const meant = ruleNames.includes(own) ? own : nearest(own, ruleNames)
    const advice = meant === undefined ? '.' : `; did you mean ${meant}?`
    throw new ScholiumError('invalid_input', `There is no tool "${tool}"${advice}`, {
      hint: `Rules name ${ruleNames.join(', ')}, or SERVER.TOOL of an MCP server.`,
    })
  }
}

/** The rules of a session about command lines, in the form in which the tool for commands takes them. */
export function commandRules(texts: readonly string[], verdict: Verdict): readonly CommandRule[] {
  return texts.flatMap((text) => {
    const { tool, pattern } = parseRule(text)
    return tool === 'bash' ? [{ rule: pattern ?? '*', verdict }] : []
  })
}

/** The rules about certain files, or variables, only that a tool is meant by. */
export function findNamedRules(texts: readonly string[], toolName: string): readonly string[] {
  return texts.filter((text) => {
    const { tool, pattern } = parseRule(text)
    return pattern !== undefined && matchesWildcard(tool, toolName)
  })
}

/** The first rule that fits a call of another tool that would change these files; where there are several, each has to fit. */
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

/** The first rule that names one of these files itself, not many by a folder or a `*`; each has to be named. */
export function findNamingRule(
  texts: readonly string[],
  toolName: string,
  paths: readonly string[],
): string | undefined {
  const exact = texts.filter((text) => paths.includes(parseRule(text).pattern ?? ''))
  return findRule(exact, toolName, paths)
}

/** The first rule that fits a call because of any file that it would change. */
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

/** What "always for this" allows of a tool that would change these files: those of the same folders. */
export function createAlwaysRules(toolName: string, paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [toolName]
  const places = paths.map((path) => (path.includes('/') ? path.replace(/[^/]*$/, '') : path))
  const tools = fileTools.includes(toolName) ? fileTools : [toolName]
  return [...new Set(places)].flatMap((place) => tools.map((tool) => `${tool}:${place}`))
}

/** The rules that {@link findNamingRule} finds for these files. */
export function createNamingRules(toolName: string, paths: readonly string[]): readonly string[] {
  return paths.map((path) => `${toolName}:${path}`)
}

const fileTools: readonly string[] = ['edit', 'write']
