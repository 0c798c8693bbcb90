import dgram from 'node:dgram'
import dns from 'node:dns'
import net from 'node:net'
import { type ReadResult, refuse } from '../../document.ts'
import { refuseCrash } from './job-refusals.ts'
import { createFrameReader, type ReadOrder, type ReadReply, toReplyFrame } from './read-frames.ts'
import { loadReader, type ProcessKind } from './readers.ts'

/**
 * The process that reads files, one after another. Whatever a file does to it, the parent survives. It ends with its
 * pipe, or is killed.
 */
async function main(): Promise<void> {
  // Libraries log here, which would corrupt the replies.
  for (const name of Object.keys(console)) Object.assign(console, { [name]: () => {} })
  // Libraries may leave tasks that fail after a file is done or abandoned.
  process.on('unhandledRejection', () => {})
  removeNetwork()
  // Input comes from the parent, which bounds it.
  const frames = createFrameReader(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
  for await (const chunk of process.stdin) {
    for (const { head, body } of frames(chunk)) await executeOrder(head as ReadOrder, body)
  }
}

async function executeOrder(
  order: ReadOrder,
  { buffer, byteOffset, length }: Buffer,
): Promise<void> {
  if (order.type === 'load') await loadReader(order.kind)
  else {
    // The reader of pictures does not accept a `Buffer`.
    const bytes = new Uint8Array(buffer, byteOffset, length)
    reply({ type: 'done', reading: await readOne(order, bytes) })
  }
}

async function readOne(
  { kind, ...about }: Extract<ReadOrder, { type: 'read' }>,
  bytes: Uint8Array,
): Promise<ReadResult> {
  const fail = (error: unknown) =>
    refuse(refuseCrash(kind as ProcessKind, error instanceof Error ? error.message : String(error)))
  const onUncaught = (error: unknown) => {
    reply({ type: 'done', reading: fail(error) })
    process.exit(1)
  }
  process.once('uncaughtException', onUncaught)
  try {
    const reader = await loadReader(kind)
    reply({ type: 'begun' })
    return await reader(bytes, { kind, ...about }, (limitMs) => reply({ type: 'time', limitMs }))
  } catch (error) {
    return fail(error)
  } finally {
    process.off('uncaughtException', onUncaught)
  }
}

function reply(said: ReadReply): void {
  for (const part of toReplyFrame(said)) process.stdout.write(part)
}

/** Before Node 25 the permission model does not cover the network, and never signals to other processes. */
function removeNetwork(): void {
  Reflect.deleteProperty(process, 'kill')
  const sockets = [net.Socket.prototype, net.Server.prototype, dgram.Socket.prototype]
  for (const socket of sockets) disable(socket, ['connect', 'listen', 'bind', 'send'])
  const resolvers = [dns.Resolver.prototype, dns.promises.Resolver.prototype]
  for (const resolver of [dns, dns.promises, ...resolvers]) disable(resolver, Object.keys(resolver))
}

function disable(object: object, names: readonly string[]): void {
  const refuse = () => {
    throw new Error('A reader has no network access.')
  }
  for (const name of names) {
    if (typeof Reflect.get(object, name) === 'function') Reflect.set(object, name, refuse)
  }
}

await main()
