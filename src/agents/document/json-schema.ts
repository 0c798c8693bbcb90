import { z } from 'zod'
import { agentSchema } from './schema/document-schema.ts'

/** Under this name the schema is known to editors. */
export const agentSchemaId = 'urn:scholium:schema:agent'

/** A JSON Schema, as far as this module looks into one. */
export interface AgentJsonSchema {
  readonly $id?: string
  readonly type?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, AgentJsonSchema>>
  readonly additionalProperties?: AgentJsonSchema | boolean
  readonly required?: readonly string[]
  readonly oneOf?: readonly AgentJsonSchema[]
  readonly anyOf?: readonly AgentJsonSchema[]
  readonly items?: AgentJsonSchema
}

/** The schema of agent files as published. @see https://json-schema.org/draft/2020-12 */
export function agentJsonSchema(): AgentJsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(agentSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      const kinds = jsonSchema.anyOf
      if (kinds === undefined || !kinds.every(isKind)) return
      // No two kinds fit the same map, so that an editor may say which one is meant.
      jsonSchema.oneOf = kinds
      delete jsonSchema.anyOf
    },
  })
  return { $schema, $id: agentSchemaId, ...schema } as AgentJsonSchema
}

/** Whether a schema is one kind of node or step: a closed map. */
function isKind(schema: { type?: unknown; additionalProperties?: unknown }): boolean {
  return schema.type === 'object' && schema.additionalProperties === false
}
