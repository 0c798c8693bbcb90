import { toFailure } from '../../kernel/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { Budget } from './budget.ts'
import { compileResult } from './compile-expression.ts'
import { compileTemplate } from './compile-template.ts'
import { type EnvironmentValues, expandEnvironment } from './environment.ts'
import type { Frame } from './frame.ts'
import {
  type NamesRead,
  namesReadBy,
  namesReadIn,
  nothingRead,
  stateKeyRead,
} from './names-read.ts'
import { parseTemplate } from './statements.ts'
import { type ExpressionParser, loadExpressionParser } from './syntax.ts'
import { hasTags } from './tags.ts'
import { inSource, syntaxError } from './template-error.ts'
import { isList, memberAt, type Value } from './value.ts'

/** How a text of an agent file is to be read. */
export type SourceKind = 'template' | 'expression' | 'condition'

/** Whether a condition holds; `problem` says why it could not be told, and then it does not hold. */
export interface ConditionResult {
  readonly value: boolean
  readonly problem?: string
}

/** Why a text cannot be read, and where: `offset` in UTF-16 units from 0, `line` and `column` from 1. */
export interface TemplateProblem {
  readonly message: string
  readonly hint?: string
  readonly offset: number
  readonly line: number
  readonly column: number
}

/** The template language of agent files. Values are data: what they hold is never read as a template. */
export interface Templates {
  /**
   * The value with every text in it rendered. Text that is one `{{ expression }}` becomes that expression's native value
   * (null when missing), all other text is text; keys of objects stay as they are.
   *
   * @throws {@link ScholiumError} `invalid_agent_file` for a text that is no template, `template_failed` for one that fails
   *   with these values or passes a limit
   */
  render(value: Json, scope: JsonObject): Json
  /** What an expression gives, null when missing. @throws as {@link Templates.render} */
  evaluate(expression: string, scope: JsonObject): Json
  /** Whether a condition holds, by the one rule of {@link holds}; it never throws. */
  isTrue(condition: Json, scope: JsonObject): ConditionResult
  /** What keeps a text from being read; only the first of several mistakes is found. */
  problemsOf(source: string, kind?: SourceKind): readonly TemplateProblem[]
  /** What a text reads; nothing when it cannot be read. */
  namesOf(source: string, kind?: SourceKind): NamesRead
}

/** The template language, with `${NAME}` in texts standing for the values of `environment`. Loads its parser on this call. */
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
    problemsOf: (source, kind = 'template') => problemsOf(source, kind, compiler),
    namesOf: (source, kind = 'template') => namesOf(source, kind, compiler),
  }
}

function run(compile: (source: string) => Compiled, source: string, scope: JsonObject): Json {
  try {
    const frame = { scope, bindings: undefined, budget: new Budget() }
    return compile(source).evaluate(frame) ?? null
  } catch (thrown) {
    throw inSource(thrown, source)
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
  if (typeof condition !== 'string') return { value: holds(condition) }
  const asked = readCondition(condition)
  try {
    const value =
      asked.kind === 'key'
        ? memberAt(scope, `state.${asked.key}`)
        : asked.kind === 'template'
          ? read.renderText(asked.source, scope)
          : asked.source !== '' && read.evaluate(asked.source, scope)
    return { value: holds(value) !== asked.isNegated }
  } catch (thrown) {
    const { message, hint } = toFailure(thrown)
    return { value: false, problem: hint === undefined ? message : `${message}. ${hint}` }
  }
}

/** What is compiled for a source of this kind, and where that starts in the source. */
function compiledOf(source: string, kind: SourceKind, compiler: Compiler) {
  if (kind !== 'condition') return { offset: 0, compile: () => compiler[kind](source) }
  const asked = readCondition(source)
  if (asked.kind === 'key' || asked.source === '') return undefined
  return { offset: asked.offset, compile: () => compiler[asked.kind](asked.source) }
}

function problemsOf(
  source: string,
  kind: SourceKind,
  compiler: Compiler,
): readonly TemplateProblem[] {
  const compiled = compiledOf(source, kind, compiler)
  try {
    compiled?.compile()
    return []
  } catch (thrown) {
    const { message, hint, details } = toFailure(thrown)
    const offset = (compiled?.offset ?? 0) + Number(details?.offset ?? 0)
    const place = { offset, ...placeIn(source, offset) }
    return [{ message, ...(hint === undefined ? {} : { hint }), ...place }]
  }
}

function namesOf(source: string, kind: SourceKind, compiler: Compiler): NamesRead {
  if (kind === 'condition') {
    const asked = readCondition(source)
    if (asked.kind === 'key') return stateKeyRead(asked.key)
  }
  const isUnreadable = problemsOf(source, kind, compiler).length > 0
  const compiled = isUnreadable ? undefined : compiledOf(source, kind, compiler)?.compile()
  return compiled?.names() ?? nothingRead()
}

/** A condition taken apart: what is asked, and whether the answer is turned round. */
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
 * Whether a condition's value holds. One rule for all conditions: `""`, `"false"`, `"0"`, `"no"` and `"none"` in any case and
 * with white space around, false, 0, null, the empty list and the empty object do not.
 */
function holds(value: Value): boolean {
  if (typeof value === 'string') return !falseWords.has(value.trim().toLowerCase())
  if (isList(value)) return value.length > 0
  if (isJsonObject(value)) return Object.keys(value).length > 0
  return Boolean(value)
}

/**
 * What a condition asks: a bare name asks for the key of the state, `!` before anything turns it round, text with `{{` or
 * `{%` is a template, all else is an expression. `True`, `False` and their like are expressions.
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

/** The line and the column, both from 1, of an offset in UTF-16 units. */
function placeIn(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

/** A text that is ready to be evaluated, and what it reads. */
interface Compiled {
  evaluate(frame: Frame): Value
  names(): NamesRead
}

/** Compiles texts and keeps what it compiled. @throws {@link ScholiumError} `invalid_agent_file` for what cannot be read */
interface Compiler {
  template(source: string): Compiled
  expression(source: string): Compiled
}

/** How many texts of one kind are kept; a file has fewer, so what is pushed out is rarely missed. */
const mostKept = 2_000

/** A compiler with its own store of compiled texts. */
function createCompiler(parser: ExpressionParser, environment: EnvironmentValues): Compiler {
  return {
    template: remember((source) => {
      const parts = parseTemplate(source, parser)
      return {
        evaluate: compileTemplate(parts, environment),
        names: () => namesReadIn(parts),
      }
    }),
    expression: remember((source) => {
      const node = parser.expression(source, 0)
      const scope = { bound: new Set<string>(), environment, offset: 0 }
      return { evaluate: compileResult(node, scope), names: () => namesReadBy(node) }
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
