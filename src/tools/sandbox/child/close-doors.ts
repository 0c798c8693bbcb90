import childProcess from 'node:child_process'
import cluster from 'node:cluster'
import dgram from 'node:dgram'
import dns from 'node:dns'
import fs from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import inspector from 'node:inspector'
import nodeModule, { registerHooks, syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import tls from 'node:tls'
import v8 from 'node:v8'
import vm from 'node:vm'
import workers from 'node:worker_threads'

/** Node globals that the language needs, in addition to JavaScript's own. */
const keptGlobals = [
  'TextDecoder',
  'TextEncoder',
  'clearTimeout',
  'console',
  'crypto',
  'performance',
  'queueMicrotask',
  'setTimeout',
]

/** What Node itself uses of its process object while running and ending. */
const keptProcessMembers = [
  '_exiting',
  '_tickCallback',
  'emit',
  'emitWarning',
  'exitCode',
  'nextTick',
  'platform',
  'reallyExit',
  'stdin',
  'versions',
]

/**
 * Removes everything that reaches outside this process, after the language is loaded and before untrusted code runs:
 * globals, the process object, functions of Node's modules, and module loading. This is in addition to the permission
 * model, which allows signals to other processes and, before Node 25, the network.
 */
export function closeDoors(): void {
  const ownNames = vm.runInNewContext('Object.getOwnPropertyNames(globalThis)') as string[]
  const modules = [childProcess, cluster, dgram, dns, dns.promises, fs, fs.promises, http, http2]
  const others = [https, inspector, nodeModule, net, os, tls, v8, vm, workers]
  const { Socket, Server } = net
  const prototypes = [childProcess.ChildProcess, dgram.Socket, dns.Resolver, dns.promises.Resolver]
  registerHooks({ resolve: refuse, load: refuse })
  disable(Socket.prototype, ['connect'])
  disable(Server.prototype, ['listen'])
  for (const { prototype } of [...prototypes, workers.Worker, vm.Script]) disable(prototype)
  for (const module of [...modules, ...others]) disable(module)
  syncBuiltinESMExports()
  emptyProcess()
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!ownNames.includes(name) && !keptGlobals.includes(name)) {
      Reflect.deleteProperty(globalThis, name)
    }
  }
}

function refuse(): never {
  throw new Error('The sandbox has no access to this.')
}

/** Replaces an object's functions with refusals. */
function disable(object: object, names: readonly string[] = Object.getOwnPropertyNames(object)) {
  for (const name of names) {
    const descriptor = Object.getOwnPropertyDescriptor(object, name)
    if (name === 'constructor' || typeof descriptor?.value !== 'function') continue
    if (descriptor.writable || descriptor.configurable) {
      Object.defineProperty(object, name, { ...descriptor, value: refuse })
    }
  }
}

function emptyProcess(): void {
  for (const name of Object.getOwnPropertyNames(process)) {
    if (!keptProcessMembers.includes(name)) Reflect.deleteProperty(process, name)
  }
}
