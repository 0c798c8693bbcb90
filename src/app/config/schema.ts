import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { chosenRoles } from '../models/roles.ts'
import { claimPolicies, depths } from '../options.ts'

/** An integer of at least `least`. */
const wholeFrom = (least: number) => {
  const wanted = `must be a whole number of at least ${least}`
  return z.number(wanted).int(wanted).min(least, wanted)
}
/** A positive number. */
const above0 = () => z.number('must be a number above 0').gt(0, 'must be a number above 0')
/** A number of at least 0. */
const from0 = () =>
  z.number('must be a number of at least 0').min(0, 'must be a number of at least 0')
/** A text that is not blank; `wanted` says what it must be. */
const filled = (wanted: string) => z.string(wanted).trim().min(1, wanted)
/** The message if something other than a map of settings is found. */
const mapAs = (example: string) => `must be a map of settings, as in ${example}`

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
            'MCP servers that questions may use: all, none, or those listed. A project can only disable them.',
          examples: [['browser']],
        }),
      config: filled('must be a path')
        .optional()
        .meta({
          description:
            "File that defines the servers, in the usual format. Default: `.mcp.json` next to your own configuration file, then, with --mcp, the project's.",
          examples: ['servers/.mcp.json'],
        }),
      allow: z
        .array(filled('must be the name of a tool'), 'must be a list of names of tools')
        .optional()
        .meta({
          description:
            'Tools that may have side effects but are allowed anyway; * matches any characters.',
          examples: [['files.write_file']],
        }),
    },
    mapAs('mcp: {servers: [browser]}'),
  )
  .optional()
  .meta({ description: 'MCP servers whose tools researchers can use.' })

