import type { ModelRequestSeen, Script, ScriptedReply } from './scripted-reply.ts'

/** The roles of the question team, as scripts name them. */
export type ScriptedRole =
  | 'quick'
  | 'planner'
  | 'researcher'
  | 'expert'
  | 'critic_planner'
  | 'critic_researcher'
  | 'critic_expert'
  | 'finalizer'
  | 'verifier'
  | 'rewriter'

/**
 * A reply, or a function that chooses one; `call` counts the calls of the role from 1. If a run is interrupted and resumed, a
 * call may be repeated: then choose by the request instead.
 */
export type RoleScript =
  | ScriptedReply
  | ((seen: ModelRequestSeen, call: number) => ReturnType<Script>)

/** What each role says; other roles play their part of a plain run. */
export type TeamScript = { readonly [role in ScriptedRole]?: RoleScript }

/** The first words of each role's system prompt, which identify the role of a request. */
const openings: readonly (readonly [ScriptedRole, string])[] = [
  ['quick', 'You search a library'],
  ['planner', 'You plan how'],
  ['researcher', 'You look things up'],
  ['expert', 'You answer a question'],
  ['critic_planner', 'You judge a plan'],
  ['critic_researcher', 'You judge a research result'],
  ['critic_expert', 'You judge an answer'],
  ['finalizer', 'You write the final answer'],
  ['verifier', 'You check claims'],
  ['rewriter', 'You rewrite sentences'],
]

/**
 * The role that a request addresses.
 * @throws if its system prompt belongs to no role
 */
export function findRole(seen: ModelRequestSeen): ScriptedRole {
  const found = openings.find(([, opening]) => seen.system.startsWith(opening))
  if (found === undefined)
    throw new Error(`No role's prompt begins like this: ${seen.system.slice(0, 60)}`)
  return found[0]
}

/**
 * A script for the whole team: one research step, one search, a result that quotes the first passage with its number, critics
 * that approve, an answer that repeats the result. The verifier supports claims that a passage contains verbatim and finds
 * nothing for others; the rewriter leaves everything out. `script` overrides single roles.
 */
export function scriptTeam(script: TeamScript = {}): Script {
  const calls = new Map<ScriptedRole, number>()
  return (seen) => {
    const role = findRole(seen)
    const call = (calls.get(role) ?? 0) + 1
    calls.set(role, call)
    const own = script[role]
    if (own === undefined) return plainReply(role, seen)
    return typeof own === 'function' ? own(seen, call) : own
  }
}

/** The reply of a role in a plain run. */
export function plainReply(role: ScriptedRole, seen: ModelRequestSeen): ScriptedReply {
  switch (role) {
    case 'planner': {
      const question = /question: (.*)/.exec(seen.lastText)?.[1] ?? 'the question'
      return { json: { research_steps: [question], expert_steps: ['Answer from the findings.'] } }
    }
    case 'researcher':
    case 'quick':
      return researcherReply(seen)
    case 'expert':
      return {
        json: {
          expert_answer: citedSentences(seen, 'result'),
          reasoning_trace: 'Took the findings.',
        },
      }
    case 'finalizer':
      return {
        json: {
          final_answer: citedSentences(seen, 'answer'),
          final_reasoning_trace: 'Looked up, then answered.',
        },
      }
    case 'verifier':
      return { json: { verdicts: claimsIn(seen).map((claim) => plainVerdict(claim, seen)) } }
    case 'rewriter':
      return {
        json: { sentences: claimsIn(seen).map(({ claim }) => ({ claim, sentence: null })) },
      }
    default:
      return { json: { decision: 'approve', feedback: '' } }
  }
}

/** A claim as shown in the prompts of the verifier and the rewriter. */
export interface PromptClaim {
  readonly claim: number
  readonly sentence: string
  readonly cites: readonly number[]
}

/** The claims in a request. */
export function claimsIn(seen: ModelRequestSeen): readonly PromptClaim[] {
  const lines = findMaterial(seen).replaceAll(passagePattern, '').split('\n')
  return lines.filter((line) => line.startsWith('{"claim"')).map((line) => JSON.parse(line))
}

/** A verifier that supports every claim with the same quote. */
export function supportEveryClaim(quote: string): (seen: ModelRequestSeen) => ScriptedReply {
  return (seen) => {
    const verdicts = claimsIn(seen).map(({ claim }) => {
      return { claim, verdict: 'supported', quote, reason: 'It says so.' }
    })
    return { json: { verdicts } }
  }
}

/** The passages in a request that come with its claims. */
export function passagesForClaims(seen: ModelRequestSeen): readonly PromptPassage[] {
  return passagesIn(findMaterial(seen))
}

function plainVerdict({ claim, sentence, cites }: PromptClaim, seen: ModelRequestSeen) {
  const bare = sentence.replaceAll(/\s*\[\d+\]|\.$/g, '')
  const isThere = passagesForClaims(seen).some(
    ({ n, text }) => cites.includes(n) && text.includes(bare),
  )
  return isThere
    ? { claim, verdict: 'supported', quote: bare, reason: 'It stands there.' }
    : { claim, verdict: 'not_found', quote: '', reason: 'It does not stand there.' }
}

/** A passage as shown in a prompt. */
export interface PromptPassage {
  readonly n: number
  /** Its position in its source. */
  readonly at: number
  readonly text: string
}

/** Searches first, then quotes the first sentence of the best passage with its number. */
function researcherReply(seen: ModelRequestSeen): ScriptedReply {
  if (seen.lastRole !== 'tool') {
    const request =
      /(?:Research this|Answer this question): (.*)/.exec(seen.lastText)?.[1] ?? seen.lastText
    return { toolCalls: [{ name: 'search_library', input: { query: request, limit: 3 } }] }
  }
  const [passage] = passagesIn(seen.lastText)
  if (passage === undefined) return { json: { result: 'The sources do not say.' } }
  const sentence =
    /^[^.]*\.(?=\s|$)/.exec(passage.text.replaceAll(/^#.*$/gm, '').trim())?.[0] ?? passage.text
  return { json: { result: `${sentence.replace(/\.$/, '')} [${passage.n}].` } }
}

/** The passages in a tool's result or a prompt, as models are shown them. */
export function passagesIn(text: string): readonly PromptPassage[] {
  return [...text.matchAll(passagePattern)].map(([, n, at, shown = '']) => {
    return { n: Number(n), at: Number(at), text: shown }
  })
}

const passagePattern = /<passage source="\[(\d+)\]"[^\n]*? at="(\d+)">\n([\s\S]*?)\n<\/passage>/g

/**
 * The cited sentences in the research results or the expert's answer that a role was given, or a statement that there are none.
 */
function citedSentences(seen: ModelRequestSeen, of: 'result' | 'answer'): string {
  const given = of === 'result' ? /"result":("(?:[^"\\]|\\.)*")/g : /answer: ("(?:[^"\\]|\\.)*")/g
  const texts = [...findMaterial(seen).matchAll(given)].map(([, text]) =>
    JSON.parse(text as string),
  )
  const lines = (texts as string[]).flatMap((text) => text.split('\n'))
  const cited = lines.map((line) => line.trim()).filter((line) => /\[\d+\]\.?$/.test(line))
  return [...new Set(cited)].join('\n\n') || 'The sources do not say.'
}

/** The content of the first user message: the role's material. */
function findMaterial({ body }: ModelRequestSeen): string {
  const messages = body.messages as readonly { readonly role: string; readonly content: unknown }[]
  const first = messages.find(({ role }) => role === 'user')
  return typeof first?.content === 'string' ? first.content : JSON.stringify(first?.content ?? '')
}
