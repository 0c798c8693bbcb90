import { z } from 'zod'
import { amount, anyMap, condition, flag, nodeName, target, text, whole } from './parts.ts'

/** What happens when a node or step fails. */
const onError = z
  .strictObject(
    {
      mode: z
        .enum(['raise', 'graceful', 'retry'], 'must be raise, graceful or retry')
        .optional()
        .meta({
          description:
            'raise ends the run; graceful continues with the error in the state; retry tries again first. Default: raise.',
        }),
      max_retries: whole(0, 100).optional().meta({ description: 'Maximum number of retries.' }),
      retry_delay: amount(0, 300)
        .optional()
        .meta({ description: 'Seconds before the first retry.' }),
      backoff_multiplier: amount(1, 10)
        .optional()
        .meta({ description: 'Factor by which each wait grows.' }),
      fallback: target()
        .optional()
        .meta({ description: 'The node to continue with if everything fails.' }),
    },
    'must be a map, as in {mode: retry, max_retries: 3}',
  )
  .meta({ id: 'on_error', description: 'What happens when the node fails.' })

/** How often a node or step is retried. */
const retry = z
  .union(
    [
      whole(0, 100),
      z.strictObject({
        max_retries: whole(0, 100).meta({ description: 'Maximum number of retries.' }),
        retry_delay: amount(0, 300)
          .optional()
          .meta({ description: 'Seconds before the first retry.' }),
        backoff_multiplier: amount(1, 10)
          .optional()
          .meta({ description: 'Factor by which each wait grows.' }),
      }),
    ],
    'must be a number of retries, or a map as in {max_retries: 3}',
  )
  .meta({ id: 'retry', description: 'Retries if the node fails.' })

/** Whether the result of a node or step is cached. */
const cache = z
  .union(
    [
      flag(),
      z.strictObject({
        key: text().optional().meta({ description: 'A template for the cache key.' }),
        ttl: whole(1, 31_536_000).optional().meta({ description: 'Seconds to keep it.' }),
      }),
    ],
    'must be true, false, or a map as in {ttl: 3600}',
  )
  .meta({ id: 'cache', description: 'Whether to cache the result for the same input.' })

const rules = (keyword: 'if' | 'condition') =>
  z
    .array(
      z.strictObject(
        {
          [keyword]: condition().optional().meta({ description: 'When the rule applies.' }),
          to: target().meta({ description: 'Where to go then.' }),
        },
        `must be a rule, as in {${keyword}: state.ok, to: publish}`,
      ),
      'must be a node, or a list of rules',
    )
    .min(1, 'must have a rule')

const ofSteps = {
  description: z
    .string('must be text')
    .optional()
    .meta({ description: 'What it does, for readers.' }),
  condition: condition()
    .optional()
    .meta({ description: 'Run the node only if this is true; otherwise skip to the next one.' }),
  on_error: onError.optional(),
  retry: retry.optional(),
  cache: cache.optional(),
}

const stepCommon = {
  name: nodeName().optional().meta({ description: 'The name of the step.' }),
  ...ofSteps,
}

const nodeCommon = {
  name: nodeName().meta({ description: 'The name by which edges and goto find the node.' }),
  ...ofSteps,
  goto: z
    .union([target(), rules('if')], 'must be a node, or a list of rules {if, to}')
    .optional()
    .meta({
      description:
        'Where to go next: a node, or rules of which the first match wins. Takes precedence over edges.',
    }),
  next: z
    .union([target(), rules('condition')], 'must be a node, or a list of rules {condition, to}')
    .optional()
    .meta({ description: 'Same as goto, with condition instead of if.' }),
  edges: z
    .record(z.string(), target(), 'must be nodes by value')
    .optional()
    .meta({ description: 'For core.switch: the node to go to, by the value.' }),
  fallback: target()
    .optional()
    .meta({ description: 'The node to continue with if this one fails.' }),
  interrupt: z
    .enum(['before', 'after'], 'must be before or after')
    .optional()
    .meta({ description: 'Whether the run waits for a person before or after the node.' }),
}

const fanIn = {
  fan_in: flag()
    .optional()
    .meta({ description: 'Whether it receives the results of branches, as parallel_results.' }),
  is_fan_in: flag().optional().meta({ description: 'Same as fan_in.' }),
}