/** Settings of Python. */
const pythonSchema = z
  .strictObject(
    {
      enabled: z
        .boolean('must be true or false')
        .optional()
        .meta({
          description:
            'Whether the expert may run Python, in a sandbox without files or network. Default: if its package is installed.',
          examples: [false],
        }),
      timeoutSeconds: above0()
        .max(600, 'must be at most 600')
        .optional()
        .meta({
          description:
            'Time limit per execution in seconds. A project can only lower it, like memoryMb.',
          examples: [30],
        }),
      memoryMb: wholeFrom(320)
        .optional()
        .meta({
          description:
            'Memory limit of the Python process in megabytes; the interpreter itself takes 190.',
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
  .refine(
    hasNoSecret,
    'must not contain a user name, password or query; name the key with apiKeyFrom',
  )
  .meta({
    description:
      "Base URL of the service, including its version. Default: the provider's, or its environment variable.",
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
      "Name of the environment variable that holds the API key. Never put the key itself in a file. Default: the provider's variable.",
    examples: ['MY_OPENAI_KEY'],
  })

const maxCriterionLength = 4_000
const criterion = (description: string) =>
  filled('must be text')
    .max(maxCriterionLength, `must have at most ${maxCriterionLength} characters`)
    .optional()
    .meta({ description, examples: ['Reject claims based on a single source.'] })

const absolutePath = filled('must be a folder').refine(isAbsolute, 'must be an absolute path')

const modelName = filled('must be a model, such as ollama:llama3.2')

const roleModel = z.strictObject(
  {
    name: modelName.meta({ description: 'The model as `provider:model`, or `extractive`.' }),
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
        "Maximum tokens per model response. Default: the model's maximum if known, otherwise 32000; no limit for your own servers.",
    }),
    contextTokens: wholeFrom(1_000).optional().meta({
      description:
        'Context window in tokens. Default: as its server says, otherwise as known of the model, otherwise 32000.',
    }),
    reasoningEffort: z
      .enum(
        ['none', 'minimal', 'low', 'medium', 'high', 'xhigh'],
        'must be none, minimal, low, medium, high or xhigh',
      )
      .optional()
      .meta({
        description: 'How much the model thinks before it answers. Default: as its service does.',
      }),
    timeoutSeconds: above0().max(3_600, 'must be at most 3600').optional().meta({
      description:
        'Timeout of one call in seconds; a response that keeps streaming may take ten times as long. Default: 120.',
    }),
    vision: z.boolean('must be true or false').optional().meta({
      description:
        'Whether the model accepts images, so that it is shown images among the sources. Default: guessed from its name.',
    }),
    stream: z
      .boolean('must be true or false')
      .optional()
      .meta({ description: 'Whether responses are streamed. Default: true.' }),
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
  if (role === 'embedding') return 'Embedding model, for papers and llm.embed.'
  return role === 'default'
    ? 'Model of every role without a model of its own.'
    : `Model of the ${role}${role === 'critic' ? 's' : ''}${/^(?:analyz|synthesiz)er$/.test(role) ? ' of papers' : ''}.`
}

const priceExample = 'prices: {"vllm:my-model": {inputUsdPerMTok: 1, outputUsdPerMTok: 2}}'

const price = z.strictObject(
  {
    inputUsdPerMTok: from0().meta({ description: 'US dollars per million input tokens.' }),
    outputUsdPerMTok: from0().meta({ description: 'US dollars per million output tokens.' }),
    cachedInputUsdPerMTok: from0()
      .optional()
      .meta({ description: "US dollars per million input tokens read from the provider's cache." }),
    cacheWriteUsdPerMTok: from0().optional().meta({
      description: "US dollars per million input tokens written to the provider's cache.",
    }),
  },
  mapAs('{inputUsdPerMTok: 1, outputUsdPerMTok: 2}'),
)

/** The schema of the configuration file: every key, its type and meaning. Unknown keys are rejected. */
export const configSchema = z
  .strictObject(
    {
      $schema: z.string().optional().meta({ description: 'Location of this schema, for editors.' }),
      home: filled('must be a folder')
        .optional()
        .meta({
          description: 'Folder of runs and library. Relative paths are resolved from this file.',
          examples: ['.scholium'],
        }),
      trustedHomes: z
        .array(absolutePath, 'must be a list of folders')
        .optional()
        .meta({
          description:
            'Homes to trust although they were not created on this machine, as in a container: their runs can be resumed. A project cannot set this.',
          examples: [['/data/scholium']],
        }),
      models: z
        .strictObject(roleModels, {
          error: ({ input }) =>
            mapAs(`models: {default: "${typeof input === 'string' ? input : 'ollama:llama3.2'}"}`),
        })
        .optional()
        .meta({ description: 'Models by role: a name, or a map with connection settings.' }),
      prices: z.record(z.string(), price, mapAs(priceExample)).optional().meta({
        description:
          'Prices by model; they override the built-in ones. A name that ends in * matches every model with that prefix.',
      }),
      limits: z
        .strictObject(
          {
            maxSteps: wholeFrom(1)
              .optional()
              .meta({ description: 'Maximum model and tool calls per run.', examples: [40] }),
            maxTokens: wholeFrom(1)
              .optional()
              .meta({ description: 'Maximum tokens per run.', examples: [200_000] }),
            maxCostUsd: above0()
              .optional()
              .meta({ description: 'Maximum cost per run in US dollars.', examples: [0.5] }),
            maxSeconds: above0()
              .optional()
              .meta({ description: 'Maximum working time per run in seconds.', examples: [120] }),
            maxLogMb: wholeFrom(1)
              .optional()
              .meta({
                description:
                  "Maximum size of a run's log in megabytes. A project can only lower it.",
                examples: [64],
              }),
          },
          mapAs('limits: {maxSteps: 40}'),
        )
        .optional()
        .meta({ description: 'Limits per run.' }),
      retryLimit: wholeFrom(0)
        .optional()
        .meta({ description: 'Maximum critic rejections per run.', examples: [5] }),
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
        .meta({ description: 'Maximum critic rejections per run, by role.' }),
      criteria: z
        .strictObject(
          {
            planner: criterion('Of plans.'),
            researcher: criterion('Of research results.'),
            expert: criterion("Of the expert's answers."),
          },
          mapAs('criteria: {researcher: "Reject claims based on a single source."}'),
        )
        .optional()
        .meta({
          description:
            'Additional review criteria for critics, as text. Used by language models only, not by the built-in engine.',
        }),
      claims: z
        .enum(claimPolicies, 'must be mark, strict or off')
        .optional()
        .meta({
          description:
            'How to treat unsupported sentences: `mark` keeps them with their verdicts, `strict` rewrites each once, otherwise leaves it out, `off` checks nothing.',
          examples: ['strict'],
        }),
      depth: z
        .enum(depths, 'must be quick, standard or thorough')
        .optional()
        .meta({
          description:
            'How much work goes into an answer: `quick` is one agent, `standard` a team with the critics that are needed, `thorough` a critic for every step.',
          examples: ['thorough'],
        }),
      web: z
        .boolean('must be true or false')
        .optional()
        .meta({
          description:
            'Whether questions may search and read the web. A project can disable it, but not enable it.',
          examples: [true],
        }),
      mcp: mcpSchema,
      python: pythonSchema,
      sources: z
        .array(filled('must be a path'), 'must be a list of paths')
        .optional()
        .meta({
          description:
            'Files and folders searched for every question, in addition to the library. Relative paths are resolved from this file.',
          examples: [['docs', 'paper.pdf']],
        }),
    },
    'must be a map of settings, such as "models:"',
  )
  .meta({ title: 'Scholium configuration', description: 'The file scholium.yaml.' })

/** The content of a configuration file. */
export type ConfigFile = z.infer<typeof configSchema>

/** The model of one role in a file, if more than a name. */
export type RoleModelEntry = z.infer<typeof roleModel>

/** The parts of a JSON Schema that this module uses. */
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

/** The maximum of a safe integer tells readers nothing. */
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
