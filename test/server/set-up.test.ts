import { symlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfiguration } from '../../src/app.ts'
import { TokenFile } from '../../src/server/index.ts'
import { ServedApp } from './served-app.ts'

const served = new ServedApp()
let readToken = ''
const key = 'sk-a-key-that-nobody-may-see'
const address = 'http://127.0.0.1:9/value-of-a-variable'
beforeAll(async () => {
  const file = served.write(
    'project/scholium.yaml',
    'models:\n  critic: extractive\nsources: [papers/]\n',
  )
  const configuration = await readConfiguration({
    environment: { OPENAI_API_KEY: key, OPENAI_BASE_URL: address, SCHOLIUM_MAX_STEPS: '987' },
    folder: `${served.folder}/project`,
    given: { home: `${served.folder}/home`, configFile: file },
  })
  served.write('agents/good.yaml', agent)
  served.write('agents/bad.yaml', 'name: bad\nnodes:\n  - name: one\n    uses: no.action\n')
  served.write('outside.yaml', 'secret-outside: [')
  await served.start({ configuration, agentsFolder: `${served.folder}/agents` })
  readToken = new TokenFile(`${served.folder}/home`).add('reader', 'read')
})
afterAll(() => served.close())

const agent = `name: good
input_schema:
  type: object
  properties: { topic: { type: string } }
  required: [topic]
nodes:
  - name: one
    run: |
      return {"x": 1}
edges:
  - from: __start__
    to: one
  - from: one
    to: __end__
`

/** An agent that runs another file for each item. */
const naming = (path: string) => `name: names
nodes:
  - name: each
    type: dynamic_parallel
    items: "{{ state.items }}"
    item_var: item
    subgraph: ${path}
    fan_in: last
  - name: last
    fan_in: true
    run: |
      return {}
edges:
  - from: __start__
    to: each
  - from: last
    to: __end__
`

describe('the set-up over HTTP', () => {
  it('shows models and actions to every token', async () => {
    const models = await served.call('get', '/api/models', undefined, readToken)
    expect(models.body.roles).toContainEqual(
      expect.objectContaining({ role: 'critic', name: 'extractive' }),
    )
    const { body } = await served.call('get', '/api/actions', undefined, readToken)
    expect(body.actions.map(({ name }: { name: string }) => name)).toContain('llm.call')
  })

  it('tells each token what it and the server allow', async () => {
    const read = await served.call('get', '/api/access', undefined, readToken)
    expect(read.body).toEqual({ role: 'read', web: false, files: false, agents: true })
    const { body } = await served.call('get', '/api/access')
    expect(body.role).toBe('admin')
  })

  it('shows settings to admins only, without keys and values of variables', async () => {
    const { status, body } = await served.call('get', '/api/config')
    expect(status).toBe(200)
    const text = JSON.stringify(body)
    expect(text).not.toContain(key)
    expect(text).not.toContain(address)
    expect(text).not.toContain('987')
    expect(body.variables).toContain('OPENAI_API_KEY')
    expect(body.settings).toContainEqual(
      expect.objectContaining({ key: 'sources', from: expect.stringContaining('scholium.yaml') }),
    )
    for (const path of ['/api/config', '/api/doctor'])
      expect((await served.call('get', path, undefined, readToken)).status).toBe(403)
  })

  it('examines the set-up without telling keys', async () => {
    const { status, body } = await served.call('get', '/api/doctor')
    expect(status).toBe(200)
    expect(body.findings.map(({ area }: { area: string }) => area)).toContain('home')
    expect(JSON.stringify(body)).not.toContain(key)
    expect(JSON.stringify(body)).not.toContain(address)
  })
})

describe('agent files over HTTP', () => {
  it('are listed with their validity', async () => {
    const { body } = await served.call('get', '/api/agents')
    expect(body.agents).toEqual([
      { agent: 'bad', isValid: false },
      { agent: 'good', isValid: true },
    ])
  })

  it('are shown with graph, input form and problems', async () => {
    const good = await served.call('get', '/api/agents/good')
    expect(good.body).toMatchObject({
      text: agent,
      mermaid: expect.stringContaining('flowchart TD'),
      picture: { nodes: ['one'] },
      inputSchema: { type: 'object', required: ['topic'] },
    })
    const bad = await served.call('get', '/api/agents/bad')
    expect(bad.body.problems).toContainEqual(
      expect.objectContaining({ code: 'UNKNOWN_ACTION', line: 4 }),
    )
    expect((await served.call('get', '/api/agents/outside')).status).toBe(404)
  })

  it('are not files elsewhere that a link leads to', async () => {
    symlinkSync('../outside.yaml', `${served.folder}/agents/link.yaml`)
    symlinkSync('/dev/zero', `${served.folder}/agents/device.yaml`)
    const { body } = await served.call('get', '/api/agents')
    expect(body.agents.map(({ agent }: { agent: string }) => agent)).toEqual(['bad', 'good'])
    const { data } = (await served.call('get', '/v1/models')).body
    expect(data.map(({ id }: { id: string }) => id)).not.toContain('agent:link')
    for (const agent of ['link', 'device']) {
      expect((await served.call('get', `/api/agents/${agent}`)).status).toBe(404)
      const run = { workflow: 'agent', agent }
      expect((await served.call('post', '/api/runs', run)).status).toBe(404)
    }
  })

  it('show no secret, and do not hide the others if one cannot be read', async () => {
    served.write('agents/secret.yaml', `secrets:\n  api: ${key}\n${agent}`)
    served.write('agents/names.yaml', naming('../outside.yaml'))
    const { body } = await served.call('get', '/api/agents')
    expect(body.agents).toContainEqual({ agent: 'names', isValid: false })
    expect(body.agents).toContainEqual({ agent: 'good', isValid: true })
    const secret = await served.call('get', '/api/agents/secret')
    expect(secret.body.problems).toContainEqual(expect.objectContaining({ code: 'SECRET_IN_FILE' }))
    expect(JSON.stringify(secret.body)).not.toContain(key)
    const names = await served.call('get', '/api/agents/names')
    expect(names.body.problems[0].message).toMatch(/outside the folder/)
  })

  it('are validated as text, which reads nothing outside of the folder', async () => {
    const validate = (text: string) => served.call('post', '/api/agents/validate', { text })
    expect((await validate(agent)).body).toMatchObject({ isValid: true })
    expect((await validate('nodes: [')).body.problems[0]).toMatchObject({ code: 'YAML_PARSE' })
    expect((await validate(naming('../outside.yaml'))).body).toMatchObject({ isValid: false })
    for (const path of [
      '../outside.yaml',
      `${served.folder}/outside.yaml`,
      '../../../etc/passwd',
    ]) {
      const { body } = await validate(`imports:\n  - path: ${path}\n${agent}`)
      expect(body.isValid).toBe(false)
      expect(JSON.stringify(body)).not.toContain('secret-outside')
      expect(JSON.stringify(body)).not.toContain('Did you mean')
    }
  })
})
