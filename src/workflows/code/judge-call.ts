import type { AskedCall } from '../../kernel/call-tools.ts'
import type { CodeTool, Verdict } from '../../tools/code/code-tool.ts'
import type { PermitSite } from './permit-site.ts'
import { alwaysRules, denyingRule, ruleFor } from './rules.ts'

/** What is to become of a call, why, and what "always" would allow. */
export type Judged = {
  readonly verdict: Verdict
  readonly reason: string
  readonly always: readonly string[]
}

/**
 * What the rules say of a call that would change these files. A rule that was set up wins over what is asked about by itself; in a
 * conversation that holds text from elsewhere only such a rule, or the person, lets a call through that changes something.
 */
export function judgeCall(
  site: Pick<PermitSite, 'settings' | 'allowed' | 'toolsUnder'>,
  { tool, input, effect, tainted }: AskedCall,
  paths: readonly string[],
): Judged {
  const { allow, deny, isYolo } = site.settings()
  const denied = denyingRule(deny, tool.name, paths)
  if (denied !== undefined)
    return { verdict: 'deny', reason: `The rule ${denied} forbids it.`, always: [] }
  const own = judgementOf(site.toolsUnder({ allow, deny }), tool.name, input)
  const always =
    own?.always.map(({ rule }) => `${tool.name}:${rule}`) ?? alwaysRules(tool.name, paths)
  const verdict = own?.verdict ?? (effect === 'write' ? 'ask' : 'allow')
  const reason = own?.reason ?? `${tool.name} changes something.`
  if (verdict === 'deny') return { verdict, reason, always: [] }
  const isRuled =
    own === undefined && ruleFor([...site.allowed, ...allow], tool.name, paths) !== undefined
  if (isRuled) return { verdict: 'allow', reason, always }
  if (tainted !== undefined && !(verdict === 'allow' && isOnlyByRule(site, tool.name, input)))
    return { verdict: 'ask', reason: taintReason(tainted.told), always }
  const isFree = isYolo && own?.mayBeDenied !== true
  return { verdict: isFree ? 'allow' : verdict, reason, always }
}

function judgementOf(tools: readonly CodeTool[], name: string, input: AskedCall['input']) {
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

/** The rule's own advice is for those who set up rules by a tool's name alone. */
function taintReason(told: string): string {
  return told.replace(/ An allow rule that names.*$/, '')
}
