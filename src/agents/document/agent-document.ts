import type { JsonObject } from '../../kernel/json.ts'
import type { Place } from './problem.ts'

/** An agent file, checked and in one form whatever syntax it was written in: what a graph is built from. */
export interface AgentDocument {
  readonly name: string
  readonly description: string
  readonly version: string
  /** The file it was read from. */
  readonly file: string
  /** Key to type, as written. */
  readonly stateSchema: JsonObject
  /** Values the state begins with; the input of a run wins. */
  readonly initialState: JsonObject
  readonly variables: JsonObject
  readonly data: JsonObject
  /** Name to the text that gives its value, as in `${MY_KEY}`. */
  readonly secrets: Readonly<Record<string, string>>
  readonly settings: AgentSettings
  /** Parts of the program that are switched on or off for this file. */
  readonly features: Readonly<Record<string, boolean>>
  /** Node executions at most; absent where the file does not say. */
  readonly maxSteps?: number
  readonly interruptBefore: readonly string[]
  readonly interruptAfter: readonly string[]
  /** A JSON Schema of the input. */
  readonly inputSchema?: JsonObject
  /** What `validate.extraction` asks for where a node does not say it. */
  readonly extractionSchema?: JsonObject
  /** Where a run begins. */
  readonly start: Route
  readonly nodes: readonly AgentNode[]
  /** All ways on, from all routes, for pictures. */
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

/** What holds or does not while a run goes on: a text as the template language reads conditions. */
export interface Condition {
  readonly text: string
  /** Whether it must not hold. */
  readonly isNegated: boolean
  /** Where it stands, from the top of the document; absent where its owner says so. */
  readonly path?: readonly string[]
}

/** The end of a run, as a target. */
export const endTarget = '__end__'

/** Where a run goes next. All rules of precedence are applied: this alone decides. */
export type Route =
  /** Always to one node, or `__end__`. */
  | { readonly kind: 'to'; readonly target: string }
  /** To the first whose condition holds; else to `otherwise`; without it the run fails. */
  | {
      readonly kind: 'rules'
      readonly rules: readonly { readonly condition: Condition; readonly to: string }[]
      readonly otherwise?: string
    }
  /** To the target that the result of `core.switch` names; else to `otherwise`; without it the run fails. */
  | {
      readonly kind: 'switch'
      readonly targets: Readonly<Record<string, string>>
      readonly otherwise?: string
    }
  /** To all branches at once whose condition holds; each goes on by its routes until it comes to `join`. */
  | {
      readonly kind: 'parallel'
      readonly branches: readonly { readonly node: string; readonly condition?: Condition }[]
      readonly join: string
    }

/** One way on. */
export interface AgentEdge {
  /** A node, or `__start__`. */
  readonly from: string
  /** A node, or `__end__`. */
  readonly to: string
  readonly kind: 'always' | 'conditional' | 'parallel' | 'fallback'
  /** What it depends on, in words of the file. */
  readonly label?: string
}

/** What happens when a node or step fails. */
export interface ErrorRule {
  readonly retries: number
  /** Before the first retry. */
  readonly delayMs: number
  /** Each wait is so many times the one before. */
  readonly backoff: number
  /** Whether the run goes on with the error in the state. */
  readonly isGraceful: boolean
  /** The node to go on with; before `isGraceful`. */
  readonly fallback?: string
}

/** Whether a result is kept for the same input. */
export interface CacheRule {
  /** A template; absent: the action and its parameters. */
  readonly key?: string
  /** Absent: as long as the cache lasts. */
  readonly ttlSeconds?: number
}

/** Where a result goes. */
export type Output =
  /** A map is merged into the state, anything else becomes `result`. */
  | { readonly kind: 'merge' }
  | { readonly kind: 'key'; readonly key: string }
  /** Keys of the state to templates (texts, or values with texts in them) over `result`. */
  | { readonly kind: 'map'; readonly values: JsonObject }

/** The languages of code. */
export type CodeLanguage = 'python' | 'lua' | 'prolog' | 'javascript'

/** Work that is one thing: an action, code, an expression. */
export type Task =
  | {
      readonly kind: 'action'
      readonly action: string
      /** Texts in it are templates. */
      readonly params: JsonObject
      /** Where they stand, from the top of the document. */
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
  /** It is left out when this does not hold. */
  readonly condition?: Condition
  readonly onError: ErrorRule
  readonly cache?: CacheRule
  readonly place: Place
  /** From the top of the document. */
  readonly path: readonly string[]
}

/** One of several things done in a row. */
export type AgentStep = Task & Common

/** What a node does. */
export type NodeWork =
  | Task
  /** One after the other; none for a node that only shows the way. */
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
  /** A template that gives a list, or a list with templates in it. */
  readonly items: string | readonly unknown[]
  readonly itemVar: string
  readonly indexVar: string
  /** A number, or a template that gives one. Absent: all at once. */
  readonly maxConcurrency?: number | string
  readonly isFailFast: boolean
  readonly branch:
    | { readonly kind: 'steps'; readonly steps: readonly AgentStep[] }
    /** `path` counts from the folder that the file's own path counts from. */
    | { readonly kind: 'subgraph'; readonly path: string; readonly input: JsonObject }
  /** The key of the state that takes the list of results, beside `parallel_results`. */
  readonly output?: string
}

