import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { chosenRoles } from '../models/roles.ts'
import { claimPolicies } from '../options.ts'

/** A whole number from `least` on. */
const wholeFrom = (least: number) => {
  const wanted = `must be a whole number from ${least} on`
  return z.number(wanted).int(wanted).min(least, wanted)
}
/** A number above 0. */
const above0 = () => z.number('must be a number above 0').gt(0, 'must be a number above 0')
/** A number from 0 on. */
const from0 = () => z.number('must be a number from 0 on').min(0, 'must be a number from 0 on')
/** A text that is not blank; `wanted` says what it must be. */
const filled = (wanted: string) => z.string(wanted).trim().min(1, wanted)
/** What is said where settings by name belong and something else stands. */
const mapAs = (example: string) => `must be settings by name, as in ${example}`

/** Settings of MCP servers. */
const mcpSchema = z
  .strictObject(
    {
      servers: z
        .union(
          [z.boolean(), z.array(filled('must be a name'))],
          'must be true, false or a list of names',
        )
        .optional()
        .meta({
          description:
            'Which MCP servers questions may use: all, none, or these. A project can only switch them off.',
          examples: [['browser']],
        }),
      config: filled('must be a path')
        .optional()
        .meta({
          description:
            'The file with the servers, as other tools write it. Default: `.mcp.json` next to your own configuration file and then, with --mcp, that of the project.',
          examples: ['servers/.mcp.json'],
        }),
      allow: z
        .array(filled('must be the name of a tool'), 'must be a list of names of tools')
        .optional()
        .meta({
          description:
            'Tools that may change something and may be called all the same; * stands for any characters.',
          examples: [['files.write_file']],
        }),
    },
    mapAs('mcp: {servers: [browser]}'),
  )
  .optional()
  .meta({ description: 'MCP servers, whose tools the researchers get.' })

/** Settings of Python. */
const pythonSchema = z
  .strictObject(
    {
      enabled: z
        .boolean('must be true or false')
        .optional()
        .meta({
          description:
            'Whether the expert may run Python, in a process without files and network. Default: where its package is installed.',
          examples: [false],
        }),
      timeoutSeconds: above0()
        .max(600, 'must be at most 600')
        .optional()
        .meta({
          description:
            'How long one piece of code may run. A project may only lower it, as memoryMb.',
          examples: [30],
        }),
      memoryMb: wholeFrom(320)
        .optional()
        .meta({
          description: 'Megabytes of the process that runs it, of which the interpreter takes 190.',
          examples: [1024],
        }),
    },
    mapAs('python: {enabled: false}'),
  )
  .optional()
  .meta({ description: 'Python for the expert.' })

const address = z
  .string('must be an http address')
  .refine(isHttpAddress, { error: 'must be an http address', abort: true })
  .refine(hasNoSecret, 'must hold no user name, password or query; a key is named with apiKeyFrom')
  .meta({
    description:
      'The address of the service, up to its version. Default: of the provider, or of its environment variable.',
    examples: ['http://127.0.0.1:11434/v1'],
  })

const variable = z
  .string('must be the name of an environment variable')
  .regex(
    /^[A-Z_][A-Z0-9_]{0,99}$/,
    'must be the name of an environment variable, such as MY_KEY, and never a key itself',
  )
  .meta({
    description:
      "The environment variable that holds the key; the key itself never stands in a file. Default: the provider's variable.",
    examples: ['MY_OPENAI_KEY'],
  })

const maxCriterionLength = 4_000
const criterion = (description: string) =>
  filled('must be words')
    .max(maxCriterionLength, `must have at most ${maxCriterionLength} characters`)
    .optional()
    .meta({ description, examples: ['Reject what rests on one source alone.'] })

const absolutePath = filled('must be a folder').refine(isAbsolute, 'must be a whole path')

const modelName = filled('must be a model, such as ollama:llama3.2')

const roleModel = z.strictObject(
  {
    name: modelName.meta({ description: 'The model, as `provider:model`, or `extractive`.' }),
    baseUrl: address.optional(),
    apiKeyFrom: variable.optional(),
    temperature: z
      .number('must be a number from 0 to 2')
      .min(0, 'must be a number from 0 to 2')
      .max(2, 'must be a number from 0 to 2')
      .optional()
      .meta({ description: 'From 0 to 2. Default: 0.' }),
    maxOutputTokens: wholeFrom(1).optional().meta({
      description:
        'How many tokens one answer of the model may have. Default: what the model gives at most where that is known, else 32000; no bound for servers of your own.',
    }),
    timeoutSeconds: above0().max(3_600, 'must be at most 3600').optional().meta({
      description:
        'How many seconds one call may take; an answer that keeps coming may take ten times as many. Default: 120.',
    }),
    vision: z.boolean('must be true or false').optional().meta({
      description:
        'Whether it takes pictures, so that it is shown those among the sources. Default: by its name, where that is known.',
    }),
    stream: z
      .boolean('must be true or false')
      .optional()
      .meta({ description: 'Whether answers are read as they are written. Default: true.' }),
  },
  'must be the name of a model, or a map with its name',
)

const roleModels = Object.fromEntries(
  chosenRoles.map((role) => [
    role,
    z
      .union([modelName, roleModel])
      .optional()
      .meta({ description: descriptionOf(role) }),
  ]),
)

function descriptionOf(role: string): string {
  if (role === 'embedding')
    return 'The model that makes vectors of texts, for papers and llm.embed.'
  return role === 'default'
    ? 'The model of every role that has none of its own.'
    : `The model of the ${role}${role === 'critic' ? 's' : ''}${/^(?:analyz|synthesiz)er$/.test(role) ? ' of papers' : ''}.`
}