const output = z
  .union(
    [text(), z.record(z.string(), z.unknown(), 'must be a map')],
    'must be a key of the state, or a map as in {answer: "{{ result.content }}"}',
  )
  .meta({ id: 'output' })
  .optional()

const outputs = {
  output: output.meta({
    description:
      'The state key for the result, or a map from keys to templates over result. By default, a result that is a map is merged into the state.',
  }),
  outputs: output.meta({ description: 'Same as output.' }),
  output_key: text().optional().meta({ description: 'Same as output, for one key.' }),
}

const params = {
  with: anyMap()
    .optional()
    .meta({ description: 'The parameters of the action; texts are templates.' }),
  params: anyMap().optional().meta({ description: 'Same as with.' }),
  inputs: anyMap().optional().meta({ description: 'Same as with.' }),
}

const language = z
  .enum(
    ['python', 'py', 'lua', 'prolog', 'javascript', 'js'],
    'must be python, lua, prolog or javascript',
  )
  .optional()
  .meta({
    description: 'The language of the code. Default: detected from the code, otherwise python.',
  })

const runMap = z.union([
  z.strictObject({
    type: z
      .literal('expression', 'must be expression')
      .optional()
      .meta({ description: 'Marks it as an expression.' }),
    value: z.union([text(), z.number(), flag()]).meta({ description: 'The expression.' }),
    output_key: text()
      .optional()
      .meta({ description: 'The state key for its value. Default: result.' }),
  }),
  z.strictObject({
    type: z
      .enum(['python', 'lua', 'prolog', 'javascript'], 'must be a language or expression')
      .meta({ description: 'The language of the code.' }),
    code: text().meta({ description: 'The code.' }),
  }),
])

/** The kinds of work of nodes and steps: the key that identifies each, and its keys. */
const work = {
  uses: {
    uses: text().meta({ description: 'The action, such as llm.call.', examples: ['llm.call'] }),
    ...params,
    ...outputs,
  },
  action: {
    action: text().meta({ description: 'Same as uses.', examples: ['llm.call'] }),
    ...params,
    ...outputs,
  },
  run: {
    run: z
      .union([text(), runMap], 'must be code, or a map as in {type: expression, value: 1 + 1}')
      .meta({ description: 'Code in a sandbox; what it returns is merged into the state.' }),
    language,
    ...outputs,
  },
  script: {
    script: text().meta({ description: 'Same as run.' }),
    language,
    ...outputs,
  },
}

/** A step inside a node, by kind. */
export const stepSchemas = {
  uses: z.strictObject({ ...stepCommon, ...work.uses }),
  action: z.strictObject({ ...stepCommon, ...work.action }),
  run: z.strictObject({ ...stepCommon, ...work.run }),
  script: z.strictObject({ ...stepCommon, ...work.script }),
}

const branchAction = z.union([
  z.strictObject({ name: stepCommon.name, ...work.uses }),
  z.strictObject({ name: stepCommon.name, ...work.action }),
])

const eachRules = {
  max_concurrency: z
    .union([whole(1, 1_000), text()], 'must be a whole number from 1 to 1000')
    .optional()
    .meta({ description: 'How many branches run at once. Default: all.' }),
  fail_fast: flag()
    .optional()
    .meta({ description: 'Whether the first failure cancels the other branches. Default: false.' }),
}

const eachCommon = {
  ...nodeCommon,
  type: z.literal('dynamic_parallel').meta({ description: 'One branch for each item of a list.' }),
  items: z
    .union([text(), z.array(z.unknown())], 'must be a template, or a list')
    .meta({ description: 'The items: a list, or a template that gives one.' }),
  item_var: text()
    .optional()
    .meta({ description: 'The name of the item in its branch. Default: item.' }),
  index_var: text()
    .optional()
    .meta({ description: 'The name of its number, from 0. Default: index.' }),
  ...eachRules,
  parallel_config: z
    .strictObject(eachRules, 'must be a map, as in {max_concurrency: 4}')
    .optional()
    .meta({ description: 'max_concurrency and fail_fast, together.' }),
  fan_in: nodeName().optional().meta({
    description: 'The node that receives the results. Optional if output is given.',
  }),
  output: text().optional().meta({ description: 'The state key for the list of results.' }),
}

