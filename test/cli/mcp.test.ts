import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  findRole,
  type ScriptedModel,
  scriptTeam,
  startScriptedModel,
} from '../../src/testing/index.ts'
import { nodeProgram } from '../mcp/connected.ts'
import { calling, sentence } from '../web/web-world.ts'
import { CommandLine, jsonOf, type Outcome } from './command.ts'

let cli: CommandLine
let model: ScriptedModel
let script = scriptTeam()
beforeAll(async () => {
  model = await startScriptedModel((seen) => script(seen))
})
beforeEach(() => {
  cli = new CommandLine()
  script = scriptTeam({ researcher: calling(['browser_navigate', { result: 1 }]) })
})
afterAll(async () => {
  cli.remove()
  await model.close()
})

const browser = { ...nodeProgram('../mcp/browser-server.ts'), trust: true }
const servers = JSON.stringify({ mcpServers: { browser } })
const question = 'At what temperature does glimmerstone melt, says https://stones.example/g?'

/** Writes into the user's own configuration folder. */
function writeOwn(name: string, text: string): void {
  mkdirSync(join(cli.folder, 'config/scholium'), { recursive: true })
  writeFileSync(join(cli.folder, 'config/scholium', name), text)
}

function run(...args: string[]): Promise<Outcome> {
  return cli.run(args, { env: { OPENAI_BASE_URL: model.url } })
}

/** The tools that the researcher of a question was offered. */
async function offered(...args: string[]): Promise<readonly string[]> {
  const before = model.requests.length
  const outcome = await run('ask', question, '--model', 'openai-compatible:scripted', ...args)
  expect(outcome.exitCode, outcome.stderr).not.toBe(2)
  const asked = model.requests.slice(before).find((seen) => findRole(seen) === 'researcher')
  return (asked?.tools ?? []).filter((name) => name.startsWith('browser'))
}

describe('ask --mcp', () => {
  it('uses the servers of the file in the project, which nothing else does', async () => {
    cli.write('.mcp.json', servers)
    writeOwn('scholium.yaml', 'mcp: {servers: true}\n')
    writeOwn('.mcp.json', JSON.stringify({ mcpServers: {} }))
    const refused = await run('ask', question)
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('No MCP servers are configured'),
    ])
    const args = ['--model', 'openai-compatible:scripted', '--mcp', '--json']
    const answered = await run('ask', question, ...args)
    expect(jsonOf(answered)).toMatchObject({
      status: 'answered',
      answer: `${sentence} [1].`,
      citations: [{ url: 'https://stones.example/g' }],
    })
  })

  it('is not needed where the operator has switched them on, and can be undone', async () => {
    writeOwn('.mcp.json', servers)
    expect(await offered()).toEqual([])
    writeOwn('scholium.yaml', 'mcp:\n  servers: [browser]\n  allow: [browser.submit]\n')
    expect(await offered()).toContain('browser_submit')
    expect(await offered('--no-mcp')).toEqual([])
    expect(await offered('--mcp-server', 'browser')).toContain('browser_navigate')
    const unknown = await run('ask', question, '--mcp-server', 'other')
    expect(unknown.stderr).toContain('There is no MCP server "other".')
  })

  it('cannot be said by a project’s own files', async () => {
    writeOwn('.mcp.json', servers)
    cli.write('scholium.yaml', 'mcp: {servers: true, allow: ["browser.*"]}\n')
    expect(await offered()).toEqual([])
    const { notes } = jsonOf(await run('config', '--json'))
    expect(notes.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('mcp.servers is ignored: a project cannot start programs'),
      expect.stringContaining('mcp.allow is ignored'),
    ])
  })
})

describe('doctor --mcp', () => {
  it('starts each server, and says what it offers and what hinders it', async () => {
    const broken = nodeProgram('../mcp/no-such-server.ts')
    cli.write('.mcp.json', JSON.stringify({ mcpServers: { browser, broken } }))
    const outcome = await run('doctor', '--mcp', '--json')
    const { findings } = jsonOf(outcome) as {
      findings: { area: string; status: string; subject?: string; text: string }[]
    }
    const found = findings.filter(({ area }) => area === 'mcp')
    expect(
      found.toSorted((a, b) => (a.subject ?? '').localeCompare(b.subject ?? '')),
    ).toMatchObject([
      { subject: 'broken', status: 'problem' },
      {
        subject: 'browser',
        status: 'ok',
        text: expect.stringMatching(
          /^starts in \d+\.\d s and offers 4 tools; 1 more may have side effects and are left out: browser\.submit$/,
        ),
      },
    ])
    expect(outcome.exitCode).toBe(1)
  }, 60_000)
})

describe('a server of which a variable is not set', () => {
  it('is left out and named, while the others work', async () => {
    const variable = 'NOT_SET_ANYWHERE'
    const unset = { command: 'x', args: [`\${${variable}}`] }
    cli.write('.mcp.json', JSON.stringify({ mcpServers: { unset, browser } }))
    const said = 'MCP server "unset", key "args[0]": the variable NOT_SET_ANYWHERE is not set.'
    const args = ['--model', 'openai-compatible:scripted']
    const answered = await run('ask', question, ...args, '--mcp', '--json')
    expect(jsonOf(answered).status).toBe('answered')
    expect(answered.stderr).toContain(said)
    const named = await run('ask', question, ...args, '--mcp-server', 'unset')
    expect([named.exitCode, named.stderr]).toEqual([2, expect.stringContaining(said)])
    const looked = await run('doctor', '--mcp-server', 'browser', '--json')
    const { findings } = jsonOf(looked) as { findings: { area: string; subject?: string }[] }
    expect(findings.filter(({ area }) => area === 'mcp')).toMatchObject([{ subject: 'browser' }])
  }, 60_000)
})

describe('doctor', () => {
  it('gives no advice to trust a server that is trusted', async () => {
    cli.write('.mcp.json', servers)
    const { stdout } = await run('doctor', '--mcp')
    expect(stdout).toContain('browser.submit')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('allow them by name under mcp.allow')
    expect(stdout).not.toContain('"trust": true')
  }, 60_000)
})