const priceExample = 'prices: {"vllm:my-model": {inputUsdPerMTok: 1, outputUsdPerMTok: 2}}'

const price = z.strictObject(
  {
    inputUsdPerMTok: from0().meta({ description: 'US dollars for a million tokens read.' }),
    outputUsdPerMTok: from0().meta({ description: 'US dollars for a million tokens written.' }),
    cachedInputUsdPerMTok: from0()
      .optional()
      .meta({ description: 'For the part of a prompt that the service had kept.' }),
    cacheWriteUsdPerMTok: from0()
      .optional()
      .meta({ description: 'For the part of a prompt that the service keeps.' }),
  },
  mapAs('{inputUsdPerMTok: 1, outputUsdPerMTok: 2}'),
)

/** The configuration file: every key, its form and its meaning. What is not here is refused. */
export const configSchema = z
  .strictObject(
    {
      $schema: z.string().optional().meta({ description: 'Where this schema lies, for editors.' }),
      home: filled('must be a folder')
        .optional()
        .meta({
          description: 'The folder of runs and library. A relative path counts from this file.',
          examples: ['.scholium'],
        }),
      trustedHomes: z
        .array(absolutePath, 'must be a list of folders')
        .optional()
        .meta({
          description:
            'Homes that are your own although this machine does not know that you made them, as in a container: their runs can be resumed. A project cannot set it.',
          examples: [['/data/scholium']],
        }),
      models: z
        .strictObject(roleModels, {
          error: ({ input }) =>
            mapAs(`models: {default: "${typeof input === 'string' ? input : 'ollama:llama3.2'}"}`),
        })
        .optional()
        .meta({ description: 'Models by role: a name, or a map with how it is reached.' }),
      prices: z.record(z.string(), price, mapAs(priceExample)).optional().meta({
        description:
          'Prices by model, before the built-in ones. A name may end with * and stands for all that begin so.',
      }),
      limits: z
        .strictObject(
          {
            maxSteps: wholeFrom(1)
              .optional()
              .meta({ description: 'Model and tool calls of a run.', examples: [40] }),
            maxTokens: wholeFrom(1)
              .optional()
              .meta({ description: 'Tokens of a run.', examples: [200_000] }),
            maxCostUsd: above0()
              .optional()
              .meta({ description: 'US dollars of a run.', examples: [0.5] }),
            maxSeconds: above0()
              .optional()
              .meta({ description: 'Seconds of work of a run.', examples: [120] }),
            maxLogMb: wholeFrom(1)
              .optional()
              .meta({
                description: 'Megabytes that a run may record. A project may only lower it.',
                examples: [64],
              }),
          },
          mapAs('limits: {maxSteps: 40}'),
        )
        .optional()
        .meta({ description: 'What one run may use at most.' }),
      retryLimit: wholeFrom(0)
        .optional()
        .meta({ description: 'Rejections by critics that a run may have.', examples: [5] }),
      retryLimits: z
        .strictObject(
          {
            planner: wholeFrom(0).optional().meta({ description: 'Of plans.' }),
            researcher: wholeFrom(0).optional().meta({ description: 'Of research.' }),
            expert: wholeFrom(0).optional().meta({ description: "Of the expert's answers." }),
          },
          mapAs('retryLimits: {planner: 2}'),
        )
        .optional()
        .meta({ description: 'Rejections by role that a run may have.' }),
      criteria: z
        .strictObject(
          {
            planner: criterion('Of plans.'),
            researcher: criterion('Of research results.'),
            expert: criterion("Of the expert's answers."),
          },
          mapAs('criteria: {researcher: "Reject what rests on one source alone."}'),
        )
        .optional()
        .meta({
          description:
            'What critics look at beside their own instructions, in words. A language model reads them; the built-in engine does not.',
        }),
      claims: z
        .enum(claimPolicies, 'must be mark, strict or off')
        .optional()
        .meta({
          description:
            'What becomes of sentences that their sources do not bear out: `mark` delivers them with their verdicts, `strict` rewrites each once or leaves it out, `off` checks nothing.',
          examples: ['strict'],
        }),
      web: z
        .boolean('must be true or false')
        .optional()
        .meta({
          description:
            'Whether questions may search and read on the web. A project can switch it off, and on only where you did.',
          examples: [true],
        }),
      mcp: mcpSchema,
      python: pythonSchema,
      sources: z
        .array(filled('must be a path'), 'must be a list of paths')
        .optional()
        .meta({
          description:
            'Files and folders that each question searches beside the library. Relative paths count from this file.',
          examples: [['docs', 'paper.pdf']],
        }),
    },
    'must hold settings by name, such as "models:"',
  )
  .meta({ title: 'Scholium configuration', description: 'The file scholium.yaml.' })

/** What a configuration file says. */
export type ConfigFile = z.infer<typeof configSchema>

/** How the model of one role is written in a file, where it is more than a name. */
export type RoleModelEntry = z.infer<typeof roleModel>

/** A JSON Schema, as far as this module looks into one. */
export interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

/** The schema of the configuration file as published. @see https://json-schema.org/draft/2020-12 */
export function configJsonSchema(): JsonSchema {
  return z.toJSONSchema(configSchema, { io: 'input', override: dropWidestNumber }) as JsonSchema
}

/** That a whole number is no larger than JavaScript can hold says nothing to a reader. */
function dropWidestNumber({ jsonSchema }: { jsonSchema: { maximum?: number } }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

function isHttpAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function hasNoSecret(text: string): boolean {
  const { username, password, search, hash } = new URL(text)
  return username + password + search + hash === ''
}
