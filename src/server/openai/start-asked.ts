import { clientFunctions, type ExecutionOptions } from '../../app.ts'
import type { RunSite } from '../run-site.ts'
import { executeRequest, executionFor, startFor } from '../start-run.ts'
import { labelsOf, type Principal } from '../tokens.ts'
import { type Asked, type FunctionsStart, toStartRequest } from './asked-run.ts'
import { resumeWithResults } from './function-calls.ts'

/** Starts the run that a program asks for, or resumes the one whose calls it has made; its id. */
export async function startAsked(
  site: RunSite,
  asked: Asked,
  principal: Principal,
  kept: Pick<ExecutionOptions, 'request'> = {},
): Promise<string> {
  const resumed = await resumeWithResults(site, asked.messages, principal)
  if (resumed !== undefined) return resumed
  const { request, title } = await toStartRequest(site, asked, principal)
  const labels = { ...labelsOf(principal), ...kept, ...(title === undefined ? {} : { title }) }
  if (request.workflow === 'client-functions')
    return startFunctions(site, request, principal, labels)
  const start = (given: typeof request) =>
    site.tokenRuns.start(principal, () =>
      site.running.start((execution) =>
        executeRequest({ ...site, principal }, given, { ...execution, ...labels }),
      ),
    )
  const { runId } = await startFor(site, principal, (isFresh) =>
    start(isFresh && request.workflow === 'papers' ? { ...request, fresh: true } : request),
  )
  return runId
}

async function startFunctions(
  { app, policy, running, tokenRuns }: RunSite,
  { workflow: _, ...input }: FunctionsStart,
  principal: Principal,
  labels: ExecutionOptions,
): Promise<string> {
  const options = { ...executionFor(app, policy, {}), ...labels }
  const { runId } = await tokenRuns.start(principal, () =>
    running.start((execution) => app.run(clientFunctions, input, { ...execution, ...options })),
  )
  return runId
}
