import { Writable } from 'node:stream'
import type { Host } from './terminal.ts'

/**
 * Stdout for a protocol alone. Anything else that is written to stdout from now on goes to stderr: it would break the protocol.
 */
export function protocolOutput({ stdout, stderr }: Pick<Host, 'stdout' | 'stderr'>): Writable {
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  return new Writable({
    write: (chunk, _encoding, done) => void write(chunk, done),
  })
}
