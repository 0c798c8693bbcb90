import { shownPath } from '../files/real-place.ts'
import type { AskedCall } from '../kernel/agent/call-tools.ts'
import type { PermitSite } from './permit-site.ts'
import { alwaysRules, denyingRule, namingRules, ruleFor, ruleNaming } from './rules.ts'
import type { CodeTool, Judgement, Preview, Verdict } from './tools/code-tool.ts'

/** What is to become of a call, why, and what "always" would allow. */
export type Judged = {
  readonly verdict: Verdict
  readonly reason: string
  readonly always: readonly string[]
  /** Rules that would let it through where they were set up before; absent: those of "always". */
  readonly rules?: readonly string[]
}

/** What a call would change. */
type Change = Pick<Preview, 'paths' | 'obeyedBy'>

type JudgeSite = Pick<PermitSite, 'settings' | 'allowed' | 'toolsUnder' | 'isKnownAddress'>

/**
 * What the rules say of a call that would change these files. A rule that was set up wins over what is asked about by itself; in a
 * conversation that holds text from elsewhere only such a rule, or the person, lets a call through that changes something.
 */
export function judgeCall(
  site: JudgeSite,
  { tool, input, effect, tainted }: AskedCall,
  change: Change,
): Judged {
  const { allow, deny, isYolo } = site.settings()
  const address = tool.reaches?.(input).address
  const names = address === undefined ? change.paths : [new URL(address).href]
  const denied = denyingRule(deny, tool.name, names)
  if (denied !== undefined)
    return { verdict: 'deny', reason: `The rule ${denied} forbids it.`, always: [] }
  const own = judgementOf(site.toolsUnder({ allow, deny }), tool.name, input)
  const isAsked = effect === 'write' || !(address === undefined || site.isKnownAddress(address))
  const verdict = own?.verdict ?? (isAsked ? 'ask' : 'allow')
  const { reason, ...offered } = offeredFor(tool.name, { ...change, address, own })
  if (verdict === 'deny') return { verdict, reason, always: [] }
  // Of files that other programs run or obey only a rule that names the very file lets a change through.
  const rule = change.obeyedBy === undefined ? ruleFor : ruleNaming
  const isRuled =
    own === undefined && rule([...site.allowed, ...allow], tool.name, names) !== undefined
  if (isRuled) return { verdict: 'allow', reason, ...offered }
  if (tainted !== undefined && !(verdict === 'allow' && isOnlyByRule(site, tool.name, input)))
    return { verdict: 'ask', reason: tainted.reason, ...offered }
  const isFree = isYolo && own?.mayBeDenied !== true
  return { verdict: isFree ? 'allow' : verdict, reason, ...offered }
}

interface Offering extends Change {
  readonly address: string | undefined
  readonly own: Judgement | undefined
}

/** Why a call is asked about, and the rules that a yes can be for. */
function offeredFor(
  toolName: string,
  { paths, obeyedBy, address, own }: Offering,
): Omit<Judged, 'verdict'> {
  if (own !== undefined) {
    const always = own.always.map(({ rule }) => `${toolName}:${rule}`)
    return { reason: own.reason, always }
  }
  if (address !== undefined) {
    const reason = `The address ${address} did not come from you or a search. Fetching it could leak data.`
    return { reason, always: [`${toolName}:${new URL(address).origin}/`] }
  }
  if (obeyedBy === undefined)
    return { reason: 'No rule allows this change.', always: alwaysRules(toolName, paths) }
  const files = paths.map(shownPath).join(', ')
  const reason = `${files} is run or obeyed by ${obeyedBy}, so each change of it is asked about.`
  return { reason, always: [], rules: namingRules(toolName, paths) }
}

function judgementOf(
  tools: readonly CodeTool[],
  name: string,
  input: AskedCall['input'],
): Judgement | undefined {
  return tools.find((tool) => tool.name === name)?.judge?.(input)
}

/** Whether a call would not be let through without what was set up for this session. */
function isOnlyByRule(
  { toolsUnder, settings }: Pick<PermitSite, 'settings' | 'toolsUnder'>,
  name: string,
  input: AskedCall['input'],
): boolean {
  const { deny } = settings()
  const without = judgementOf(toolsUnder({ allow: [], deny }), name, input)
  return without !== undefined && without.verdict !== 'allow'
}
