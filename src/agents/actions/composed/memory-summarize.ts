import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { ComposedAction } from '../action.ts'
import { askOnce } from './ask-model.ts'
import { defineComposedAction, failedResult, orFailedResult, toText } from './composed-action.ts'
import { applyLlmSettings, chooseActionModel, type Providers } from './model-choice.ts'
import { createConversation, modelParams } from './model-params.ts'
import { meterModel } from './model-usage.ts'

/** `memory.summarize`: summarizes a conversation in the state. */
export function summarizeAction(providers: Providers): ComposedAction {
  return defineComposedAction({
    name: 'memory.summarize',
    description: 'Summarises a conversation in the state.',
    readsState: true,
    params: z.strictObject({
      messages_key: z
        .string()
        .nullish()
        .describe(
          'The state key of the conversation, a list of {role, content} or texts. Default messages.',
        ),
      ...modelParams,
    }),
    result:
      '{summary, original_count, token_estimate, usage, model, success}; {error, success: false} if there is no conversation.',
    run: async (given, call) => {
      const key = given.messages_key ?? 'messages'
      const { [key]: messages } = call.state
      if (!Array.isArray(messages)) return failedResult(`state.${key} is not a list of messages.`)
      const said = (messages as readonly Json[]).map(describe)
      const settings = applyLlmSettings(call, given, providers)
      return orFailedResult(call.context, async (context) => {
        const model = meterModel(
          await chooseActionModel(context, 'memory.summarize', settings, providers),
        )
        const question = {
          messages: createConversation(context, {
            system:
              'You sum up a conversation for somebody who goes on with it: what was asked, found, decided and is open. Give the summary alone.',
            prompt: `<conversation>\n${said.join('\n')}\n</conversation>`,
          }),
        }
        const { content, usage, model: name } = await askOnce(context, model, question)
        return {
          summary: content,
          original_count: said.length,
          token_estimate: Math.ceil(content.length / 4),
          usage,
          model: name,
          success: true,
        }
      })
    },
  })
}

function describe(message: Json): string {
  if (!isJsonObject(message)) return toText(message)
  const { role = 'user', content = '' } = message
  return `${toText(role)}: ${toText(content)}`
}
