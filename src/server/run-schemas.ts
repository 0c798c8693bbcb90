import { z } from '@hono/zod-openapi'
import type { ModelRole } from '../kernel/model/model.ts'
import { runStatuses } from '../kernel/run/event.ts'

const maxDepth = 64

/** Whether JSON data is nested deeper than a limit; found without recursion. */
function isTooDeep(value: unknown): boolean {
  let level: readonly unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    )
  }
  return false
}

/** The id of a run. */
export const runId = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
  .openapi({ description: 'The whole id of a run.', example: '20261120-4kz9qd' })

/** The sources that a request names. */
export const sources = z.array(z.string().min(1).max(1_000)).max(100).openapi({
  description:
    "Files and folders, as paths in the operator's folder of files. `library` stands for the library, which questions and checks search anyway; `./library` is a file or folder of this name.",
})

const limits = z
  .strictObject({
    maxSteps: z.int().min(1),
    maxTokens: z.int().min(1),
    maxCostUsd: z.number().positive(),
    maxSeconds: z.number().positive().max(1e9),
  })
  .partial()
  .openapi({ description: "Limits of this run; the operator's apply as well." })

const claims = z.enum(['mark', 'strict', 'off'])

const shared = {
  limits: limits.optional(),
  session: z.string().min(1).max(200).optional().openapi({ description: 'A label for the run.' }),
}

const web = z
  .boolean()
  .optional()
  .openapi({ description: 'Whether the web may be used, where the operator allows it.' })

const askForm = z.strictObject({
  workflow: z.literal('ask'),
  question: z.string().trim().min(1).max(20_000),
  continue: runId.optional(),
  sources: sources.optional(),
  web,
  depth: z.enum(['quick', 'standard', 'thorough']).optional(),
  claims: claims.optional(),
  answerFormat: z.enum(['full', 'short']).optional(),
  approvePlan: z.boolean().optional(),
  sequential: z.boolean().optional(),
  retryLimit: z.int().min(0).max(100).optional(),
  python: z.boolean().optional(),
  ...shared,
})

/** The body of a request that asks a question. */
export const askRequest = askForm.openapi('AskRequest')

const papers = z.strictObject({
  workflow: z.literal('papers'),
  query: z.string().trim().min(1).max(20_000).optional(),
  continue: runId.optional(),
  sources: sources.optional().openapi({
    description: 'As for a question. Default: the library, or with the web that alone.',
  }),
  add: sources.optional().openapi({
    description: 'With `continue`: papers to add to the run, named as sources are.',
  }),
  web,
  category: z.string().min(1).max(100).optional(),
  count: z.int().min(1).max(20).optional(),
  threshold: z.number().min(0).max(1).optional(),
  claims: claims.optional(),
  fresh: z.boolean().optional(),
  ...shared,
})

/** The name of an agent file. */
export const agentName = z
  .string()
  .regex(/^[\w-][\w.-]{0,99}$/)
  .openapi({
    description: "The name of a file in the operator's folder of agents, without its ending.",
  })

const agent = z.strictObject({
  workflow: z.literal('agent'),
  agent: agentName,
  input: z
    .record(z.string(), z.unknown())
    .refine((value) => !isTooDeep(value), 'is nested too deep')
    .optional(),
  web,
  ...shared,
})

/** The body of a request that starts a run. */
export const startRequest = z
  .discriminatedUnion('workflow', [
    askRequest,
    papers.openapi('PapersRequest'),
    agent.openapi('AgentRequest'),
  ])
  .openapi('StartRequest')

const range = z.object({ from: z.number(), to: z.number() })

/** What a question is expected to take. */
export const estimate = z
  .object({
    depth: z.enum(['quick', 'standard', 'thorough']),
    modelCalls: range,
    tokens: range,
    costUsd: range.nullable().openapi({ description: 'Null if the price of a model is unknown.' }),
    earlierRuns: z
      .int()
      .openapi({ description: 'From how many earlier questions it is known; 0: a rough figure.' }),
  })
  .openapi('Estimate')

