import type { z } from '@hono/zod-openapi'
import { describeModels, type ForkRequest } from '../app.ts'
import type { Json } from '../kernel/json.ts'
import type { RunRecord } from '../kernel/run/run-store.ts'
import { RequestError } from './request-error.ts'
import type { forkRequest } from './run-schemas.ts'
import type { RunSite } from './run-site.ts'
import type { Principal } from './tokens.ts'

/**
 * What requests can change of a state, by workflow: what is asked, and what people decide. The rest says where files are, what may
 * be used, or which sources a run has read.
 */
const changeable: Readonly<Record<string, RegExp>> = {
  ask: /^(question\.(text|depth|claims|answerFormat|sequential|approvePlan)|plan\.\w+|(research|answer)\.(decision|feedback)|answer\.draft|control\.(atAgent|rejections|retryLimits?))(?=$|[.[])/,
  papers: /^(query|question|searchFor|category|count|threshold|claims)$/,
}

/**
 * The fork that a request asks for, under the operator's policy.
 * @throws `forbidden` for a model or a field that is the operator's to choose
 */
export async function toFork(
  site: RunSite,
  run: RunRecord,
  principal: Principal,
  { at, question, models, changes = [] }: z.infer<typeof forkRequest>,
): Promise<ForkRequest> {
  for (const { path } of changes) checkPath(run, principal, path)
  const names = Object.values(models ?? {})
  if (names.length > 0 && principal.role !== 'admin') await checkModels(site, run.runId, names)
  return {
    ...(at !== undefined && { at }),
    ...(question !== undefined && { question }),
    ...(models !== undefined && { models: models as NonNullable<ForkRequest['models']> }),
    changes: changes.map(({ path, value }) => ({ path, value: value as Json })),
  }
}

function checkPath({ workflow }: RunRecord, { role }: Principal, path: string): void {
  const allowed = changeable[workflow]
  if (allowed === undefined ? role === 'admin' : allowed.test(path)) return
  throw new RequestError(
    'forbidden',
    `"${path}" cannot be changed by a request.`,
    allowed === undefined
      ? 'The state of such runs can be changed by admins.'
      : 'Requests change what is asked and planned, not what may be used. At the terminal: scholium fork',
  )
}

/** @throws `forbidden` for a model that neither the operator's configuration nor the run names */
async function checkModels(
  { app, policy: { configuration } }: RunSite,
  runId: string,
  names: readonly string[],
): Promise<void> {
  const known = new Set(['extractive', ...Object.values(app.models)])
  if (configuration !== undefined)
    for (const { name } of describeModels(configuration).roles) known.add(name)
  const filter = { types: ['run.started', 'run.forked'], withOutput: false } as const
  for await (const { data } of app.events(runId, filter))
    for (const name of Object.values(data.configuration.models ?? {})) known.add(String(name))
  const other = names.find((name) => !known.has(name))
  if (other === undefined) return
  throw new RequestError(
    'forbidden',
    `The model "${other}" is not among those of this server.`,
    'GET /api/models lists them. Admins can name others.',
  )
}
