import type { AvailableCommand } from '@agentclientprotocol/sdk'
import { parseSlash, type SlashName, slashCommands } from '../app.ts'

/** Commands that are the editor's own: it opens and leaves sessions, and shows thoughts. */
const ofTerminals: readonly SlashName[] = ['resume', 'fork', 'exit', 'thoughts']

/** The commands that an editor offers. */
export function offeredCommands(): AvailableCommand[] {
  return slashCommands
    .filter(({ name }) => !ofTerminals.includes(name))
    .map(({ name, parameters, meaning }) => ({
      name,
      description: meaning,
      ...(parameters === '' ? {} : { input: { hint: parameters } }),
    }))
}

/** Why a line cannot be done here though it is a command of sessions; `undefined` for every other line. */
export function refusedCommand(line: string): string | undefined {
  const slash = parseSlash(line)
  if (slash?.kind !== 'command' || !ofTerminals.includes(slash.name)) return undefined
  return `/${slash.name} is handled by the editor, which opens, lists and closes sessions.`
}
