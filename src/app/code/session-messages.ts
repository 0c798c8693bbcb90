import type { CodeInput } from '../../code/settings.ts'
import type { Message } from '../../kernel/agent/message.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Hash } from '../../kernel/json.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'

/** A message as stored in the log. */
export type StoredMessage = Pick<Message, 'role' | 'parts'>

/** The messages of a session, from its log. @throws `step_missing` if one is not in the log */
export async function sessionMessages(
  store: RunStore,
  runId: string,
  hashes: readonly Hash[],
): Promise<readonly StoredMessage[]> {
  return Promise.all(
    hashes.map(async (hash) => {
      const text = await store.blob(runId, hash)
      if (text !== undefined) return JSON.parse(text) as StoredMessage
      throw new ScholiumError('step_missing', `The log has no message ${hash}.`)
    }),
  )
}

/** The input of a session. @throws `run_incompatible` for a log without a beginning */
export async function sessionInput(store: RunStore, runId: string): Promise<CodeInput> {
  for await (const { output } of store.events(runId, { types: ['run.started'] }))
    return output as CodeInput
  throw new ScholiumError('run_incompatible', `The log of run ${runId} has no start event.`)
}

/** A conversation as text, each message in full. */
export async function formatConversation(
  store: RunStore,
  runId: string,
  hashes: readonly Hash[],
): Promise<string> {
  const messages = await sessionMessages(store, runId, hashes)
  const blocks = messages.map(
    ({ role, parts }) => `## ${role}\n\n${parts.map(partText).join('\n\n')}`,
  )
  return blocks.join('\n\n') || '(the conversation is empty)'
}

function partText(part: Message['parts'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'reasoning':
      return `(thought) ${part.text}`
    case 'image':
      return `(picture, ${part.width} × ${part.height})`
    case 'tool-call':
      return `(call ${part.toolCallId}) ${part.toolName} ${JSON.stringify(part.input)}`
    case 'tool-result': {
      const output = typeof part.output === 'string' ? part.output : JSON.stringify(part.output)
      return `(result ${part.toolCallId}${part.isError === true ? ', error' : ''}) ${output}`
    }
  }
}
