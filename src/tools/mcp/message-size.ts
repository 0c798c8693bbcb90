import type { JSONRPCMessage } from '@modelcontextprotocol/client'

/** A message of a server is read up to this size. */
export const maxMessageBytes = 10 * 1024 * 1024

/** What an answer that was too large to be read is taken for: an error under the id that stands at its beginning or its end. */
export function tooLargeAnswer(ends: string, sizeBytes: number): JSONRPCMessage | undefined {
  const [head = '', tail = ''] = ends.split('\n')
  const id =
    /"id"\s*:\s*(\d+)[^{}[\]]*\}\s*$/.exec(tail)?.[1] ??
    /^\s*\{[^{}[\]]*?"id"\s*:\s*(\d+)/.exec(head)?.[1]
  return id === undefined ? undefined : tooLargeError(Number(id), sizeBytes)
}

/** The error that stands for an answer of `sizeBytes` bytes or more. */
export function tooLargeError(id: string | number, sizeBytes: number): JSONRPCMessage {
  const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024)
  const message = `The response is too large: ${megabytes(sizeBytes)} MB or more; the maximum is ${megabytes(maxMessageBytes)} MB.`
  return { jsonrpc: '2.0', id, error: { code: -32_000, message } }
}
