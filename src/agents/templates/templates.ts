import { toFailure } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { Budget } from './budget.ts'
import { compileResult } from './compile-expression.ts'
import { compileTemplate } from './compile-template.ts'
import { type EnvironmentValues, expandEnvironment } from './environment.ts'
import type { Frame } from './frame.ts'
import {
  findNamesInExpression,
  findNamesInTemplate,
  type NamesRead,
  noNames,
  readStateKey,
} from './names-read.ts'
import { parseTemplate } from './statements.ts'
import { type ExpressionParser, loadExpressionParser } from './syntax.ts'
import { hasTags } from './tags.ts'
import { locateInSource, syntaxError } from './template-error.ts'
import { getMemberAt, isList, type Value } from './value.ts'

/** How a text of an agent file is interpreted. */
export type SourceKind = 'template' | 'expression' | 'condition'

/** Whether a condition holds; `problem` says why it could not be evaluated, in which case it does not hold. */
export interface ConditionResult {
  readonly value: boolean
  readonly problem?: string
}

/** Why a text cannot be parsed, and where: `offset` in UTF-16 units from 0, `line` and `column` from 1. */
export interface TemplateProblem {
  readonly message: string
  readonly hint?: string
  readonly offset: number
  readonly line: number
  readonly column: number
}

/** The template language of agent files. Values are data and never read as templates. */
export interface Templates {
  /**
   * Renders every text in a value. A text that is a single `{{ expression }}` becomes the expression's native value
   * (null if missing); all other text stays text, and object keys are unchanged.
   *
   * @throws {@link ScholiumError} `invalid_agent_file` for invalid syntax, `template_failed` if it fails on these
   * values or exceeds a limit
   */
  render(value: Json, scope: JsonObject): Json
  /** Evaluates an expression; null if missing. @throws as {@link Templates.render} */
  evaluate(expression: string, scope: JsonObject): Json
  /** Whether a condition holds by the rule of {@link isConditionTrue}; never throws. */
  isTrue(condition: Json, scope: JsonObject): ConditionResult
  /** Syntax problems of a text; only the first of several is found. */
  findProblems(source: string, kind?: SourceKind): readonly TemplateProblem[]
  /** The names that a text reads; none if it cannot be parsed. */
  findNames(source: string, kind?: SourceKind): NamesRead
}

/** Creates the template language, with `${NAME}` in texts replaced from `environment`. Loads its parser. */
export async function createTemplates(environment: EnvironmentValues = {}): Promise<Templates> {
  const compiler = createCompiler(await loadExpressionParser(), environment)
  const renderText = (text: string, scope: JsonObject): Json =>
    hasTags(text) ? run(compiler.template, text, scope) : expandEnvironment(text, environment)
  const evaluate = (source: string, scope: JsonObject): Json =>
    run(compiler.expression, source, scope)
  return {
    render: (value, scope) => renderDeep(value, (text) => renderText(text, scope)),
    evaluate,
    isTrue: (condition, scope) => isTrue(condition, scope, { renderText, evaluate }),
    findProblems: (source, kind = 'template') => findProblems(source, kind, compiler),
    findNames: (source, kind = 'template') => findNames(source, kind, compiler),
  }
}

function run(compile: (source: string) => Compiled, source: string, scope: JsonObject): Json {
  try {
    const frame = { scope, bindings: undefined, budget: new Budget() }
    return compile(source).evaluate(frame) ?? null
  } catch (thrown) {
    throw locateInSource(thrown, source)
  }
}

function renderDeep(value: Json, renderText: (text: string) => Json): Json {
  if (typeof value === 'string') return renderText(value)
  if (isList(value)) return value.map((item) => renderDeep(item, renderText))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      member === undefined ? undefined : renderDeep(member, renderText),
    ]),
  )
}

function isTrue(
  condition: Json,
  scope: JsonObject,
  read: {
    readonly renderText: (text: string, scope: JsonObject) => Json
    readonly evaluate: (source: string, scope: JsonObject) => Json
  },
): ConditionResult {
  if (typeof condition !== 'string') return { value: isConditionTrue(condition) }
  const asked = readCondition(condition)
  try {
    const value =
      asked.kind === 'key'
        ? getMemberAt(scope, `state.${asked.key}`)
        : asked.kind === 'template'
          ? read.renderText(asked.source, scope)
          : asked.source !== '' && read.evaluate(asked.source, scope)
    return { value: isConditionTrue(value) !== asked.isNegated }
  } catch (thrown) {
    const { message, hint } = toFailure(thrown)
    return { value: false, problem: hint === undefined ? message : `${message}. ${hint}` }
  }
}

