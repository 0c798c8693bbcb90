import type { JsonObject } from '../../kernel/json.ts'
import type { FilePosition } from './problem.ts'

/** A checked agent file in one normal form, whatever syntax it was written in. The graph is built from this. */
export interface AgentDocument {
  readonly name: string
  readonly description: string
  readonly version: string
  /** The file it was read from. */
  readonly file: string
  /** Keys and their types, as written. */
  readonly stateSchema: JsonObject
  /** Initial values of the state; the run's input overrides them. */
  readonly initialState: JsonObject
  readonly variables: JsonObject
  readonly data: JsonObject
  /** Names and the texts that give their values, such as `${MY_KEY}`. */
  readonly secrets: Readonly<Record<string, string>>
  readonly settings: AgentSettings
  /** Features that the file switches on or off. */
  readonly features: Readonly<Record<string, boolean>>
  /** Maximum number of node executions; absent if the file does not say. */
  readonly maxSteps?: number
  readonly interruptBefore: readonly string[]
  readonly interruptAfter: readonly string[]
  /** A JSON Schema of the input. */
  readonly inputSchema?: JsonObject
  /** Defaults for `validate.extraction`. */
  readonly extractionSchema?: JsonObject
  /** Where a run begins. */
  readonly start: Route
  readonly nodes: readonly AgentNode[]
  /** All edges of all routes, for pictures. */
  readonly edges: readonly AgentEdge[]
}

/** The defaults of a file. */
export interface AgentSettings {
  /** `settings.llm` over `llm`. */
  readonly llm: JsonObject
  /** `settings.agents`, by name. */
  readonly agents: Readonly<Record<string, JsonObject>>
  /** All of `settings`, for templates. */
  readonly all: JsonObject
}

/** A condition, as the template language reads it. */
export interface Condition {
  readonly text: string
  /** Whether it must be false. */
  readonly isNegated: boolean
  /** Its location, from the top of the document; absent if its owner's is used. */
  readonly path?: readonly string[]
}

/** The end of a run, as a target. */
export const endTarget = '__end__'

/** Where a run goes next, with all rules of precedence already applied. */
export type Route =
  /** Always to one node, or to `__end__`. */
  | { readonly kind: 'to'; readonly target: string }
  /** To the first target whose condition holds, otherwise to `otherwise`; without it the run fails. */
  | {
      readonly kind: 'rules'
      readonly rules: readonly { readonly condition: Condition; readonly to: string }[]
      readonly otherwise?: string
    }
  /** To the target that the result of `core.switch` names, otherwise to `otherwise`; without it the run fails. */
  | {
      readonly kind: 'switch'
      readonly targets: Readonly<Record<string, string>>
      readonly otherwise?: string
    }
  /** To all branches whose condition holds, in parallel; each follows its own routes to `join`. */
  | {
      readonly kind: 'parallel'
      readonly branches: readonly { readonly node: string; readonly condition?: Condition }[]
      readonly join: string
    }

/** An edge of the picture. */
export interface AgentEdge {
  /** A node, or `__start__`. */
  readonly from: string
  /** A node, or `__end__`. */
  readonly to: string
  readonly kind: 'always' | 'conditional' | 'parallel' | 'fallback'
  /** Its condition, as the file words it. */
  readonly label?: string
}

/** What happens when a node or step fails. */
export interface ErrorRule {
  readonly retries: number
  /** Delay before the first retry. */
  readonly delayMs: number
  /** Factor by which the delay grows. */
  readonly backoff: number
  /** Whether the run continues with the error in the state. */
  readonly isGraceful: boolean
  /** The node to continue with; takes precedence over `isGraceful`. */
  readonly fallback?: string
}

/** Whether a result is cached for the same input. */
export interface CacheRule {
  /** A template; absent: the action and its parameters. */
  readonly key?: string
  /** Absent: as long as the cache lasts. */
  readonly ttlSeconds?: number
}

/** Where a result goes. */
export type Output =
  /** An object is merged into the state; anything else becomes `result`. */
  | { readonly kind: 'merge' }
  | { readonly kind: 'key'; readonly key: string }
  /** State keys with templates (texts, or values containing texts) over `result`. */
  | { readonly kind: 'map'; readonly values: JsonObject }

/** Languages of code. */
export type CodeLanguage = 'python' | 'lua' | 'prolog' | 'javascript'

/** A single piece of work: an action, code or an expression. */
export type Task =
  | {
      readonly kind: 'action'
      readonly action: string
      /** Texts in it are templates. */
      readonly params: JsonObject
      /** Their location, from the top of the document. */
      readonly paramsPath: readonly string[]
      readonly output: Output
    }
  | {
      readonly kind: 'code'
      readonly language: CodeLanguage
      readonly code: string
      readonly output: Output
    }
  | { readonly kind: 'expression'; readonly expression: string; readonly outputKey: string }

