import { endsAt, toFailure } from '../../kernel/errors.ts'
import type { Json } from '../../kernel/json.ts'
import type { CodeTool } from '../../tools/code/code-tool.ts'
import { opening } from '../conversation.ts'
import type { TurnEnd, TurnSite } from './site.ts'
import type { TurnPatch } from './state.ts'

type OwnPatch = Omit<TurnPatch, 'turn' | 'kind' | 'messages'>

/** Runs a command that the person gave; what it printed joins the conversation, so that the model knows it with the next request. */
export async function commandTurn(site: TurnSite, command: string): Promise<TurnEnd<OwnPatch>> {
  const { context, state, agents, conversation } = site
  const bash = agents.toolsUnder(state.settings).find(({ name }) => name === 'bash')
  if (bash === undefined)
    return { patch: { outcome: 'failed', answer: 'There is no tool for commands.' }, conversation }
  const output = await outputOf(site, bash, command)
  const text = `I ran this command myself:\n\n$ ${command}\n${output}`
  const message = opening(context, 'user', text)
  const noted = opening(context, 'assistant', 'Noted.')
  return {
    patch: { outcome: 'done', answer: output, commands: [command] },
    conversation: [...conversation, message, noted],
  }
}

async function outputOf({ context }: TurnSite, bash: CodeTool, command: string): Promise<string> {
  const parsed = bash.parse({ command })
  if (!parsed.ok) return parsed.reason
  const input = parsed.value
  try {
    const output = await context.step<Json>(
      'command',
      'write',
      { command },
      ({ signal, key }) =>
        bash.execute(input, {
          signal,
          key,
          emit: (data) => context.emit('progress', data, 'command'),
        }),
      { label: 'command', timeoutMs: bash.timeoutMs },
    )
    return bash.present?.(output) ?? JSON.stringify(output)
  } catch (error) {
    if (endsAt(error, context.path)) throw error
    const { message, hint } = toFailure(error)
    return hint === undefined ? message : `${message} ${hint}`
  }
}