/** The compiled source, and where it starts in the text. */
function getCompiled(source: string, kind: SourceKind, compiler: Compiler) {
  if (kind !== 'condition') return { offset: 0, compile: () => compiler[kind](source) }
  const asked = readCondition(source)
  if (asked.kind === 'key' || asked.source === '') return undefined
  return { offset: asked.offset, compile: () => compiler[asked.kind](asked.source) }
}

function findProblems(
  source: string,
  kind: SourceKind,
  compiler: Compiler,
): readonly TemplateProblem[] {
  const compiled = getCompiled(source, kind, compiler)
  try {
    compiled?.compile()
    return []
  } catch (thrown) {
    const { message, hint, details } = toFailure(thrown)
    const offset = (compiled?.offset ?? 0) + Number(details?.offset ?? 0)
    const place = { offset, ...findPosition(source, offset) }
    return [{ message, ...(hint === undefined ? {} : { hint }), ...place }]
  }
}

function findNames(source: string, kind: SourceKind, compiler: Compiler): NamesRead {
  if (kind === 'condition') {
    const asked = readCondition(source)
    if (asked.kind === 'key') return readStateKey(asked.key)
  }
  const isUnreadable = findProblems(source, kind, compiler).length > 0
  const compiled = isUnreadable ? undefined : getCompiled(source, kind, compiler)?.compile()
  return compiled?.names() ?? noNames()
}

/** A parsed condition: the question, and whether the answer is negated. */
type Condition =
  | { readonly kind: 'key'; readonly key: string; readonly isNegated: boolean }
  | {
      readonly kind: 'template' | 'expression'
      readonly source: string
      readonly isNegated: boolean
      /** Where `source` starts in the condition. */
      readonly offset: number
    }

const falseWords: ReadonlySet<string> = new Set(['', 'false', '0', 'no', 'none'])

/**
 * Whether a condition's value counts as true, by one rule for all conditions: false are `""`, `"false"`, `"0"`, `"no"`
 * and `"none"` in any case and with surrounding white space, false, 0, null, the empty list and the empty object.
 */
function isConditionTrue(value: Value): boolean {
  if (typeof value === 'string') return !falseWords.has(value.trim().toLowerCase())
  if (isList(value)) return value.length > 0
  if (isJsonObject(value)) return Object.keys(value).length > 0
  return Boolean(value)
}

/**
 * Parses a condition: a bare name means that key of the state, a leading `!` negates, a text with `{{` or `{%` is a
 * template, anything else an expression. `True`, `False` and similar are expressions.
 */
function readCondition(condition: string): Condition {
  let start = 0
  let isNegated = false
  while (/[\s!]/.test(condition[start] ?? '')) {
    if (condition[start] === '!') isNegated = !isNegated
    start++
  }
  const source = condition.slice(start).trimEnd()
  if (/^[A-Za-z_]\w*$/.test(source) && !/^(true|false|none|null)$/i.test(source)) {
    return { kind: 'key', key: source, isNegated }
  }
  const isTemplate = source.includes('{{') || source.includes('{%')
  return { kind: isTemplate ? 'template' : 'expression', source, isNegated, offset: start }
}

/** Line and column of an offset in UTF-16 units, both starting at 1. */
function findPosition(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

/** A compiled text, and the names it reads. */
interface Compiled {
  evaluate(frame: Frame): Value
  names(): NamesRead
}

/** Compiles texts and caches the result. @throws {@link ScholiumError} `invalid_agent_file` for invalid syntax */
interface Compiler {
  template(source: string): Compiled
  expression(source: string): Compiled
}

/** Maximum number of cached texts per kind; a file has fewer, so evicted ones are rarely missed. */
const mostKept = 2_000

/** A compiler with its own cache. */
function createCompiler(parser: ExpressionParser, environment: EnvironmentValues): Compiler {
  return {
    template: remember((source) => {
      const parts = parseTemplate(source, parser)
      return {
        evaluate: compileTemplate(parts, environment),
        names: () => findNamesInTemplate(parts),
      }
    }),
    expression: remember((source) => {
      const node = parser.expression(source, 0)
      const scope = { bound: new Set<string>(), environment, offset: 0 }
      return { evaluate: compileResult(node, scope), names: () => findNamesInExpression(node) }
    }),
  }
}

function remember(compile: (source: string) => Compiled): (source: string) => Compiled {
  const kept = new Map<string, Compiled>()
  return (source) => {
    const known = kept.get(source)
    if (known !== undefined) return known
    const made = compileSafely(compile, source)
    if (kept.size >= mostKept) {
      const [oldest] = kept.keys()
      kept.delete(oldest as string)
    }
    kept.set(source, made)
    return made
  }
}

function compileSafely(compile: (source: string) => Compiled, source: string): Compiled {
  try {
    return compile(source)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    throw syntaxError('The expression is nested too deeply', 0, 'Split it into steps.')
  }
}
