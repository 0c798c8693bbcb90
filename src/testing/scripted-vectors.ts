import type { Json } from '../kernel/json.ts'
import type { ModelRequestSeen, ScriptedVectors } from './scripted-reply.ts'

/** The vectors as a JSON body. @see https://platform.openai.com/docs/api-reference/embeddings/object */
export function vectorsBody(
  { model, texts }: ModelRequestSeen,
  { vectors, tokens = Math.ceil(texts.join('').length / 4) }: ScriptedVectors,
): Json {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
  const usage = { prompt_tokens: tokens, total_tokens: tokens }
  return { object: 'list', model, data, ...(tokens === null ? {} : { usage }) }
}
