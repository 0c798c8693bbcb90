import * as z from 'zod'
import type { Json } from '../../../kernel/json.ts'
import { isJsonObject } from '../../../kernel/json.ts'
import type { ComposedAction } from '../action.ts'
import { askOnce } from './ask-model.ts'
import { composedAction, notDone, orNotDone, textOf } from './composed-action.ts'
import { modelFor, type Providers, withSettings } from './model-choice.ts'
import { conversationOf, modelParams } from './model-params.ts'
import { metered } from './model-usage.ts'

/** `memory.summarize`: a conversation in the state, in short. */
export function summarizeAction(providers: Providers): ComposedAction {
  return composedAction({
    name: 'memory.summarize',
    description: 'Sums up a conversation that the state holds.',
    readsState: true,
    params: z.strictObject({
      messages_key: z
        .string()
        .nullish()
        .describe(
          'The key of the state that holds it: a list of {role, content} or texts. Default messages.',
        ),
      ...modelParams,
    }),
    result:
      '{summary, original_count, token_estimate, usage, model, success}; {error, success: false} where there is no conversation.',
    run: async (given, call) => {
      const key = given.messages_key ?? 'messages'
      const { [key]: messages } = call.state
      if (!Array.isArray(messages)) return notDone(`state.${key} is no list of messages.`)
      const said = (messages as readonly Json[]).map(describe)
      const settings = withSettings(call, given, providers)
      return orNotDone(call.context, async (context) => {
        const model = metered(await modelFor(context, 'memory.summarize', settings, providers))
        const question = {
          messages: conversationOf(context, {
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
  if (!isJsonObject(message)) return textOf(message)
  const { role = 'user', content = '' } = message
  return `${textOf(role)}: ${textOf(content)}`
}