/** A node of the graph. */
export type AgentNode = NodeWork &
  Common & {
    /** Whether it takes `parallel_results`. */
    readonly isFanIn: boolean
    readonly route: Route
    /** Whether some way leads to it from the start; a graph leaves the others out. */
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

/** A first line that names its language in a comment, as `-- lua` and `% prolog` do. */
const marker = /^\s*(?:--|%|#|\/\/)\s*(python|lua|prolog|javascript|js)\b/i
/** A clause (`head :- body`), a directive (`:- use_module(…)`) or a query (`?- goal`) that begins a line. */
const prologClause = /^[ \t]*(?:[a-z]\w*(?:\([^\n]*\))?[ \t]*:-|[:?]-[ \t]*[a-z\\(])/m
/** The state read or written in a goal of its own. */
const prologGoal = /^[ \t]*(?:state|return)\(\w+[ \t]*,[^\n]+\)[ \t]*[,.][ \t]*$/m
const luaLocal = /^[ \t]*local[ \t]+(?:function[ \t]+)?[A-Za-z_]\w*/m

/**
 * The language of a piece of code: the one that is named, else the one that its first line names, else the one that it
 * can only be, else Python.
 */
export function codeLanguage(code: string, named?: string): CodeLanguage {
  const name = named ?? marker.exec(code)?.[1]?.toLowerCase()
  if (name !== undefined) return names[name] ?? 'python'
  if (luaLocal.test(code)) return 'lua'
  const endsAsClause = code.trimEnd().endsWith('.')
  if (endsAsClause && (prologClause.test(code) || prologGoal.test(code))) return 'prolog'
  return 'python'
}

/** A task of a document with the node it belongs to. */
export type PlacedTask = Task & Common

/** Every single piece of work of a node: the node itself, its steps, the steps of its branches. */
export function tasksOf(node: AgentNode): readonly PlacedTask[] {
  return [...(isTask(node) ? [node] : []), ...stepsIn(node)]
}

/** The steps inside a node. */
export function stepsIn(node: NodeWork): readonly AgentStep[] {
  if (node.kind === 'steps') return node.steps
  if (node.kind === 'while') return node.body
  return node.kind === 'each' && node.branch.kind === 'steps' ? node.branch.steps : []
}

function isTask(node: AgentNode): node is AgentNode & Task {
  return node.kind === 'action' || node.kind === 'code' || node.kind === 'expression'
}

/** Families whose actions have names of three words. */
const families = 'a2a_state|learn_textgrad|llm_local|memory_mem0|rag_llamaindex|reason_dspy'

const secondName = new RegExp(`^actions\\.(${families}|[a-z0-9]+)_(\\w+)$`)

/** The name of an action that a file names: `actions.llm_call` is the format's second name of `llm.call`. */
export function dottedName(written: string): string {
  const [, family, action] = secondName.exec(written) ?? []
  return family === undefined ? written : `${family.replaceAll('_', '.')}.${action}`
}
