import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandLine, Outcome, Started } from './command.ts'

/** `scholium serve` in a process of its own, listening. */
export interface Serving {
  readonly started: Started
  readonly address: string
  readonly token: string
  /** Sends a request with the token, with `body` as JSON if there is one. */
  request(
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>
  /** The JSON body of the answer to a request. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of many forms
  call(path: string, body?: unknown): Promise<any>
  /** Sends a signal and waits for the end of the process. */
  end(signal: NodeJS.Signals): Promise<Outcome>
}

/** Starts a server on any free port, and waits until it listens. */
export async function serve(
  cli: CommandLine,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Serving> {
  return whenListening(cli.start(['serve', '--port', '0', '--json', ...args], { env }))
}

/** Waits until a server that was started with `--json` listens. */
export async function whenListening(started: Started): Promise<Serving> {
  const printed = () => started.printed().stdout
  while (!printed().endsWith('}\n')) await Promise.race([sleep(10), started.outcome.then(ended)])
  const { url } = JSON.parse(printed().slice(printed().indexOf('{')))
  const [address = '', token = ''] = String(url).split('/#token=')
  const request: Serving['request'] = (path, body, more) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { authorization: `Bearer ${token}`, ...type, ...more }
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    return fetch(`${address}${path}`, { headers, ...sent })
  }
  return {
    started,
    address,
    token,
    request,
    call: async (path, body) => JSON.parse(await (await request(path, body)).text()),
    end: (signal) => {
      started.child.kill(signal)
      return started.outcome
    },
  }
}

function ended(outcome: unknown): never {
  throw new Error(`The server ended: ${JSON.stringify(outcome)}`)
}
