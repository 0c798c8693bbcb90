// Foreign JavaScript with all that a bridge out of an interpreter could give it: what it can do after the doors are closed.
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import fs from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import inspector from 'node:inspector'
import { createRequire } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import tls from 'node:tls'
import vm from 'node:vm'
import workers from 'node:worker_threads'
import { closeDoors } from '../../src/tools/sandbox/child/close-doors.ts'

const held = process
const write = fs.writeSync
const exit = process.exit.bind(process)
const { Socket, Server } = net
const [port, parent, readable] = process.argv.slice(2) as [string, string, string]
const require = createRequire(import.meta.url)
const address = { port: Number(port), host: '127.0.0.1' }
const dynamicImport = (name: string) => import(name)
const global = globalThis as unknown as Record<string, (...values: unknown[]) => unknown>
const bare = held as unknown as Record<string, (...values: unknown[]) => unknown>

const emitted = (start: () => NodeJS.EventEmitter, event: string) =>
  new Promise((resolve, reject) => {
    start()
      .once(event, () => resolve(event))
      .once('error', reject)
    setTimeout(reject, 2_000, new Error('nothing happened'))
  })

/** Calls a function if it is still there. */
const called = (object: typeof bare, name: string, ...values: unknown[]) => {
  const found = object[name]
  if (found === undefined) throw new Error(`There is no ${name}.`)
  return [found.apply(object, values)]
}

const attacks: Readonly<Record<string, () => unknown>> = {
  'reads a file that the process may read': () => fs.readFileSync(readable),
  'reads a file': () => fs.promises.readFile('/etc/hostname'),
  'lists files': () => fs.readdirSync('/'),
  'writes a file': () => fs.writeFileSync('/tmp/scholium-escape', ''),
  'writes to the pipe': () => fs.writeSync(1, '{"type":"done"}\n'),
  'signals its parent': () => called(bare, 'kill', Number(parent), 0),
  'opens the debugger of its parent': () => called(bare, '_debugProcess', Number(parent)),
  'opens its own debugger': () => inspector.open(0),
  'starts a process': () => childProcess.execFileSync('/bin/true'),
  'spawns a process': () => emitted(() => childProcess.spawn('/bin/true'), 'exit'),
  'starts a thread': () => new workers.Worker('', { eval: true }),
  connects: () => emitted(() => net.connect(address), 'connect'),
  'connects a socket that it had': () => emitted(() => new Socket().connect(address), 'connect'),
  listens: () => emitted(() => net.createServer().listen(0), 'listening'),
  'listens with a server that it had': () => emitted(() => new Server().listen(0), 'listening'),
  'connects with TLS': () => emitted(() => tls.connect(address), 'connect'),
  'gets by HTTP': () => emitted(() => http.get(`http://127.0.0.1:${port}/`), 'response'),
  'gets by HTTPS': () => emitted(() => https.get(`https://127.0.0.1:${port}/`), 'response'),
  'connects by HTTP/2': () => emitted(() => http2.connect(`http://127.0.0.1:${port}/`), 'connect'),
  'sends a datagram': () => [dgram.createSocket('udp4').send('x', Number(port), '127.0.0.1')],
  'looks up a name': () => dns.promises.lookup('localhost'),
  'asks a name server': () => new dns.Resolver().resolve('localhost', () => {}),
  fetches: () => called(global, 'fetch', `http://127.0.0.1:${port}/`),
  'opens a web socket': () => Reflect.construct(global.WebSocket as never, ['ws://127.0.0.1:1']),
  'asks for a module': () => called(bare, 'getBuiltinModule', 'node:fs'),
  'asks for a binding': () => called(bare, 'binding', 'tcp_wrap'),
  'loads a library': () => called(bare, 'dlopen', { exports: {} }, '/lib/x.node'),
  'replaces its program': () => called(bare, 'execve', '/bin/true', [], {}),
  'requires a module': () => require('node:fs'),
  'imports a module': () => dynamicImport('node:repl'),
  'imports text': () => dynamicImport('data:text/javascript,export default 1'),
  evaluates: () => called(global, 'eval', '1 + 1'),
  'makes a function of text': () => Reflect.construct((() => 0).constructor as never, ['return 1']),
  'runs a script': () => vm.runInThisContext('1 + 1'),
  'compiles a script': () => new vm.Script('1 + 1').runInThisContext(),
  'asks for the user': () => os.userInfo(),
  'reads the environment': () => Object.keys(held.env).length,
  'finds its process': () => Object.keys(global.process as never).length,
}

/** A promise in an answer is awaited too. */
async function settled(value: unknown): Promise<unknown> {
  const given = await value
  return Array.isArray(given) ? Promise.all(given) : given
}

closeDoors()
const outcomes: string[] = []
for (const [name, attack] of Object.entries(attacks)) {
  try {
    outcomes.push(`${name}: ${String(await settled(attack())).slice(0, 80)}`)
  } catch {
    // Refused.
  }
}
write(1, JSON.stringify({ tried: Object.keys(attacks).length, outcomes }))
exit(0)
