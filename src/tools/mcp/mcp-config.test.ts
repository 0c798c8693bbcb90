// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a configuration names variables
import { describe, expect, it } from 'vitest'
import { readMcpConfig } from './mcp-config.ts'

const environment = {
  PATH: '/bin',
  HOME: '/somewhere',
  LANG: 'C.UTF-8',
  API_TOKEN: 'sesame-55',
  FOLDER: '/data',
  EMPTY: '',
  PRIVATE: 'not passed on',
}

function read(mcpServers: unknown) {
  return readMcpConfig(JSON.stringify({ mcpServers }), environment)
}

function problemOf(mcpServers: unknown) {
  try {
    read(mcpServers)
  } catch (error) {
    return error
  }
  return undefined
}

describe('readMcpConfig', () => {
  it('reads processes and addresses as other tools write them', () => {
    const { servers, warnings } = read({
      files: { command: 'npx', args: ['-y', 'server', '${FOLDER}/a'], cwd: '/x', env: { A: 'b' } },
      browser: { url: 'http://127.0.0.1:3000/mcp' },
      old: { type: 'sse', url: 'https://example.com/sse', timeout: 5000, trust: true },
      streaming: { type: 'streamable-http', url: 'https://example.com/mcp' },
      off: { command: 'x', disabled: true },
    })
    expect(warnings).toEqual([])
    expect(servers).toMatchObject([
      {
        name: 'files',
        kind: 'stdio',
        command: 'npx',
        args: ['-y', 'server', '/data/a'],
        cwd: '/x',
        isTrusted: false,
        timeoutMs: 60_000,
        secrets: [],
      },
      { name: 'browser', kind: 'http', url: 'http://127.0.0.1:3000/mcp', headers: {} },
      { name: 'old', kind: 'sse', timeoutMs: 5000, isTrusted: true },
      { name: 'streaming', kind: 'http' },
    ])
  })

  it('gives a process its own variables and what it takes to run, and nothing else', () => {
    const { servers } = read({
      files: { command: 'x', env: { TOKEN: '${API_TOKEN}', LANG: 'de' } },
    })
    expect(servers[0]).toMatchObject({
      environment: { PATH: '/bin', HOME: '/somewhere', LANG: 'de', TOKEN: 'sesame-55' },
      secrets: ['sesame-55'],
    })
    expect(Object.keys((servers[0] as { environment: object }).environment)).toHaveLength(4)
  })

  it('knows what is secret: headers, what is named like a secret, and no folder', () => {
    const { servers } = read({
      web: { url: 'http://a.org/${FOLDER}', headers: { Authorization: 'Bearer ${API_TOKEN}' } },
      files: { command: 'x', args: ['--token=${API_TOKEN}', '${FOLDER}'], env: { KEY: 'literal' } },
    })
    expect(servers.map(({ secrets }) => secrets)).toEqual([
      ['Bearer sesame-55', 'sesame-55'],
      ['literal', 'sesame-55'],
    ])
    expect(servers[0]).toMatchObject({ headerVariables: { Authorization: ['API_TOKEN'] } })
  })

  it('fills in defaults as a shell does', () => {
    const args = [
      '${NOT_SET:-a b}',
      '${EMPTY:-c}',
      '${EMPTY}',
      '${FOLDER:-d}',
      '$FOLDER ${}',
      '${NOT_SET:-}',
    ]
    const { servers } = read({ files: { command: 'x', args } })
    expect(servers[0]).toMatchObject({ args: ['a b', 'c', '', '/data', '$FOLDER ${}', ''] })
  })

  it('leaves out a server of which a variable is not set, and says which', () => {
    const { servers, unusable } = read({
      a: { command: 'x', args: ['${NOT_SET}'] },
      b: { command: 'x' },
    })
    expect(servers.map(({ name }) => name)).toEqual(['b'])
    expect(unusable).toMatchObject([
      {
        name: 'a',
        error: {
          message: 'MCP server "a", key "args[0]": the variable NOT_SET is not set.',
          hint: 'Set NOT_SET, or write ${NOT_SET:-default}.',
        },
      },
    ])
  })

  it('warns of keys that it does not know', () => {
    const text = JSON.stringify({
      mcpServers: { a: { command: 'x', autoApprove: [] } },
      inputs: [],
    })
    expect(readMcpConfig(text, environment).warnings).toEqual([
      'The key "inputs" next to "mcpServers" is unknown and has no effect.',
      'MCP server "a": the key "autoApprove" is unknown and has no effect.',
    ])
  })

  it.each([
    [{ a: 3 }, 'MCP server "a": it must be an object.'],
    [{ a: {} }, 'MCP server "a", key "command": give either a command or a url.'],
    [{ a: { command: 'x', url: 'http://b' } }, 'give either a command or a url'],
    [
      { a: { type: 'http', command: 'x' } },
      'MCP server "a", key "command": a server of type "http"',
    ],
    [{ a: { type: 'ws', url: 'ws://b' } }, 'MCP server "a", key "type"'],
    [{ a: { type: 'constructor', url: 'http://b' } }, 'MCP server "a", key "type"'],
    [{ a: { type: 'stdio' } }, 'MCP server "a", key "command": it must be '],
    [{ a: { command: ['x'] } }, 'MCP server "a", key "command"'],
    [{ a: { command: 'x', args: 'y' } }, 'MCP server "a", key "args": it must be a list'],
    [{ a: { command: 'x', args: ['y', 1] } }, 'MCP server "a", key "args[1]"'],
    [{ a: { command: 'x', env: { B: 1 } } }, 'MCP server "a", key "env.B"'],
    [{ a: { command: 'x\0y' } }, 'key "command": it contains a NUL character'],
    [{ a: { url: 'file:///etc' } }, 'MCP server "a", key "url": it has to be an address'],
    [{ a: { url: 'http://me:pass@b.org' } }, 'key "url": put a password in a header'],
    [{ a: { url: 'http://b.org', headers: { 'X Y': 'z' } } }, 'key "headers.X Y"'],
    [{ a: { url: 'http://b.org', headers: { X: 'a\nb: c' } } }, 'key "headers.X"'],
    [{ a: { command: 'x', timeout: 0 } }, 'MCP server "a", key "timeout"'],
    [
      { a: { command: 'x', trust: 'yes' } },
      'MCP server "a", key "trust": it must be true or false.',
    ],
    [{ ' ': { command: 'x' } }, 'is not a valid server name'],
    [[], 'has no object "mcpServers"'],
  ])('refuses %j', (mcpServers, message) => {
    expect(problemOf(mcpServers)).toMatchObject({
      code: 'invalid_configuration',
      message: expect.stringContaining(message),
    })
  })

  it('refuses what is no JSON without quoting it', () => {
    const attempt = () => readMcpConfig('{"mcpServers": {"a": {"env": {"K": "sesame"}', environment)
    expect(attempt).toThrow('The configuration is not JSON.')
    expect(attempt).not.toThrow('sesame')
  })
})
