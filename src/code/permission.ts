import * as z from 'zod'
import { shownPath } from '../files/real-place.ts'
import type { AskedCall, Permission } from '../kernel/agent/call-tools.ts'
import { endsAt, toFailure } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { cutText } from '../kernel/text/cut-text.ts'
import { showHidden, showHiddenOnOneLine } from '../kernel/text/visible-text.ts'
import type { PermissionAnswer, PermissionRequest } from './events.ts'
import { findCallOutcome, type WorkspaceFiles } from './file-changes.ts'
import {
  createAlwaysRules,
  createNamingRules,
  findDenyingRule,
  findNamingRule,
  findRule,
} from './rules.ts'
import type { CodeSettings } from './settings.ts'
import type { RefusedCall } from './state.ts'
import type { CodeTool, Judgement, Preview, Verdict } from './tools/code-tool.ts'

/** Decides on a call: by the rules, by asking the person, or, if nobody is there, by refusing. */
export async function permitCall(scope: PermissionContext, call: AskedCall): Promise<Permission> {
  const { tool, input, effect } = call
  try {
    const early = keepEarlierDecision(call, await judgeArguments(scope, call))
    if (early.verdict === 'deny')
      return refuseCall(scope, call, formatCall(tool.name, input), early)
    const isFree = effect !== 'write' && early.verdict === 'allow'
    // What can never be fetched is refused before anyone is asked and before any request is made.
    if (isFree && tool.reaches === undefined) return {}
    const preview = await previewCall(call)
    if (isFree) return {}
    const isFinal = (tool as CodeTool).judge !== undefined
    const judged = isFinal ? early : keepEarlierDecision(call, judgeCall(scope, call, preview))
    if (judged.verdict === 'deny') return refuseCall(scope, call, formatTitle(preview), judged)
    if (judged.verdict === 'ask') {
      const refusal = await askOrRefuse(scope, call, preview, judged)
      if (refusal !== undefined) return { refusal }
    }
    scope.onAllow(call.toolCallId, preview)
    const { changes } = preview
    if (changes.length === 0) return {}
    return { decide: () => findCallOutcome(scope.files, changes), permitted: changes }
  } catch (error) {
    if (endsAt(error, call.context.path)) throw error
    const { message, hint } = toFailure(error)
    return { refusal: { error: message, ...(hint === undefined ? {} : { hint }) } }
  }
}

/** What a decision about a call depends on, and where it is reported. */
export interface PermissionContext {
  readonly files: WorkspaceFiles
  readonly isUnattended: boolean
  /** Whether an earlier execution may have judged under broader settings. */
  readonly isReduced: boolean
  readonly settings: () => CodeSettings
  /** Names of tools that the operator has allowed, in addition to the session's rules. */
  readonly allowed: readonly string[]
  /** Whether fetching the address discloses nothing that the person did not intend to disclose. */
  isKnownAddress(address: string): boolean
  /** The session's tools under these rules. */
  toolsUnder(settings: Pick<CodeSettings, 'allow' | 'deny'>): readonly CodeTool[]
  /** Called for each allowed call that changes something. */
  onAllow(callId: string, preview: Preview): void
  onRefused(call: RefusedCall): void
  onAllowed(rules: readonly string[]): void
}

/** The verdict on a call, why, and what "always" would allow. */
export type CallJudgement = {
  readonly verdict: Verdict
  readonly reason: string
  readonly always: readonly string[]
  /** Rules that would have allowed it if set beforehand. Default: those of `always`. */
  readonly rules?: readonly string[]
}

/**
 * Judges a call by its arguments. A tool's own judgement depends on files and on Git's answers, so it is recorded:
 * both may differ when the session is resumed or replayed.
 */
async function judgeArguments(scope: PermissionContext, call: AskedCall): Promise<CallJudgement> {
  const { context, tool, input } = call
  const { judge, readsFiles } = tool as CodeTool
  const judged = () => judgeCall(scope, call, { paths: readsFiles?.call(tool, input) ?? [] })
  if (judge === undefined || isOlderLog(context, 'judgement')) return judged()
  const isRecorded = context.services.journal.recordedStep(context.key('judgement')) !== undefined
  const recorded = await context.step('judgement', 'read', { tool: tool.name, input }, async () =>
    judged(),
  )
  // What was let through and not done yet was let through under settings that are not granted any more.
  const isStale = isRecorded && scope.isReduced && recorded.verdict === 'allow'
  return isStale ? { ...recorded, verdict: 'ask' } : recorded
}

/**
 * A call that an earlier execution made, asked about or refused is not decided again under today's settings: later
 * events depend on that decision.
 */
