/**
 * Set-up code for a fresh QuickJS: receives the host's `write` and the inputs as JSON text, and returns the functions
 * that serialise values and errors; an empty text for a cyclic value, `!` and the reason for one that is not JSON.
 */
export const javascriptSetup = String.raw`
(write, inputJson) => {
  const { parse, stringify } = JSON
  const { defineProperty, getOwnPropertyNames } = Object
  const isError = (value) => value instanceof Error
  const text = (value) => {
    try {
      return isError(value) ? value.name + ': ' + value.message : String(value)
    } catch {
      return typeof value
    }
  }
  const json = (value) => {
    try {
      if (typeof value === 'number' && !isFinite(value)) return undefined
      return isError(value) ? undefined : stringify(value)
    } catch {
      return undefined
    }
  }
  // As Lua and Prolog give whole numbers that a double cannot hold.
  const digits = (_key, value) => (typeof value === 'bigint' ? String(value) : value)
  const given = (value) => {
    if (typeof value !== 'object' || value === null || isError(value)) return json(value) ?? asText(value)
    try {
      return json(value) ?? stringify(value, digits) ?? asText(value)
    } catch (error) {
      return error instanceof TypeError ? '' : asText(value)
    }
  }
  const { toString } = Object.prototype
  const kindOf = (value) => {
    if (typeof value === 'number') return isFinite(value) ? '' : String(value)
    if (typeof value === 'function' || typeof value === 'symbol') return 'a ' + typeof value
    if (typeof value !== 'object' || value === null || typeof value.toJSON === 'function') return ''
    const kind = toString.call(value).slice(8, -1)
    const isPlain = ['Object', 'Array', 'Number', 'String', 'Boolean'].includes(kind)
    return isPlain ? '' : (/^[AEIO]/.test(kind) ? 'an ' : 'a ') + kind
  }
  const refusal = (value, where, around) => {
    const kind = kindOf(value)
    if (kind !== '') return '!' + where + ' is ' + kind + ', which a state cannot hold'
    if (typeof value !== 'object' || value === null || typeof value.toJSON === 'function') return ''
    if (around.includes(value) || around.length > 1_000) return ''
    const inside = [...around, value]
    for (const name of Object.keys(value)) {
      const part = Array.isArray(value) ? name : "'" + name + "'"
      const found = refusal(value[name], where + '[' + part + ']', inside)
      if (found !== '') return found
    }
    return ''
  }
  const refused = (value) => {
    try {
      return refusal(value, 'the result', [])
    } catch {
      return ''
    }
  }
  const shown = (value) => (typeof value === 'object' ? (json(value) ?? text(value)) : text(value))
  const print = (...values) => write(values.map(shown).join(' ') + '\n')
  const define = (name, value) =>
    defineProperty(globalThis, name, { value, writable: true, enumerable: true, configurable: true })
  define('console', { log: print, info: print, warn: print, error: print, debug: print })
  let seed = 0
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const inputs = parse(inputJson)
  for (const name of getOwnPropertyNames(inputs)) {
    if (/^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' && name !== 'globalThis') {
      define(name, inputs[name])
    }
  }
  const asText = (value) => stringify(text(value))
  return {
    value: (value) => (value === undefined ? 'null' : refused(value) || given(value)),
    error: (raised) => {
      const stack = isError(raised) ? String(raised.stack) : ''
      const way = stack.split('\n').filter((line) => line.includes('<code>:'))
      const line = /<code>:(\d+)/.exec(way[0] ?? '')
      return stringify({
        type: isError(raised) ? String(raised.name) : 'Error',
        message: isError(raised) ? String(raised.message) : text(raised),
        line: line === null ? null : Number(line[1]),
        traceback: way.map((part) => part.trim()).join('\n'),
      })
    },
  }
}`
