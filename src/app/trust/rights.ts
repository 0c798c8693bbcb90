import type { GrantedSettings } from '../../code/settings.ts'
import type { Tool } from '../../kernel/agent/tool.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Json, JsonObject } from '../../kernel/json.ts'
import type { Limits } from '../../kernel/limits/limits.ts'
import { canContinue } from '../../kernel/run/run.ts'
import type { RunStore } from '../../kernel/run/run-store.ts'
import type { DescribedTool } from '../../tools/mcp/mcp-access.ts'
import { ownToolsServer } from '../../tools/mcp/own-tools.ts'
import type { AgentConditions } from '../agents/agent-conditions.ts'
import type { AppParts } from '../app-parts.ts'
import type { PapersConditions } from '../papers/papers-conditions.ts'
import { recordedConditions } from '../runs/recorded-conditions.ts'
import { addressesByRecord } from '../runs/run-models.ts'
import { requireOwnHome } from './own-homes.ts'
import { grantingOptions, type Right, type RightKind, rightsText } from './right.ts'

/** What a command grants a resumed run, and its limits. */
export interface Granted {
  readonly grants?: readonly Right[]
  readonly limits?: Limits
  readonly tools?: readonly Tool[]
}

/**
 * Refuses to resume a run unless everything it was started with is granted now: its record alone grants nothing.
 * Without a right, its work would fail, and the failure would be recorded permanently.
 * @param changed of another run that begins from this one: what it changes of its state
 * @throws `invalid_input` that names what is missing, and how to grant it; `invalid_configuration` in a home that this
 * person did not create
 */
export async function requireGranted(
  parts: AppParts,
  runId: string,
  { grants = [], limits = {}, tools }: Granted,
  changed?: JsonObject,
): Promise<void> {
  const isFork = changed !== undefined
  if (!isFork && !(await canContinue(parts.store, runId, { ...parts.options.limits, ...limits })))
    return
  requireOwnHome(parts, runId)
  await requireOwnTools(parts.store, runId, tools)
  const recorded = await recordedRights(parts, runId, changed)
  const { rightsAskedLater = [], resumeVerb } = await findDefinition(parts, runId)
  const missing = recorded.filter(
    (right) => !isGranted(parts, grants, right) && !rightsAskedLater.includes(right.kind),
  )
  if (missing.length === 0) return
  throw notGranted(parts, `${isFork ? 'fork' : resumeVerb} ${runId}`, runId, missing)
}

/** @throws `invalid_input` for a run that was started with its program's tools, if they are missing */
async function requireOwnTools(
  store: RunStore,
  runId: string,
  tools: readonly Tool[] | undefined,
): Promise<void> {
  const { input, papers } = await beginning(store, runId)
  const isOffered = input.mcp?.includes(ownToolsServer) === true
  if (!isOffered && papers?.tools === undefined) return
  const given = new Set(tools?.map(({ name }) => name))
  const used = papers?.tools ?? (await offeredTools(store, runId))
  const missing = used.filter((name) => !given.has(name))
  if (tools !== undefined && missing.length === 0) return
  const names = missing.length === 0 ? '' : `: ${missing.join(', ')}`
  throw new ScholiumError('invalid_input', `Run ${runId} uses tools of its program${names}.`, {
    hint: 'Resume it in a program that gives them again: app.resume(runId, { tools: […] }).',
    details: { runId, tools: missing },
  })
}

/** The names of a program's tools that a run was offered. */
async function offeredTools(store: RunStore, runId: string): Promise<readonly string[]> {
  for await (const { key, output } of store.events(runId, { types: ['step.done'] })) {
    if (!key.endsWith('/mcp')) continue
    const { tools = [] } = output as { readonly tools?: readonly DescribedTool[] }
    return tools.flatMap(({ name, server }) => (server === ownToolsServer ? [name] : []))
  }
  return []
}

/** @see App.resumeCommand */
export async function resumeCommand(parts: AppParts, runId: string): Promise<string> {
  const { resumeVerb } = await findDefinition(parts, runId)
  const options = grantingOptions(await recordedRights(parts, runId, undefined))
  return `scholium ${resumeVerb} ${runId} ${options}`.trimEnd()
}

async function findDefinition({ store, workflows }: AppParts, runId: string) {
  const definition = workflows.find((await store.get(runId)).workflow)
  return { ...definition, resumeVerb: definition?.resumeCommand ?? 'resume' }
}

/**
 * Whether a run may ask the web: as it was asked to, else as the run that it continues where that is granted now. That it is not is
 * told. `undefined` where nobody says anything.
 */
export function chooseWeb(
  parts: Pick<AppParts, 'warn'>,
  { asked, web, earlier }: KeptWeb,
  grants: readonly Right[],
): boolean | undefined {
  if (asked !== undefined || web !== true) return asked ?? web
  if (grants.some(({ kind }) => kind === 'web')) return true
  parts.warn(`Run ${earlier?.runId} had web access; this one does not. To grant it: --web`)
  return false
}

