import { findNearest } from '../kernel/text/nearest.ts'

/** The slash commands of a session with their parameters and descriptions. */
export const slashCommands = [
  { name: 'help', parameters: '', meaning: 'list the commands' },
  { name: 'model', parameters: '[NAME]', meaning: 'show the model, or switch to another' },
  { name: 'thoughts', parameters: '[on|off]', meaning: "show the model's reasoning" },
  { name: 'iterations', parameters: '[N]', meaning: 'maximum model calls per request' },
  { name: 'clear', parameters: '', meaning: 'clear the conversation' },
  { name: 'compact', parameters: '[FOCUS]', meaning: 'compact the conversation' },
  { name: 'cost', parameters: '', meaning: 'show tokens, calls and cost of this session' },
  { name: 'limits', parameters: '', meaning: 'show the limits of this session' },
  { name: 'undo', parameters: '', meaning: 'revert the last file changes' },
  { name: 'resume', parameters: '[RUN]', meaning: 'list sessions, or switch to another' },
  { name: 'fork', parameters: '[TURN]', meaning: 'fork the session from a turn' },
  { name: 'dump', parameters: '', meaning: 'show the conversation as it is sent' },
  { name: 'tools', parameters: '', meaning: 'list the tools' },
  { name: 'mcp', parameters: '', meaning: 'list MCP servers with resources and prompts' },
  { name: 'yolo', parameters: '[on|off]', meaning: 'act without asking' },
  { name: 'branch', parameters: '[NAME]', meaning: 'show the Git branch, or create one' },
  { name: 'export', parameters: '[FILE]', meaning: 'export the session to a file' },
  { name: 'exit', parameters: '', meaning: 'exit; the session can be resumed' },
] as const

export type SlashName = (typeof slashCommands)[number]['name']

/** A parsed line that starts with `/`. */
export type Slash =
  | { readonly kind: 'command'; readonly name: SlashName; readonly argument: string }
  /** A prompt of an MCP server, sent as a request. */
  | { readonly kind: 'prompt'; readonly server: string; readonly prompt: string }
  | {
      readonly kind: 'ambiguous'
      readonly given: string
      readonly candidates: readonly SlashName[]
    }
  | { readonly kind: 'unknown'; readonly given: string; readonly meant?: SlashName }

/**
 * Parses a line that starts with `/`; `undefined` for any other line and for a path. An unambiguous prefix of a name
 * is enough.
 */
export function parseSlash(line: string): Slash | undefined {
  const [, word, rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(line.trim()) ?? []
  if (word === undefined || word.includes('/')) return undefined
  const [server = '', prompt] = word.split(/:(.*)/s)
  if (prompt !== undefined && prompt !== '') return { kind: 'prompt', server, prompt }
  const given = word.toLowerCase()
  const names = slashCommands.map(({ name }) => name)
  const exact = names.find((name) => name === given)
  const candidates = names.filter((name) => name.startsWith(given))
  const name = exact ?? (candidates.length === 1 && given !== '' ? candidates[0] : undefined)
  if (name !== undefined) return { kind: 'command', name, argument: rest.trim() }
  if (candidates.length > 1) return { kind: 'ambiguous', given, candidates }
  const meant = findNearest(given, names) as SlashName | undefined
  return { kind: 'unknown', given, ...(meant === undefined ? {} : { meant }) }
}

/** Explains to the person why a line is not a command. */
export function explainSlash(slash: Slash): string | undefined {
  if (slash.kind === 'ambiguous')
    return slash.given === ''
      ? 'Type a command after the slash: /help lists them.'
      : `/${slash.given} matches several commands: ${slash.candidates.map((name) => `/${name}`).join(', ')}.`
  if (slash.kind !== 'unknown') return undefined
  const meant = slash.meant === undefined ? '' : ` Did you mean /${slash.meant}?`
  return `There is no command /${slash.given}.${meant} /help lists them.`
}

/** The list of commands, for people. */
export function renderSlashHelp(): string {
  const heads = slashCommands.map(({ name, parameters }) => `/${name} ${parameters}`.trim())
  const width = Math.max(...heads.map(({ length }) => length))
  const lines = slashCommands.map(
    ({ meaning }, index) => `${heads[index]?.padEnd(width)}  ${meaning}`,
  )
  return [
    ...lines,
    '',
    'Names can be shortened. @FILE attaches a file to a request, @SERVER:URI a resource of an MCP server,',
    '/SERVER:PROMPT one of its prompts; !COMMAND runs a command.',
  ].join('\n')
}
