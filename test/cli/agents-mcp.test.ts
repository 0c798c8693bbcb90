import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nodeProgram } from '../mcp/connected.ts'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
beforeAll(() => {
  const browser = { ...nodeProgram('../mcp/browser-server.ts'), trust: true }
  cli.write('.mcp.json', JSON.stringify({ mcpServers: { browser } }))
  cli.write(
    'browse.yaml',
    `name: browse
nodes:
  - name: go
    uses: browser.navigate
    with: {url: "https://stones.example/g"}
    output: page
`,
  )
})
afterAll(() => cli.remove())

describe('the tools of MCP servers', () => {
  it('are actions of a file where the operator lets it use them, and their results are replayed', async () => {
    const without = await cli.run(['run', 'browse.yaml'])
    expect(without.exitCode).toBe(2)
    expect(without.stderr).toContain('browser.navigate, which is not an action')
    const outcome = await cli.run(['run', 'browse.yaml', '--mcp', '--json'])
    expect(outcome.exitCode, outcome.stderr).toBe(0)
    expect(JSON.stringify(jsonOf(outcome).state.page)).toContain('412')
    cli.write('.mcp.json', '{"mcpServers": {}}')
    const replayed = jsonOf(await cli.run(['replay', 'last', '--json']))
    expect(replayed).toMatchObject({ isIdentical: true, unclaimed: [] })
  }, 60_000)
})
