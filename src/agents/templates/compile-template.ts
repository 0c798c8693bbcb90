import type { Json } from '../../kernel/json.ts'
import { maxTextLength } from './budget.ts'
import {
  type CompileScope,
  compileExpression,
  compileResult,
  type Evaluate,
} from './compile-expression.ts'
import { type EnvironmentValues, expandEnvironment } from './environment.ts'
import type { Bindings, Frame } from './frame.ts'
import { boundNames } from './names-read.ts'
import type { Part } from './statements.ts'
import { syntaxError, valueError } from './template-error.ts'
import { describeKind, isList, isTruthy, listItems, toText, type Value } from './value.ts'

type Write = (frame: Frame) => string

/**
 * Compiles a template. A single `{{ … }}` returns its native value, anything else text.
 *
 * @throws {@link ScholiumError} `invalid_agent_file` as {@link compileExpression} does
 */
export function compileTemplate(
  parts: readonly Part[],
  environment: EnvironmentValues,
): (frame: Frame) => Value {
  const scope = { bound: boundNames(parts), environment, offset: 0 }
  const only = findOnlyOutput(parts)
  if (only !== undefined) {
    return compileResult(only.expression, { ...scope, offset: only.offset })
  }
  const write = compileParts(parts, scope)
  return (frame) => write(withBindings(frame))
}

function findOnlyOutput(parts: readonly Part[]) {
  const solid = parts.filter((part) => part.kind !== 'text' || part.text.trim() !== '')
  const [only] = solid
  return solid.length === 1 && only?.kind === 'output' ? only : undefined
}

function withBindings(frame: Frame): Frame & { readonly bindings: Bindings } {
  return { ...frame, bindings: { values: new Map(), outer: frame.bindings } }
}

function compileParts(parts: readonly Part[], scope: CompileScope): Write {
  const writes = parts.map((part) => compilePart(part, scope))
  return (frame) => {
    let text = ''
    for (const write of writes) {
      text += write(frame)
      if (text.length > maxTextLength) frame.budget.spendText(text.length)
    }
    return text
  }
}

function compilePart(part: Part, scope: CompileScope): Write {
  switch (part.kind) {
    case 'text': {
      const text = expandEnvironment(part.text, scope.environment)
      return () => text
    }
    case 'output': {
      const value = compileExpression(part.expression, { ...scope, offset: part.offset })
      return (frame) => {
        frame.budget.spend(1)
        return toText(value(frame), frame.budget)
      }
    }
    case 'if':
      return compileIf(part, scope)
    case 'for':
      return compileFor(part, scope)
    case 'set':
      return compileSet(part, scope)
  }
}

function compileIf(part: Extract<Part, { kind: 'if' }>, scope: CompileScope): Write {
  const branches = part.branches.map(({ condition, body, offset }) => ({
    test: compileExpression(condition, { ...scope, offset }),
    write: compileParts(body, scope),
  }))
  const otherwise = compileParts(part.otherwise, scope)
  return (frame) => {
    const branch = branches.find(({ test }) => isTruthy(test(frame), frame.budget))
    return (branch?.write ?? otherwise)(frame)
  }
}

function compileFor(part: Extract<Part, { kind: 'for' }>, scope: CompileScope): Write {
  const inTag = { ...scope, offset: part.offset }
  const iterable = compileExpression(part.iterable, inTag)
  const condition = part.condition && compileExpression(part.condition, inTag)
  const body = compileParts(part.body, scope)
  const otherwise = compileParts(part.otherwise, scope)
  return (frame) => {
    const items = filterItems(
      listItems(iterable(frame), frame.budget),
      part.names,
      condition,
      frame,
    )
    if (items.length === 0) return otherwise(frame)
    let text = ''
    for (let index = 0; index < items.length; index++) {
      frame.budget.spend(1)
      const inner = withBindings(frame)
      bind(inner.bindings, part.names, items[index])
      inner.bindings.values.set('loop', createLoopVariable(items, index))
      text += body(inner)
      if (text.length > maxTextLength) frame.budget.spendText(text.length)
    }
    return text
  }
}

function filterItems(
  items: readonly Json[],
  names: readonly string[],
  condition: Evaluate | undefined,
  frame: Frame,
): readonly Json[] {
  if (condition === undefined) return items
  return items.filter((item) => {
    frame.budget.spend(1)
    const inner = withBindings(frame)
    bind(inner.bindings, names, item)
    return isTruthy(condition(inner), frame.budget)
  })
}

/** @see https://jinja.palletsprojects.com/en/stable/templates/#for (the variable `loop`) */
function createLoopVariable(items: readonly Json[], index: number): Json {
  return {
    index: index + 1,
    index0: index,
    revindex: items.length - index,
    revindex0: items.length - index - 1,
    first: index === 0,
    last: index === items.length - 1,
    length: items.length,
    previtem: items[index - 1],
    nextitem: items[index + 1],
  }
}

function compileSet(part: Extract<Part, { kind: 'set' }>, scope: CompileScope): Write {
  const { value, names } = part
  const evaluate: Evaluate =
    'type' in value
      ? compileExpression(value, { ...scope, offset: part.offset })
      : compileParts(value, scope)
  return (frame) => {
    if (frame.bindings === undefined) throw syntaxError('`set` is not allowed here', part.offset)
    bind(frame.bindings, names, evaluate(frame))
    return ''
  }
}

function bind(bindings: Bindings, names: readonly string[], value: Value): void {
  const [only] = names
  if (names.length === 1 && only !== undefined) {
    bindings.values.set(only, value)
    return
  }
  if (!isList(value) || value.length !== names.length) {
    throw valueError(
      `${describeKind(value)} cannot be unpacked into ${names.join(', ')}`,
      'For the keys and values of an object, iterate over `….items()`.',
    )
  }
  for (const [place, name] of names.entries()) bindings.values.set(name, value[place])
}
