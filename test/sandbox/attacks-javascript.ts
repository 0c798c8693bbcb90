/** JavaScript that tries to get out: the value of each is what it got. */
export const javascriptAttacks: Readonly<Record<string, string>> = {
  'reads a file': `require('fs').readFileSync('/etc/hostname')`,
  'imports a module': `return (await import('node:fs')).readFileSync('/etc/hostname')`,
  'imports a file': `return await import('/etc/hostname')`,
  'reads a file of its library': `return await import('std')`,
  'gets a module from the process': `process.getBuiltinModule('fs')`,
  'reads a variable of the environment': `process.env.SCHOLIUM_SECRET`,
  'starts a process': `process.binding('spawn_sync')`,
  'fetches a page': `return await fetch('http://127.0.0.1:' + PORT)`,
  'opens a web socket': `new WebSocket('ws://127.0.0.1:' + PORT)`,
  'asks by XMLHttpRequest': `new XMLHttpRequest()`,
  'starts a worker': `new Worker('x')`,
  'waits for a timer': `setTimeout(() => {}, 1)`,
  'makes a function of text': `Function('return typeof process === "object" && process')()`,
  'takes the constructor of a function': `(() => {}).constructor('return this.process')()`,
  'takes the constructor of an async function': `return await (async () => {}).constructor('return import("node:fs")')()`,
  'takes the constructor of what prints': `console.log.constructor('return this.process || this.require')()`,
  'climbs out of what it was given': `TARGET.constructor.constructor('return this.process')()`,
  'evaluates in the global scope': `(0, eval)('this.process || this.require || this.Deno || this.std')`,
  'climbs out of an error': `
let found
try { null.x } catch (error) { found = error.constructor.constructor('return this.process')() }
found`,
  'climbs out of what prints': `
let found
try { console.log({ toString() { throw new Error('x') }, toJSON() { throw 1 } }) } catch (error) { found = error.constructor('return process')() }
found`,
  'looks at its callers': `(function f() { return f.caller ?? arguments.callee.caller })()`,
  'prepares the trace of errors': `
Error.prepareStackTrace = (_, sites) => sites
const sites = new Error().stack
Array.isArray(sites) && sites[0]?.getThis?.()?.process`,
  'sends a result that is none': `
JSON.stringify = () => '{"forged":1}'
Object.prototype.toJSON = () => 'forged'
undefined`,
  'pollutes a prototype': `Object.prototype.value = 'forged'; Array.prototype.join = () => 'forged'; console.log(1)`,
}