/** The body of a request that resumes a run. */
export const resumeRequest = z
  .strictObject({ limits: limits.optional() })
  .optional()
  .openapi('ResumeRequest')

/** The body of a request that answers a run's question. */
export const answerRequest = z
  .strictObject({
    answer: z
      .union([
        z.string().max(20_000),
        z.boolean(),
        z.number(),
        z
          .record(z.string(), z.unknown())
          .refine((value) => !isTooDeep(value), 'is nested too deep'),
      ])
      .openapi({
        description:
          'For a plan: `approve`, `refuse`, feedback for the planner, or another plan. At a node of an agent file: `approve`, `stop`, or changes to the state.',
      }),
    key: z
      .string()
      .optional()
      .openapi({ description: 'The key of the question; another question is not answered.' }),
  })
  .openapi('AnswerRequest')

const modelRoles = [
  'default',
  'planner',
  'researcher',
  'expert',
  'critic',
  'finalizer',
  'verifier',
  'analyzer',
  'synthesizer',
  'embedding',
] as const satisfies readonly ModelRole[]

/** The body of a request that forks a run. */
export const forkRequest = z
  .strictObject({
    at: z.string().min(1).max(1_000).optional().openapi({
      description: 'The step that is done again, with all that follows. Default: the first.',
    }),
    question: z.string().trim().min(1).max(20_000).optional(),
    models: z
      .partialRecord(z.enum(modelRoles), z.string().regex(/^[A-Za-z][\w.-]*(:[\w.:/@+-]{1,200})?$/))
      .optional()
      .openapi({
        description:
          "Other models by role, as `provider:model`; `default` stands for all roles. The operator's, or any for admins.",
      }),
    changes: z
      .array(
        z.strictObject({
          path: z.string().min(1).max(200),
          value: z.unknown().refine((value) => !isTooDeep(value), 'is nested too deep'),
        }),
      )
      .max(50)
      .optional()
      .openapi({ description: 'Changes of the state there, such as `plan.researchSteps`.' }),
    ...shared,
  })
  .openapi('ForkRequest')

/** The graph of a run with the way that it took. */
export const runGraph = z
  .object({
    schema: z.literal('scholium.graph/1'),
    runId,
    workflow: z.string(),
    start: z.string().openapi({ description: 'The first node.' }),
    nodes: z.array(z.object({ name: z.string(), caption: z.string().optional(), visits: z.int() })),
    edges: z.array(
      z.object({
        from: z.string(),
        to: z.string().openapi({ description: '`__end__` stands for the end.' }),
        isConditional: z.boolean(),
        label: z.string().optional(),
        taken: z.int().openapi({ description: 'How often the run went along it.' }),
      }),
    ),
    way: z
      .array(
        z.object({
          node: z.string(),
          key: z.string().openapi({ description: 'A fork can start from it.' }),
          seq: z.int(),
          endedAt: z.int(),
          branches: z.int().optional(),
        }),
      )
      .openapi({ description: 'The nodes that ended, in order.' }),
  })
  .openapi('RunGraph')

/** What a replay came to. */
export const replayReport = z
  .object({
    runId,
    isIdentical: z.boolean(),
    steps: z.int().openapi({ description: 'Steps that were answered from the log.' }),
    unclaimed: z
      .array(z.string())
      .openapi({ description: 'Recorded steps that the code no longer asks for.' }),
  })
  .openapi('ReplayReport')

const status = z.enum(runStatuses)

const summary = z.object({
  runId,
  workflow: z.string(),
  title: z.string(),
  status,
  createdAt: z.int().openapi({ description: 'Milliseconds since 1970.' }),
  updatedAt: z.int(),
  lastSeq: z.int().openapi({ description: 'The number of its last event.' }),
  parent: z.object({ runId, seq: z.int() }).optional(),
})

/** A run in a list. */
export const runSummary = summary.openapi('RunSummary')

