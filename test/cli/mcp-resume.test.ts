import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { nodeProgram } from '../mcp/connected.ts'
import { calling, sentence } from '../web/web-world.ts'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
const question = 'At what temperature does glimmerstone melt, says https://stones.example/g?'
let model: ScriptedModel
beforeAll(async () => {
  const script = scriptTeam({ researcher: calling(['browser_navigate', { result: 1 }]) })
  model = await startScriptedModel((seen) => script(seen))
  const browser = { ...nodeProgram('../mcp/browser-server.ts'), trust: true }
  cli.write('.mcp.json', JSON.stringify({ mcpServers: { browser } }))
})
afterAll(async () => {
  cli.remove()
  await model.close()
})

describe('a run with MCP servers that waits', () => {
  it('is resumed by the printed command, and is left as it was by one without --mcp', async () => {
    const env = { OPENAI_BASE_URL: model.url }
    const given = ['--model', 'openai-compatible:scripted', '--mcp', '--approve-plan']
    const asked = await cli.run(['ask', question, ...given], { env })
    const [, runId = '', printed = ''] =
      /^ {2}scholium resume (\S+) (.*--answer approve)$/m.exec(asked.stderr) ?? []
    expect(printed).toBe('--mcp --answer approve')
    const listed = async () => jsonOf(await cli.run(['runs', 'list', '--json']))[0]
    const before = await listed()

    const without = await cli.run(['resume', runId, '--answer', 'approve'], { env })
    expect([without.exitCode, without.stdout]).toEqual([2, ''])
    expect(without.stderr).toContain(
      'was started with the MCP server browser, which is not granted',
    )
    expect(without.stderr).toContain(`scholium resume ${runId} --mcp`)
    expect(await listed()).toEqual(before)

    const resumed = await cli.run(['resume', runId, ...printed.split(' '), '--json'], { env })
    expect(jsonOf(resumed)).toMatchObject({ status: 'answered', answer: `${sentence} [1].` })
    const again = await cli.run(['resume', runId, '--json'], { env })
    expect(jsonOf(again)).toMatchObject({ runId, status: 'answered' })
  }, 60_000)
})
