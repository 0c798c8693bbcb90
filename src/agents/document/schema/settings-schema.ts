import { z } from 'zod'
import { amount, anyMap, flag, nodeName, text, whole } from './parts.ts'

/** How a language model is chosen and called, for all nodes or for one agent. Every value may be a template. */
const model = {
  provider: text().optional().meta({ description: 'The provider, such as ollama or openai.' }),
  model: text().optional().meta({ description: 'The model, such as ollama:llama3.2.' }),
  temperature: z
    .union([amount(0, 2), text()], 'must be a number from 0 to 2')
    .optional()
    .meta({ description: 'From 0 (deterministic) to 2.' }),
  max_tokens: z
    .union([whole(1), text()], 'must be a whole number')
    .optional()
    .meta({ description: 'Maximum tokens per response.' }),
}

/** `settings.llm`, also `llm` at the top: defaults of model calls. */
export const llmSchema = z
  .strictObject(
    {
      ...model,
      default_model: text().optional().meta({ description: 'As `model`.' }),
      timeout: z
        .union([amount(0, 86_400), text()], 'must be seconds')
        .optional()
        .meta({ description: 'Timeout of one call in seconds.' }),
      api_base: text()
        .optional()
        .meta({ description: 'Ignored: service addresses come from whoever runs the file.' }),
      api_key: text().optional().meta({
        description: 'Ignored: keys come from the environment of whoever runs the file.',
      }),
      deployment: text().optional().meta({ description: 'The name of an Azure deployment.' }),
      max_retries: whole(0, 100)
        .optional()
        .meta({ description: 'Retries of a call if the service fails.' }),
      base_delay: amount(0, 300)
        .optional()
        .meta({ description: 'Seconds before the first retry.' }),
      max_delay: amount(0, 3_600)
        .optional()
        .meta({ description: 'Maximum seconds between retries.' }),
    },
    'must be a map, as in {model: "ollama:llama3.2"}',
  )
  .meta({ description: 'Defaults for model calls.' })

const agent = z
  .strictObject(
    {
      ...model,
      system_prompt: text().optional().meta({ description: 'Who the agent is and what it does.' }),
      description: text()
        .optional()
        .meta({ description: 'A description of the agent for other agents.' }),
      tools: z.array(text(), 'must be a list of tools').optional().meta({
        description: 'The tools the agent may call.',
      }),
      timeout: amount(0, 604_800)
        .optional()
        .meta({ description: 'Timeout of one call in seconds.' }),
      retry: z
        .strictObject(
          {
            max_attempts: whole(1, 100)
              .optional()
              .meta({ description: 'Maximum number of calls.' }),
            backoff: amount(1, 100)
              .optional()
              .meta({ description: 'Factor by which the wait between them grows.' }),
          },
          'must be a map, as in {max_attempts: 3}',
        )
        .optional()
        .meta({ description: 'Retries if the service fails.' }),
    },
    'must be a map, as in {system_prompt: You are an editor.}',
  )
  .meta({ description: 'An agent that agent.dispatch and related actions can call by name.' })

const shellProvider = z.strictObject(
  {
    command: text().meta({ description: 'The program.' }),
    args: z.array(z.string('must be text'), 'must be a list').optional().meta({
      description: 'Its arguments; {prompt} stands for the prompt.',
    }),
    timeout: amount(0, 1_000_000)
      .optional()
      .meta({ description: 'Timeout of one call in seconds.' }),
    verbose: flag().optional().meta({ description: 'Whether its output is shown.' }),
  },
  'must be a map, as in {command: my-model}',
)

/** `settings`: defaults of nodes. Other sections are available to templates and reported as having no effect. */
export const settingsSchema = z
  .object(
    {
      llm: llmSchema.optional(),
      agents: z.record(nodeName(), agent, 'must be agents by name').optional().meta({
        description: 'Agents by name, for agent.dispatch, agent.parallel and related actions.',
      }),
      shell_providers: z
        .record(nodeName(), shellProvider, 'must be programs by name')
        .optional()
        .meta({ description: 'Programs that answer prompts, for provider: shell.' }),
      parallel: z
        .strictObject({
          max_workers: whole(1, 1_000)
            .optional()
            .meta({ description: 'How many branches run at once.' }),
        })
        .optional()
        .meta({ description: 'How branches run.' }),
    },
    'must be a map',
  )
  .loose()
  .meta({ description: 'Defaults for nodes; templates read them as settings.NAME.' })

/** `config`: how the graph is run. */
export const configSchema = z
  .strictObject(
    {
      interrupt_before: z.array(nodeName(), 'must be a list of nodes').optional().meta({
        description: 'The run waits for a person before these nodes.',
      }),
      interrupt_after: z.array(nodeName(), 'must be a list of nodes').optional().meta({
        description: 'The run waits for a person after these nodes.',
      }),
      max_steps: whole(1, 100_000).optional().meta({
        description: 'Maximum number of node executions, which bounds loops. Default 100.',
      }),
    },
    'must be a map',
  )
  .meta({ description: 'How the graph is executed.' })

/** `features`: features that the file switches off for itself. */
export const featuresSchema = z.record(z.string(), flag(), 'must be switches by name').meta({
  description: 'Features to disable for this file, as in {reasoning: false}.',
})

/** `secrets`: names under which templates find environment variables. */
export const secretsSchema = z
  .union(
    [z.array(text(), 'must be a list'), z.record(z.string(), text(), 'must be a map')],
    `must be a list of environment variables, or a map such as {key: "\${MY_KEY}"}`,
  )
  .meta({
    description: `Environment variables that templates read as secrets.NAME: a list of their names, or a map such as {key: "\${MY_KEY}"}. Their values are kept out of the log.`,
  })

/** Values by name that are not checked. */
export const valuesSchema = (description: string) => anyMap().meta({ description })