/** One run. */
export const runDetails = summary
  .extend({
    queue: z
      .int()
      .optional()
      .openapi({ description: 'Its place among the runs that wait for their turn, from 1.' }),
    isElsewhere: z.literal(true).optional().openapi({
      description:
        'Another process executes it: its stream has no tokens, and it is interrupted there.',
    }),
    result: z
      .looseObject({ schema: z.string() })
      .optional()
      .openapi({ description: 'Of a run that has ended; `schema` names its form.' }),
    notices: z
      .array(z.object({ level: z.enum(['info', 'warning', 'error']), message: z.string() }))
      .optional()
      .openapi({
        description: 'What it remarks on how it works, such as that the sample library is used.',
      }),
    question: z
      .object({ key: z.string(), prompt: z.unknown() })
      .optional()
      .openapi({ description: 'What a waiting run asks a person.' }),
  })
  .openapi('Run')

/** A page of runs, newest first. */
export const runPage = z
  .object({
    runs: z.array(runSummary),
    next: z
      .string()
      .optional()
      .openapi({ description: 'The cursor of the next page; absent on the last.' }),
  })
  .openapi('RunPage')

/** What a run took, and how its claims stand. */
export const runFigures = z
  .object({
    runId,
    lastSeq: z.int().openapi({ description: 'The number of the last event that is counted.' }),
    wallMs: z.number().openapi({ description: 'From start to end, without pauses.' }),
    calls: z.int().openapi({ description: 'Calls of models and tools.' }),
    costUsd: z.number().optional().openapi({ description: 'Absent if a price is unknown.' }),
    coverage: z
      .record(z.string(), z.int())
      .optional()
      .openapi({ description: 'How many claims there are, by verdict.' }),
  })
  .openapi('RunFigures')

const maxFigures = 50

/** The runs whose figures are asked for. */
export const figuresQuery = z.strictObject({
  runs: z
    .string()
    .max(7_000)
    .transform((text) => text.split(','))
    .pipe(z.array(runId).max(maxFigures))
    .openapi({ type: 'string', description: `Up to ${maxFigures} ids, separated by commas.` }),
})

/** The figures of several runs. */
export const figureList = z.object({ figures: z.array(runFigures) }).openapi('RunFigureList')

/** The query of a list of runs. */
export const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().max(300).optional(),
  workflow: z.string().min(1).max(100).optional(),
  status: status.optional(),
  text: z.string().min(1).max(200).optional().openapi({ description: 'What the title contains.' }),
  from: z.iso.date().optional().openapi({ description: 'The first day, in UTC.' }),
  to: z.iso.date().optional().openapi({ description: 'The last day, in UTC.' }),
  minCostUsd: z.coerce.number().positive().optional().openapi({
    description:
      'The least that a run cost. A page may then be empty although there is a next one.',
  }),
})

/** The query of a stream of events. */
export const eventsQuery = z.strictObject({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional(),
})

/** How a report is given. */
export const reportQuery = z.strictObject({
  format: z.enum(['html', 'markdown', 'csv']).default('html'),
})

/** How references are given: as data, or in a style. */
export const referencesQuery = z.strictObject({
  format: z.enum(['text', 'markdown', 'html', 'bibtex', 'ris', 'csl']).default('text'),
  style: z.enum(['apa', 'chicago', 'ieee', 'apa-arxiv']).optional(),
})

/** How a trace is given. */
export const traceQuery = z.strictObject({ format: z.enum(['json', 'csv']).default('json') })

/** With what a run is compared. */
export const diffQuery = z.strictObject({ with: runId })

/** How two runs compare. */
export const runDiff = z
  .looseObject({ schema: z.literal('scholium.diff/1'), isSame: z.boolean() })
  .openapi('RunDiff')

/** The run that a path names. */
export const runParams = z.object({ id: runId })

/** The body of every error. */
export const errorBody = z
  .object({
    schema: z.literal('scholium.error/1'),
    error: z.object({
      code: z.string(),
      message: z.string(),
      retryable: z.boolean(),
      hint: z.string().optional(),
    }),
  })
  .openapi('Error')
