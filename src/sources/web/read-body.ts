import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'
import { BadAnswer, TooLarge } from './transport-failure.ts'

/** The encodings requested and supported. */
export const acceptedEncodings = 'gzip, br, deflate'
/** Maximum number of nested encodings. */
const maxEncodings = 2

/**
 * Reads and decompresses a response's body; never holds more than `maxBytes`, compressed or not. Destroys the response
 * if it is not read to its end.
 * @throws {@link TooLarge}; {@link BadAnswer} for an unknown or wrong encoding; the connection's error
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  try {
    if (Number(response.headers['content-length']) > maxBytes) throw new TooLarge(maxBytes)
    const encodings = parseEncodings(response)
    let bytes = await collect(response, maxBytes)
    for (const encoding of encodings.reverse()) {
      bytes = bytes.length === 0 ? bytes : await unpack(bytes, encoding, maxBytes)
    }
    return bytes
  } finally {
    response.destroy()
  }
}

function parseEncodings(response: IncomingMessage): string[] {
  const encodings = (response.headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
  const unknown = encodings.find((encoding) => !(encoding in unpackers))
  if (unknown !== undefined)
    throw new BadAnswer(`its encoding ${JSON.stringify(unknown)} is not supported`)
  if (encodings.length > maxEncodings) throw new BadAnswer('it is encoded too many times')
  return encodings
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw new TooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, sizeBytes)
}

type Unpacker = (bytes: Uint8Array, options: ZlibOptions) => Promise<Buffer>

const unpackers: Readonly<Record<string, Unpacker>> = {
  gzip: promisify(gunzip) as Unpacker,
  'x-gzip': promisify(gunzip) as Unpacker,
  br: promisify(brotliDecompress) as Unpacker,
  // Some servers omit zlib's two header bytes.
  deflate: (bytes, options) =>
    promisify((bytes[0] ?? 0) % 16 === 8 ? inflate : inflateRaw)(bytes, options),
}

async function unpack(packed: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  try {
    return await (unpackers[encoding] as Unpacker)(packed, { maxOutputLength: maxBytes })
  } catch (error) {
    const { code } = error as { readonly code?: string }
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new TooLarge(maxBytes)
    throw new BadAnswer(
      code === 'Z_BUF_ERROR' ? 'it is truncated' : `it is not encoded as ${encoding}`,
    )
  }
}