function keepEarlierDecision({ context }: AskedCall, judged: CallJudgement): CallJudgement {
  const { journal } = context.services
  if (judged.verdict === 'deny') return judged
  const isAsked = journal.recordedStep(context.key('permission')) !== undefined
  const isRefused = journal.decision('notice', context.key('refused')) !== undefined
  if (isAsked || isRefused) return { ...judged, verdict: 'ask' }
  const isMade = journal.recordedStep(context.key('call')) !== undefined
  return isMade ? { ...judged, verdict: 'allow' } : judged
}

/** Whether this replays a log written before the step existed. */
function isOlderLog(context: RunContext, name: string): boolean {
  const { journal } = context.services
  const key = context.key(name)
  const recorded = journal.recordedStep(key) ?? journal.decision('limit.reached', key)
  return context.isReplay && recorded === undefined
}

/** What the call would do; recorded, so that the same question is asked again after a crash. */
async function previewCall({ context, tool, input }: AskedCall): Promise<Preview> {
  const { preview } = tool as CodeTool
  const plain = { title: formatCall(tool.name, input), paths: [], changes: [] }
  if (preview === undefined || isOlderLog(context, 'preview')) return plain
  return context.step('preview', 'read', { tool: tool.name, input }, () =>
    preview.call(tool, input),
  )
}

/** Includes all arguments, since a person decides by it. */
function formatCall(name: string, input: Json): string {
  return `${name} ${JSON.stringify(input)}`
}

function formatTitle({ title, command }: Preview): string {
  return command === undefined ? title : `${title}: ${command}`
}

const maxListedCharacters = 200

/** A call as listed among the refused ones. */
function shortenTitle(title: string): string {
  const line = showHidden(title).replaceAll(/\s+/g, ' ').trim()
  return cutText(line, maxListedCharacters)
}

/** Asks the person, or refuses if nobody is there. */
async function askOrRefuse(
  scope: PermissionContext,
  call: AskedCall,
  preview: Preview,
  judged: CallJudgement,
): Promise<Json | undefined> {
  if (scope.isUnattended) {
    const { refusal } = await refuseCall(scope, call, formatTitle(preview), judged)
    return refusal
  }
  const answer = await askPermission(call, preview, judged)
  if (answer.decision === 'no') {
    const note = answer.note?.trim() ?? ''
    const title = shortenTitle(formatTitle(preview))
    scope.onRefused({ toolName: call.tool.name, title, reason: 'The person said no.', rules: [] })
    return {
      error: `${call.tool.name} was not called: the person said no.${note === '' ? ' Do not try it again; ask, or go on without it.' : ` They say: ${note}`}`,
    }
  }
  if (answer.decision === 'always') scope.onAllowed(judged.always)
  return undefined
}

/** Refuses a call and records why, for the model and the person. */
async function refuseCall(
  scope: PermissionContext,
  { context, tool }: AskedCall,
  shown: string,
  { verdict, reason, always, rules = always }: CallJudgement,
): Promise<{ readonly refusal: Json }> {
  const title = shortenTitle(shown)
  scope.onRefused({ toolName: tool.name, title, reason, rules: verdict === 'deny' ? [] : rules })
  await context.notice('refused', 'warning', `${title}: ${reason}`)
  const advice =
    verdict === 'deny'
      ? 'Do not try it again.'
      : 'Nobody is there to be asked. Do not try it again: go on without it, and say what you would have done.'
  return { refusal: { error: `${tool.name} was not called: ${reason} ${advice}` } }
}

/** What a call would change. */
type Change = Pick<Preview, 'paths' | 'obeyedBy'>

type JudgeContext = Pick<
  PermissionContext,
  'settings' | 'allowed' | 'toolsUnder' | 'isKnownAddress'
>

/**
 * Applies the rules to a call that would change these files. A rule that was set takes precedence over the default
 * question. Once the conversation holds untrusted text, only such a rule or the person can allow a call that changes
 * something.
 */
function judgeCall(
  scope: JudgeContext,
  { tool, input, effect, tainted }: AskedCall,
  change: Change,
): CallJudgement {
  const { allow, deny, isYolo } = scope.settings()
  const address = tool.reaches?.(input).address
  const names = address === undefined ? change.paths : [new URL(address).href]
  const denied = findDenyingRule(deny, tool.name, names)
  if (denied !== undefined)
    return { verdict: 'deny', reason: `The rule ${denied} forbids it.`, always: [] }
  const own = judgeByTool(scope.toolsUnder({ allow, deny }), tool.name, input)
  const isAsked = effect === 'write' || !(address === undefined || scope.isKnownAddress(address))
  const verdict = own?.verdict ?? (isAsked ? 'ask' : 'allow')
  const { reason, ...offered } = explainAsking(tool.name, { ...change, address, own })
  if (verdict === 'deny') return { verdict, reason, always: [] }
  // Files that other programs execute or obey can only be changed under a rule that names exactly that file.
  const rule = change.obeyedBy === undefined ? findRule : findNamingRule
  const isRuled =
    own === undefined && rule([...scope.allowed, ...allow], tool.name, names) !== undefined
  if (isRuled) return { verdict: 'allow', reason, ...offered }
  if (tainted !== undefined && !(verdict === 'allow' && needsRule(scope, tool.name, input)))
    return { verdict: 'ask', reason: tainted.reason, ...offered }
  const isFree = isYolo && own?.mayBeDenied !== true
  return { verdict: isFree ? 'allow' : verdict, reason, ...offered }
}

