import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'yaml'

/** An answer that a source gave, as somebody recorded it. */
export interface Recording {
  readonly file: string
  readonly method: string
  readonly url: string
  readonly status: number
  readonly text: string
}

/** Where the recorded answers are. */
export const recordings = join(process.env.SCHOLIUM_DATA ?? '', '03-api')

/** Every file below a folder of the recordings, with the end of its name. */
export function recordedFiles(folder: string, ending: string): readonly string[] {
  return readdirSync(join(recordings, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(recordings, folder, path))
    .filter((path) => statSync(path).isFile())
    .sort()
}

interface Cassette {
  readonly interactions?: readonly {
    readonly request: { readonly method: string; readonly uri: string }
    readonly response: {
      readonly status?: { readonly code: number }
      readonly status_code?: number
      readonly body?: { readonly string?: unknown }
      readonly content?: unknown
      readonly parsed_body?: unknown
    }
  }[]
}

/** Every answer in the VCR cassettes below a folder, and the files that are no YAML any more. */
export function cassettes(folder: string): {
  readonly answers: readonly Recording[]
  readonly broken: readonly string[]
} {
  const broken: string[] = []
  const answers = recordedFiles(folder, '.yaml').flatMap((file) => {
    const cassette = cassetteIn(file)
    if (cassette === undefined) broken.push(file)
    return (cassette?.interactions ?? []).map(({ request, response }) => ({
      file,
      method: request.method,
      url: request.uri,
      status: response.status?.code ?? response.status_code ?? 200,
      text: textOf(response.body?.string ?? response.content ?? response.parsed_body),
    }))
  })
  return { answers, broken }
}

function cassetteIn(file: string): Cassette | undefined {
  try {
    return parse(readFileSync(file, 'utf8')) as Cassette
  } catch {
    return undefined
  }
}

function textOf(body: unknown): string {
  if (typeof body === 'string') return body
  if (!(body instanceof Uint8Array)) return JSON.stringify(body ?? '')
  return Buffer.from(body[0] === 0x1f ? gunzipSync(body) : body).toString('utf8')
}
