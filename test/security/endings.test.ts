import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { CommandLine } from '../cli/command.ts'
import { oddServer } from '../mcp/connected.ts'

let cli: CommandLine
beforeEach(() => {
  cli = new CommandLine()
})
const closings: (() => void)[] = []
afterAll(() => {
  cli.remove()
  for (const close of closings) close()
})

/** A server that answers as it likes, on loopback. */
async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Sends the same again and again until the other side leaves. */
const endless = (type: string, piece: string) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, { 'content-type': type })
  const timer = setInterval(() => response.write(piece), 20)
  response.on('close', () => clearInterval(timer))
}

const useServer = (server: object) =>
  cli.write('.mcp.json', JSON.stringify({ mcpServers: { odd: { ...server, trust: true } } }))

describe('a command comes to its end, and says how, with an MCP server', () => {
  it('that takes no notice of the end of its input and of SIGTERM', async () => {
    useServer(oddServer('stubborn'))
    cli.write('a.yaml', 'name: a\nnodes: [{name: a, uses: odd.pid, with: {}, goto: __end__}]\n')
    const { exitCode, stderr } = await cli.run(['run', 'a.yaml', '--mcp'], { isApart: true })
    expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('unsettled')])
  })

  it.each([
    ['http', 'that never answers', () => undefined],
    ['sse', 'that never answers', () => undefined],
    ['http', 'that sends comments without end', endless('text/event-stream', ': hi\n\n')],
    ['sse', 'that sends comments without end', endless('text/event-stream', ': hi\n\n')],
    ['http', 'whose answer has no end', endless('application/json', ' ')],
    ['sse', 'whose answer has no end', endless('application/json', ' ')],
    ['http', 'whose failure has no end', endless('text/plain', 'x')],
  ] as const)('%s %s', async (type, _how, answer) => {
    useServer({ type, url: await listen(answer) })
    const args = ['doctor', '--mcp', '--json', '--max-seconds', '3']
    const { exitCode, stdout } = await cli.run(args, { isApart: true })
    expect(exitCode).toBe(1)
    const { findings } = JSON.parse(stdout) as { findings: { area: string; status: string }[] }
    expect(findings.find(({ area }) => area === 'mcp')).toMatchObject({ status: 'problem' })
  })
})