interface KeptWeb {
  readonly asked: boolean | undefined
  readonly web?: boolean
  readonly earlier?: { readonly runId: string }
}

/** The rights that a run was started with. @param changed see {@link requireGranted} */
export async function recordedRights(
  parts: AppParts,
  runId: string,
  changed: JsonObject | undefined,
): Promise<readonly Right[]> {
  const { input: begun, agent, papers } = await beginning(parts.store, runId)
  const input: Beginning['input'] = { ...begun, ...rightsIn(changed) }
  const isFork = changed !== undefined
  const { mcpTools = [], mcp = [] } = input
  const servers = [...mcp, ...mcpTools.map(({ server }) => server), papers?.mcpArxiv ?? ''].filter(
    (server) => server !== ownToolsServer,
  )
  const addresses = addressesByRecord(parts, await recordedConditions(parts.store, runId), isFork)
  const of = (kind: RightKind, values: readonly string[] = []) =>
    [...new Set(values)].flatMap((value): Right[] => (value === '' ? [] : [{ kind, value }]))
  const isOn = (kind: RightKind, isThere: boolean | undefined): Right[] =>
    isThere === true ? [{ kind, value: '' }] : []
  return [
    ...isOn('web', input.web === true || agent?.web),
    ...isOn('python', input.python),
    ...of('origin', agent?.origins),
    ...of('secret', agent?.secrets),
    ...of('allow', [...(agent?.allow ?? []), ...(input.settings?.allow ?? [])]),
    ...isOn('yolo', input.settings?.isYolo),
    ...isOn('trust', input.isTrusted),
    ...of('memory', [sharedMemory(agent)]),
    ...of('mcp', servers),
    ...of('address', addresses),
  ]
}

/** The name under which a run of an agent file shares its memory; empty for its own. */
function sharedMemory(agent: AgentConditions | undefined): string {
  return /^shared:(.*)$/.exec(agent?.memory ?? '')?.[1] ?? ''
}

interface Beginning {
  readonly input: {
    readonly web?: boolean
    readonly python?: boolean
    readonly mcp?: readonly string[]
    readonly mcpTools?: readonly DescribedTool[]
    /** Of a session, as what follows. */
    readonly settings?: GrantedSettings
    readonly isTrusted?: true
  }
  readonly agent?: AgentConditions
  readonly papers?: PapersConditions
}

/** An input, or the fields that a fork changes: those of a question are a stage of its state. */
function rightsIn(fields: JsonObject = {}): JsonObject {
  const { question } = fields
  return typeof question === 'object' ? { ...fields, ...(question as JsonObject) } : fields
}

/** With what a run began, and what the forks before it changed. */
async function beginning(store: RunStore, runId: string): Promise<Beginning> {
  let input: JsonObject = {}
  let configuration: JsonObject = {}
  for await (const { type, data, output } of store.events(runId, {
    types: ['run.started', 'run.forked'],
  })) {
    input = { ...input, ...rightsIn(output as JsonObject | undefined) }
    if (type === 'run.started') configuration = data.configuration
  }
  return { input, ...configuration } as Beginning
}

function isGranted(parts: AppParts, grants: readonly Right[], { kind, value }: Right): boolean {
  if (kind === 'python') return parts.options.python?.enabled !== false
  if (kind === 'mcp' && !parts.mcp.isKnown(value)) return false
  if (kind === 'mcp' && parts.mcp.isGranted(value)) return true
  return grants.some((grant) => grant.kind === kind && grant.value === value)
}

function notGranted(
  parts: AppParts,
  command: string,
  runId: string,
  missing: readonly Right[],
): ScholiumError {
  const flags = grantingOptions(missing)
  const advice = missing.flatMap(({ kind, value }) => adviceOn(parts, kind, value))
  return new ScholiumError(
    'invalid_input',
    `Run ${runId} was started with ${rightsText(missing)}, which ${missing.length === 1 ? 'is' : 'are'} not granted now.`,
    {
      hint: [
        'Nothing was done.',
        ...advice,
        ...(flags === '' ? [] : [`Grant it again: scholium ${command} ${flags}`]),
      ].join(' '),
      details: { runId, notGranted: missing as Json },
    },
  )
}

/** What is to be done where no option grants it. */
function adviceOn({ mcp }: AppParts, kind: RightKind, value: string): readonly string[] {
  if (kind === 'python') return ['Python is disabled by your configuration.']
  if (kind === 'address')
    return [`Set ${value} in your own configuration, or in the provider's variable.`]
  if (kind === 'mcp' && !mcp.isKnown(value))
    return ['Run the command in the folder of their .mcp.json.']
  return []
}