/** What nodes and steps have in common. */
export interface Common {
  readonly name: string
  readonly description: string
  /** It is skipped if this is false. */
  readonly condition?: Condition
  readonly onError: ErrorRule
  readonly cache?: CacheRule
  readonly place: FilePosition
  /** Location from the top of the document. */
  readonly path: readonly string[]
}

/** One of several steps in sequence. */
export type AgentStep = Task & Common

/** What a node does. */
export type NodeWork =
  | Task
  /** Steps in sequence; none for a node that only routes. */
  | { readonly kind: 'steps'; readonly steps: readonly AgentStep[] }
  | {
      readonly kind: 'while'
      readonly loopCondition: Condition | undefined
      /** 1 to 1000. */
      readonly maxIterations: number
      readonly body: readonly AgentStep[]
    }
  | EachWork

/** A branch for each item of a list. */
export interface EachWork {
  readonly kind: 'each'
  /** A template that returns a list, or a list containing templates. */
  readonly items: string | readonly unknown[]
  readonly itemVar: string
  readonly indexVar: string
  /** A number, or a template that returns one. Absent: no limit. */
  readonly maxConcurrency?: number | string
  readonly isFailFast: boolean
  readonly branch:
    | { readonly kind: 'steps'; readonly steps: readonly AgentStep[] }
    /** `path` is relative to the same folder as the file's own path. */
    | { readonly kind: 'subgraph'; readonly path: string; readonly input: JsonObject }
  /** The state key for the list of results, in addition to `parallel_results`. */
  readonly output?: string
}

/** A node of the graph. */
export type AgentNode = NodeWork &
  Common & {
    /** Whether it receives `parallel_results`. */
    readonly isFanIn: boolean
    readonly route: Route
    /** Whether it can be reached from the start; unreachable nodes are not in the graph. */
    readonly isReachable: boolean
  }

const names: Readonly<Record<string, CodeLanguage>> = {
  python: 'python',
  py: 'python',
  lua: 'lua',
  prolog: 'prolog',
  javascript: 'javascript',
  js: 'javascript',
}

/** A first line that names the language in a comment: `-- lua`, `% prolog`. */
const marker = /^\s*(?:--|%|#|\/\/)\s*(python|lua|prolog|javascript|js)\b/i
/** A line that starts with a clause (`head :- body`), a directive (`:- use_module(…)`) or a query (`?- goal`). */
const prologClause = /^[ \t]*(?:[a-z]\w*(?:\([^\n]*\))?[ \t]*:-|[:?]-[ \t]*[a-z\\(])/m
/** A goal that reads or writes the state. */
const prologGoal = /^[ \t]*(?:state|return)\(\w+[ \t]*,[^\n]+\)[ \t]*[,.][ \t]*$/m
const luaLocal = /^[ \t]*local[ \t]+(?:function[ \t]+)?[A-Za-z_]\w*/m

/**
 * The language of code: the one named, otherwise that of its first line, otherwise the only one possible, otherwise
 * Python.
 */
export function detectCodeLanguage(code: string, named?: string): CodeLanguage {
  const name = named ?? marker.exec(code)?.[1]?.toLowerCase()
  if (name !== undefined) return names[name] ?? 'python'
  if (luaLocal.test(code)) return 'lua'
  const endsAsClause = code.trimEnd().endsWith('.')
  if (endsAsClause && (prologClause.test(code) || prologGoal.test(code))) return 'prolog'
  return 'python'
}

/** A task, with what nodes and steps have in common. */
export type LocatedTask = Task & Common

/** Every single task of a node: the node itself, its steps, and the steps of its branches. */
export function listTasks(node: AgentNode): readonly LocatedTask[] {
  return [...(isTask(node) ? [node] : []), ...listSteps(node)]
}

/** The steps inside a node. */
export function listSteps(node: NodeWork): readonly AgentStep[] {
  if (node.kind === 'steps') return node.steps
  if (node.kind === 'while') return node.body
  return node.kind === 'each' && node.branch.kind === 'steps' ? node.branch.steps : []
}

function isTask(node: AgentNode): node is AgentNode & Task {
  return node.kind === 'action' || node.kind === 'code' || node.kind === 'expression'
}

/** Families whose action names have three words. */
const families = 'a2a_state|learn_textgrad|llm_local|memory_mem0|rag_llamaindex|reason_dspy'

const aliasPattern = new RegExp(`^actions\\.(${families}|[a-z0-9]+)_(\\w+)$`)

/** The name of an action; `actions.llm_call` is the format's alternative for `llm.call`. */
export function toDottedName(written: string): string {
  const [, family, action] = aliasPattern.exec(written) ?? []
  return family === undefined ? written : `${family.replaceAll('_', '.')}.${action}`
}
