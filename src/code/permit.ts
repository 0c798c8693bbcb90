import type { AskedCall, Permission } from '../kernel/agent/call-tools.ts'
import { endsAt, toFailure } from '../kernel/errors.ts'
import type { Json } from '../kernel/json.ts'
import type { RunContext } from '../kernel/run/run-context.ts'
import { visible } from '../kernel/text/visible-text.ts'
import { outcomeOfCall } from './file-changes.ts'
import { type Judged, judgeCall } from './judge-call.ts'
import { askPermission } from './permission.ts'
import type { PermitSite } from './permit-site.ts'
import type { CodeTool, Preview } from './tools/code-tool.ts'

/** Decides on a call: by the rules, by what the person says, or, where nobody is there, by refusing it. */
export async function permitCall(site: PermitSite, call: AskedCall): Promise<Permission> {
  const { tool, input, effect } = call
  try {
    const early = asDecided(call, await judgedEarly(site, call))
    if (early.verdict === 'deny') return refuse(site, call, titleOf(tool.name, input), early)
    const isFree = effect !== 'write' && early.verdict === 'allow'
    // What can never be fetched is refused before anybody is asked, and without a request.
    if (isFree && tool.reaches === undefined) return {}
    const preview = await previewOf(call)
    if (isFree) return {}
    const isFinal = (tool as CodeTool).judge !== undefined
    const judged = isFinal ? early : asDecided(call, judgeCall(site, call, preview))
    if (judged.verdict === 'deny') return refuse(site, call, shownTitle(preview), judged)
    if (judged.verdict === 'ask') {
      const refusal = await settle(site, call, preview, judged)
      if (refusal !== undefined) return { refusal }
    }
    site.onAllow(call.toolCallId, preview)
    const { changes } = preview
    if (changes.length === 0) return {}
    return { decide: () => outcomeOfCall(site.files, changes), permitted: changes }
  } catch (error) {
    if (endsAt(error, call.context.path)) throw error
    const { message, hint } = toFailure(error)
    return { refusal: { error: message, ...(hint === undefined ? {} : { hint }) } }
  }
}

/**
 * What is said of a call by its arguments alone. What a tool says itself rests on files and on what Git says of them, so it is
 * recorded: they may be others when the session is gone on with or replayed.
 */
async function judgedEarly(site: PermitSite, call: AskedCall): Promise<Judged> {
  const { context, tool, input } = call
  const { judge, readsFiles } = tool as CodeTool
  const judged = () => judgeCall(site, call, { paths: readsFiles?.call(tool, input) ?? [] })
  if (judge === undefined || isOfBefore(context, 'judgement')) return judged()
  const isRecorded = context.services.journal.recordedStep(context.key('judgement')) !== undefined
  const given = await context.step('judgement', 'read', { tool: tool.name, input }, async () =>
    judged(),
  )
  // What was let through and not done yet was let through under settings that are not granted any more.
  const isStale = isRecorded && site.isReduced && given.verdict === 'allow'
  return isStale ? { ...given, verdict: 'ask' } : given
}

/**
 * A call that an earlier execution has made, asked about or refused is not decided anew, though the settings may be others now: what
 * follows it in the log rests on what became of it.
 */
function asDecided({ context }: AskedCall, judged: Judged): Judged {
  const { journal } = context.services
  if (judged.verdict === 'deny') return judged
  const isAsked = journal.recordedStep(context.key('permission')) !== undefined
  const isRefused = journal.decision('notice', context.key('refused')) !== undefined
  if (isAsked || isRefused) return { ...judged, verdict: 'ask' }
  const isMade = journal.recordedStep(context.key('call')) !== undefined
  return isMade ? { ...judged, verdict: 'allow' } : judged
}

/** Whether it is a replay of a log from before there was a step of this name. */
function isOfBefore(context: RunContext, name: string): boolean {
  const { journal } = context.services
  const key = context.key(name)
  const recorded = journal.recordedStep(key) ?? journal.decision('limit.reached', key)
  return context.isReplay && recorded === undefined
}

/** What the call would do; recorded, so that the same is asked again after a crash. */
async function previewOf({ context, tool, input }: AskedCall): Promise<Preview> {
  const { preview } = tool as CodeTool
  const plain = { title: titleOf(tool.name, input), paths: [], changes: [] }
  if (preview === undefined || isOfBefore(context, 'preview')) return plain
  return context.step('preview', 'read', { tool: tool.name, input }, () =>
    preview.call(tool, input),
  )
}

/** All of the arguments: a person decides by it. */
function titleOf(name: string, input: Json): string {
  return `${name} ${JSON.stringify(input)}`
}

function shownTitle({ title, command }: Preview): string {
  return command === undefined ? title : `${title}: ${command}`
}

const maxListedCharacters = 200

/** A call in a list of those that were not made. */
function listed(title: string): string {
  const line = visible(title).replaceAll(/\s+/g, ' ').trim()
  return line.length > maxListedCharacters
    ? `${line.slice(0, maxListedCharacters).toWellFormed()}…`
    : line
}

/** Asks the person, or refuses where nobody is there. */
async function settle(
  site: PermitSite,
  call: AskedCall,
  preview: Preview,
  judged: Judged,
): Promise<Json | undefined> {
  if (site.isUnattended) {
    const { refusal } = await refuse(site, call, shownTitle(preview), judged)
    return refusal
  }
  const answer = await askPermission(call, preview, judged)
  if (answer.decision === 'no') {
    const note = answer.note?.trim() ?? ''
    const title = listed(shownTitle(preview))
    site.onRefused({ toolName: call.tool.name, title, reason: 'The person said no.', rules: [] })
    return {
      error: `${call.tool.name} was not called: the person said no.${note === '' ? ' Do not try it again; ask, or go on without it.' : ` They say: ${note}`}`,
    }
  }
  if (answer.decision === 'always') site.onAllowed(judged.always)
  return undefined
}

/** What the model and the person are told of a call that is not made. */
async function refuse(
  site: PermitSite,
  { context, tool }: AskedCall,
  shown: string,
  { verdict, reason, always, rules = always }: Judged,
): Promise<{ readonly refusal: Json }> {
  const title = listed(shown)
  site.onRefused({ toolName: tool.name, title, reason, rules: verdict === 'deny' ? [] : rules })
  await context.notice('refused', 'warning', `${title}: ${reason}`)
  const advice =
    verdict === 'deny'
      ? 'Do not try it again.'
      : 'Nobody is there to be asked. Do not try it again: go on without it, and say what you would have done.'
  return { refusal: { error: `${tool.name} was not called: ${reason} ${advice}` } }
}