interface CallDetails extends Change {
  readonly address: string | undefined
  readonly own: Judgement | undefined
}

/** Why the call is asked about, and which rules a yes can add. */
function explainAsking(
  toolName: string,
  { paths, obeyedBy, address, own }: CallDetails,
): Omit<CallJudgement, 'verdict'> {
  if (own !== undefined) {
    const always = own.always.map(({ rule }) => `${toolName}:${rule}`)
    return { reason: own.reason, always }
  }
  if (address !== undefined) {
    const reason = `The address ${address} did not come from you or a search. Fetching it could leak data.`
    return { reason, always: [`${toolName}:${new URL(address).origin}/`] }
  }
  if (obeyedBy === undefined)
    return { reason: 'No rule allows this change.', always: createAlwaysRules(toolName, paths) }
  const files = paths.map(shownPath).join(', ')
  const reason = `${files} is run or read by ${obeyedBy}, so every change to it needs your approval.`
  return { reason, always: [], rules: createNamingRules(toolName, paths) }
}

function judgeByTool(
  tools: readonly CodeTool[],
  name: string,
  input: AskedCall['input'],
): Judgement | undefined {
  return tools.find((tool) => tool.name === name)?.judge?.(input)
}

/** Whether only a rule set for this session allows the call. */
function needsRule(
  { toolsUnder, settings }: Pick<PermissionContext, 'settings' | 'toolsUnder'>,
  name: string,
  input: AskedCall['input'],
): boolean {
  const { deny } = settings()
  const without = judgeByTool(toolsUnder({ allow: [], deny }), name, input)
  return without !== undefined && without.verdict !== 'allow'
}

const permissionSchema = z.discriminatedUnion('decision', [
  z.strictObject({ decision: z.enum(['once', 'always']) }),
  z.strictObject({ decision: z.literal('no'), note: z.string().optional() }),
])

const yesWords = /^(?:y|yes|ok|once|allow|approve)[.!]?$/i

const alwaysWords = /^(?:a|always)[.!]?$/i

const noWords = /^(?:n|no|deny|refuse|stop)\b[.,:;!]?\s*/i

/** Asks the person about a call, once per call. @throws `waiting` if nobody answers */
async function askPermission(
  { context, tool, toolCallId }: AskedCall,
  preview: Preview,
  { reason, always }: CallJudgement,
): Promise<PermissionAnswer> {
  const request: PermissionRequest = {
    kind: 'permission',
    callId: toolCallId,
    toolName: tool.name,
    preview: sanitizePreview(preview),
    reason: showHidden(reason),
    always,
  }
  return parsePermission(await context.ask('permission', request))
}

/** Makes invisible characters in a preview visible. */
export function sanitizePreview({ title, diff, command, ...others }: Preview): Preview {
  return {
    title: showHiddenOnOneLine(title),
    ...(diff === undefined ? {} : { diff: showHidden(diff) }),
    ...(command === undefined ? {} : { command: showHidden(command) }),
    ...others,
  }
}

/**
 * Parses the person's answer: an object, `true` or `false`, or words. Words that mean neither yes nor always are a no
 * with a note.
 */
export function parsePermission(answer: Json): PermissionAnswer {
  if (answer === true) return { decision: 'once' }
  if (answer === false) return { decision: 'no' }
  if (typeof answer === 'string') return parseWords(answer.trim())
  const parsed = permissionSchema.safeParse(answer)
  if (!parsed.success) return { decision: 'no' }
  const { data } = parsed
  if (data.decision !== 'no') return data
  return data.note === undefined ? { decision: 'no' } : { decision: 'no', note: data.note }
}

function parseWords(words: string): PermissionAnswer {
  if (yesWords.test(words)) return { decision: 'once' }
  if (alwaysWords.test(words)) return { decision: 'always' }
  const note = words.replace(noWords, '')
  return note === '' ? { decision: 'no' } : { decision: 'no', note }
}