const steps = (schema: z.ZodType) =>
  z.array(schema, 'must be a list of steps').min(1, 'must not be empty')
const oneStep = z.union(Object.values(stepSchemas)).meta({ id: 'step' })

/** A node, by kind; `step` is the schema of the steps in it. */
function nodeSchemas(step: z.ZodType) {
  return {
    uses: z.strictObject({ ...nodeCommon, ...fanIn, ...work.uses }),
    action: z.strictObject({ ...nodeCommon, ...fanIn, ...work.action }),
    run: z.strictObject({ ...nodeCommon, ...fanIn, ...work.run }),
    script: z.strictObject({ ...nodeCommon, ...fanIn, ...work.script }),
    steps: z.strictObject({
      ...nodeCommon,
      ...fanIn,
      steps: steps(step).meta({ description: 'Steps, one after the other.' }),
    }),
    while: z.strictObject({
      ...nodeCommon,
      ...fanIn,
      type: z.literal('while_loop').meta({ description: 'A body that runs repeatedly.' }),
      condition: condition().meta({ description: 'The body runs as long as this is true.' }),
      max_iterations: whole(1, 1_000).meta({
        description: 'Maximum number of rounds, from 1 to 1000.',
      }),
      body: steps(step).meta({ description: 'What each round does, step by step.' }),
      output: text()
        .optional()
        .meta({ description: 'The state key for the results of the rounds.' }),
    }),
    eachAction: z.strictObject({
      ...eachCommon,
      action: branchAction.meta({ description: 'The action of each branch.' }),
    }),
    eachSteps: z.strictObject({
      ...eachCommon,
      steps: steps(step).meta({ description: 'The steps of each branch.' }),
    }),
    eachSubgraph: z.strictObject({
      ...eachCommon,
      subgraph: text().meta({ description: 'An agent file that each branch runs.' }),
      input: anyMap().optional().meta({ description: 'Its input; texts are templates.' }),
    }),
    empty: z.strictObject({ ...nodeCommon, ...fanIn }),
  }
}

const codeAfter = {
  run: work.run.run.optional().meta({
    description: 'Code that runs after the action, with the result of the action in the state.',
  }),
  script: work.script.script.optional().meta({ description: 'Same as run.' }),
  language,
}

/** All kinds of nodes with all kinds of steps, and code after an action. */
export const fullNodeSchemas = {
  ...nodeSchemas(oneStep),
  uses: z.strictObject({ ...nodeCommon, ...fanIn, ...work.uses, ...codeAfter }),
  action: z.strictObject({ ...nodeCommon, ...fanIn, ...work.action, ...codeAfter }),
}

/** All kinds of nodes when their steps are checked separately. */
export const outerNodeSchemas = nodeSchemas(z.unknown())

/** The names of the kinds. */
export type NodeKind = keyof typeof outerNodeSchemas

/** The names of the kinds of steps. */
export type StepKind = keyof typeof stepSchemas

const end = (description: string) =>
  nodeName().meta({ description, examples: ['__start__', 'fetch', '__end__'] })

/** An edge: from where to where, and when. */
export const edgeSchema = z.strictObject(
  {
    from: end('Where it starts: a node, or __start__.').optional(),
    to: z
      .union([end('A node.'), z.array(end('A node.'))], 'must be a node, or a list of nodes')
      .optional()
      .meta({ description: 'Where it leads: a node, __end__, or the nodes of parallel branches.' }),
    when: condition().optional().meta({
      description:
        'The edge is taken if this is true. Next to a condition: the value (true or false) it must have.',
    }),
    condition: condition().optional().meta({ description: 'Same as when.' }),
    type: z
      .enum(['normal', 'parallel', 'entry', 'finish'], 'must be normal, parallel, entry or finish')
      .optional()
      .meta({
        description:
          'parallel: one of several branches that run at once; entry: from __start__; finish: to __end__. Default: normal.',
      }),
    parallel: flag().optional().meta({ description: 'Same as type: parallel.' }),
    fan_in: nodeName().optional().meta({
      description: 'For a parallel edge: the node that receives the results of all branches.',
    }),
  },
  'must be a map, as in {from: fetch, to: publish}',
)
