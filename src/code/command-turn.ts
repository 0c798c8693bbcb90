import { endsAt, toFailure } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { stopPart, stoppablePart } from '../kernel/run/stoppable-part.ts'
import { createMessage } from '../team/conversation.ts'
import type { TurnEnd, TurnSite } from './site.ts'
import type { TurnPatch } from './state.ts'
import type { CodeTool } from './tools/code-tool.ts'

type OwnPatch = Omit<TurnPatch, 'turn' | 'kind' | 'messages'>

/**
 * Runs a command that the person gave, and may stop; what it printed joins the conversation, so that the model knows it with the next
 * request.
 */
export async function commandTurn(site: TurnSite, command: string): Promise<TurnEnd<OwnPatch>> {
  const { context, state, agents, driver, conversation } = site
  const bash = agents.toolsUnder(state.settings).find(({ name }) => name === 'bash')
  if (bash === undefined)
    return { patch: { outcome: 'failed', answer: 'There is no tool for commands.' }, conversation }
  const control = new AbortController()
  const part = stoppablePart(context, 'shell', control.signal)
  driver.onTurn?.(async () => {
    await stopPart(context, 'shell', 'The person stopped the command.')
    control.abort()
  })
  const output = await outputOf(part, bash, command)
    .catch((error) => unlessStopped(context, part, error))
    .finally(() => driver.onTurn?.(undefined))
  const isStopped = output === undefined
  const shown = output ?? 'I stopped it; what it printed is not known.'
  const text = `I ran this command myself:\n\n$ ${command}\n${shown}`
  const message = createMessage(context, 'user', text)
  const noted = createMessage(context, 'assistant', 'Noted.')
  return {
    patch: {
      outcome: isStopped ? 'cancelled' : 'done',
      answer: output ?? '',
      commands: [command],
    },
    conversation: [...conversation, message, noted],
  }
}

/** @throws what is no stop of the command by the person */
function unlessStopped({ signal }: RunContext, { stop }: RunContext, error: unknown): undefined {
  if (signal.aborted || stop === undefined || toFailure(error).code !== 'cancelled') throw error
}

async function outputOf(context: RunContext, bash: CodeTool, command: string): Promise<string> {
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
