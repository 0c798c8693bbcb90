import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock'
import { canonicalJson, type JsonObject, sha256 } from '../../src/kernel/index.ts'
import { type ModelRequestSeen, scriptTeam, type TeamScript } from '../../src/testing/index.ts'

const usage = {
  prompt_tokens: 100,
  completion_tokens: 10,
  input_tokens: 100,
  output_tokens: 10,
  promptTokenCount: 100,
  candidatesTokenCount: 10,
}

/** A mock that plays the whole question team in every interface that it speaks. Stop it when done. */
export async function startTeamMock(team: TeamScript = {}): Promise<LLMock> {
  const script = scriptTeam(team)
  const mock = new LLMock({ port: 0 })
  let number = 0
  mock.on({ predicate: () => true }, async (request) => {
    const reply = await script(seenAs(request, ++number))
    if ('toolCalls' in reply) {
      const toolCalls = reply.toolCalls.map(({ name, input }) => ({
        name,
        arguments: JSON.stringify(input),
      }))
      return { toolCalls, usage }
    }
    if ('status' in reply)
      return { error: { message: `scripted ${reply.status}` }, status: reply.status }
    if ('json' in reply) return { content: JSON.stringify(reply.json), usage }
    return { content: 'text' in reply ? reply.text : '', usage }
  })
  await mock.start()
  return mock
}

function seenAs(request: ChatCompletionRequest, number: number): ModelRequestSeen {
  const body = JSON.parse(JSON.stringify(request)) as JsonObject
  const { messages } = request
  const last = messages.at(-1)
  const texts = messages.flatMap(({ role, content }) =>
    role === 'system' ? [textOf(content)] : [],
  )
  return {
    number,
    model: request.model,
    body,
    bodyHash: sha256(canonicalJson(body)),
    system: texts.join('\n'),
    lastText: last?.role === 'tool' ? resultIn(textOf(last.content)) : textOf(last?.content),
    lastRole: last?.role ?? '',
    tools: (request.tools ?? []).map((tool) => tool.function.name),
    texts: [],
    apiKey: '',
  }
}

/** A tool's result; Gemini's interface wraps it into an object with its name. */
function resultIn(text: string): string {
  if (!text.startsWith('{"name":')) return text
  const { content } = (JSON.parse(text) ?? {}) as { content?: unknown }
  if (content === undefined) return text
  return typeof content === 'string' ? content : JSON.stringify(content)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('')
}
