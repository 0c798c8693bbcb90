import { compileResult } from './compile-expression.ts'
import { compileTemplate } from './compile-template.ts'
import type { EnvironmentValues } from './environment.ts'
import type { Frame } from './frame.ts'
import { type NamesRead, namesReadBy, namesReadIn } from './names-read.ts'
import { parseTemplate } from './statements.ts'
import type { ExpressionParser } from './syntax.ts'
import { syntaxError } from './template-error.ts'
import type { Value } from './value.ts'

/** A text that is ready to be evaluated, and what it reads. */
export interface Compiled {
  evaluate(frame: Frame): Value
  names(): NamesRead
}

/** Compiles texts and keeps what it compiled. @throws {@link ScholiumError} `invalid_agent_file` for what cannot be read */
export interface Compiler {
  template(source: string): Compiled
  expression(source: string): Compiled
}

/** How many texts of one kind are kept; a file has fewer, so what is pushed out is rarely missed. */
const mostKept = 2_000

/** A compiler with its own store of compiled texts. */
export function createCompiler(parser: ExpressionParser, environment: EnvironmentValues): Compiler {
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
