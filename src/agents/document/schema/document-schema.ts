import { z } from 'zod'
import { edgeSchema, fullNodeSchemas } from './node-schema.ts'
import { anyMap, text } from './parts.ts'
import {
  configSchema,
  featuresSchema,
  llmSchema,
  secretsSchema,
  settingsSchema,
  valuesSchema,
} from './settings-schema.ts'

/** A file that another one builds on. */
export const importSchema = z.strictObject(
  {
    path: text().meta({
      description: 'An agent file; relative paths are resolved from this file.',
    }),
    as: z
      .string('must be text')
      .regex(/^[\p{L}_][\p{L}\p{N}_-]{0,49}$/u, 'must be a name of letters, digits, "_" and "-"')
      .optional()
      .meta({
        description:
          'Adds its nodes as NAME.node. Without a name, this file is merged over the imported one.',
      }),
  },
  'must be a map, as in {path: base.yaml}',
)

const known = {
  $schema: z.string().optional().meta({ description: 'Location of this schema, for editors.' }),
  name: z
    .union([text(), z.number()], 'must be text')
    .meta({ description: 'The name of the agent.', examples: ['summarize'] }),
  description: z
    .string('must be text')
    .optional()
    .meta({ description: 'What it does, for readers.' }),
  version: z
    .union([text(), z.number()], 'must be text')
    .optional()
    .meta({ description: 'The version of the agent, in any scheme.' }),
  state_schema: anyMap()
    .optional()
    .meta({
      description: 'The keys of the state and their types, for readers and checks.',
      examples: [{ question: 'str', answers: 'list' }],
    }),
  initial_state: valuesSchema(
    'Initial values of the state; the input of a run overrides them.',
  ).optional(),
  variables: valuesSchema('Values that templates read as variables.NAME.').optional(),
  data: valuesSchema('Longer texts and lists that templates read as data.NAME.').optional(),
  secrets: secretsSchema.optional(),
  settings: settingsSchema.optional(),
  llm: llmSchema.optional().meta({ description: 'Same as settings.llm.' }),
  features: featuresSchema.optional(),
  config: configSchema.optional(),
  input_schema: valuesSchema('A JSON Schema that the input of a run must satisfy.').optional(),
  extraction_schema: valuesSchema(
    'Default schema for validate.extraction: {entities, relationships}.',
  ).optional(),
  imports: z.array(importSchema, 'must be a list').optional().meta({
    description: 'Other agent files that this one extends.',
  }),
}

/** The document without the contents of its nodes and edges, which are checked one by one. */
export const outerSchema = z.strictObject({
  ...known,
  nodes: z.array(z.unknown(), 'must be a list of nodes').min(1, 'must have at least one node'),
  edges: z.array(z.unknown(), 'must be a list of edges').optional(),
})

/** The whole document. */
const agentSchema = z
  .strictObject({
    ...known,
    nodes: z
      .array(z.union(Object.values(fullNodeSchemas)))
      .min(1)
      .meta({ description: 'The nodes. Without edges and goto, they run one after the other.' }),
    edges: z.array(edgeSchema).optional().meta({
      description:
        'The edges between nodes. A node without edges continues with the next in the list.',
    }),
  })
  .meta({
    title: 'Scholium agent',
    description: 'An agent file: nodes and the edges between them.',
  })

/** The name under which editors know the schema. */
const agentSchemaId = 'urn:scholium:schema:agent'

/** A JSON Schema, as far as this module examines it. */
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

/** The published schema of agent files. @see https://json-schema.org/draft/2020-12 */
export function agentJsonSchema(): AgentJsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(agentSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      const kinds = jsonSchema.anyOf
      if (kinds === undefined || !kinds.every(isKind)) return
      // No two kinds match the same object, so that an editor can tell which one is meant.
      jsonSchema.oneOf = kinds
      delete jsonSchema.anyOf
    },
  })
  return { $schema, $id: agentSchemaId, ...schema } as AgentJsonSchema
}

/** Whether a schema is one kind of node or step: a closed object. */
function isKind(schema: { type?: unknown; additionalProperties?: unknown }): boolean {
  return schema.type === 'object' && schema.additionalProperties === false
}
