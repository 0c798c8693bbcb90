import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  getPrompt,
  listPrompts,
  listResources,
  readResource,
} from '../../src/tools/mcp/resources.ts'
import { officialServer, textOf, unending, useServers } from './connected.ts'

const connect = useServers()

describe('the official server "everything" as a process', () => {
  const everything = { everything: officialServer('everything') }

  it('is greeted as it understands, and its tools are listed', async () => {
    const { servers, tools, gaps, notices } = await connect(everything)
    expect(gaps).toEqual([])
    expect(servers.get('everything').status()).toEqual({
      state: 'connected',
      protocolVersion: '2025-11-25',
      title: 'mcp-servers/everything 2.0.0',
    })
    const names = tools.map(({ name }) => name)
    expect(names).toContain('everything.echo')
    expect(names).toContain('everything.trigger-long-running-operation')
    expect(notices).toEqual([expect.stringContaining('works only as a task')])
  })

  it('answers calls with text, numbers, links and structured content', async () => {
    const { call } = await connect(everything)
    expect(textOf(await call('everything.echo', { message: 'hello' }))).toBe('Echo: hello')
    expect(textOf(await call('everything.get-sum', { a: 2, b: 40 }))).toContain('42')
    expect(await call('everything.get-resource-links', { count: 1 })).toMatchObject({
      content: [{ type: 'text' }, { type: 'resource_link', uri: expect.stringMatching(/^demo:/) }],
    })
    // It sends the same as text, which is left out.
    expect(await call('everything.get-structured-content', { location: 'Chicago' })).toEqual({
      content: [],
      structured: expect.objectContaining({ humidity: 82 }),
    })
  })

  it('sends images as data with their type and size, and notes of whom a block is for', async () => {
    const { call } = await connect(everything)
    const image = { type: 'image', mediaType: 'image/png', sizeBytes: 4033 }
    expect(await call('everything.get-tiny-image')).toMatchObject({
      content: [
        { type: 'text' },
        { ...image, data: expect.stringMatching(/^iVBOR/) },
        { type: 'text' },
      ],
    })
    const input = { messageType: 'error', includeImage: true }
    expect(await call('everything.get-annotated-message', input)).toMatchObject({
      content: [
        { priority: 1, audience: ['user', 'assistant'] },
        { ...image, audience: ['user'] },
      ],
    })
  })

  it('shows progress, and stops when the call is cancelled', async () => {
    const { call, progress } = await connect(everything)
    const name = 'everything.trigger-long-running-operation'
    await call(name, { duration: 0.5, steps: 5 })
    expect(progress.slice(0, 2)).toEqual([
      { progress: 1, total: 5 },
      { progress: 2, total: 5 },
    ])
    const control = new AbortController()
    const running = call(name, { duration: 60, steps: 600 }, control.signal)
    setTimeout(() => control.abort(new Error('enough')), 300)
    await expect(running).rejects.toThrow('enough')
    expect(textOf(await call('everything.echo', { message: 'still there' }))).toContain('still')
  })

  it('gives its resources and prompts', async () => {
    const server = (await connect(everything)).servers.get('everything')
    const { items } = await listResources(server, unending)
    const uri = 'demo://resource/static/document/architecture.md'
    expect(items).toContainEqual(expect.objectContaining({ uri, mediaType: 'text/markdown' }))
    const { contents } = await readResource(server, uri, unending)
    expect(contents).toEqual([expect.objectContaining({ uri, text: expect.stringContaining('#') })])
    const prompts = await listPrompts(server, unending)
    expect(prompts.items).toContainEqual(
      expect.objectContaining({
        name: 'args-prompt',
        arguments: [expect.objectContaining({ name: 'city', required: true }), expect.anything()],
      }),
    )
    const prompt = await getPrompt(server, 'args-prompt', { city: 'Oslo' }, unending)
    expect(JSON.stringify(prompt)).toContain('Oslo')
  })

  it('counts as writing, but for what it says only reads and the operator believes', async () => {
    const { tools } = await connect({
      plain: officialServer('everything'),
      trusted: { ...officialServer('everything'), trust: true },
    })
    const effectOf = (name: string) => tools.find((tool) => tool.name === name)?.effect
    expect(effectOf('plain.echo')).toBe('write')
    expect(effectOf('trusted.echo')).toBe('read')
    expect(effectOf('trusted.toggle-simulated-logging')).toBe('write')
  })
})

describe('the official server "filesystem" as a process', () => {
  let folder = ''
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-')))
    writeFileSync(join(folder, 'note.txt'), 'The kettle is on.')
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('reads inside of the folder that it was given, and nowhere else', async () => {
    const { call, servers } = await connect({ files: officialServer('filesystem', folder) })
    expect(servers.get('files').status()).toMatchObject({ protocolVersion: '2025-11-25' })
    const read = (path: string) => call('files.read_text_file', { path })
    const result = await read(join(folder, 'note.txt'))
    expect(JSON.stringify(result)).toContain('The kettle is on.')
    await expect(read('/etc/hostname')).rejects.toMatchObject({
      code: 'tool_failed',
      message: expect.stringMatching(/"files".*"read_text_file" failed: Access denied/),
    })
  })

  it('refuses arguments that are missing before the server sees them', async () => {
    const { tools } = await connect({ files: officialServer('filesystem', folder) })
    const tool = tools.find(({ name }) => name === 'files.read_text_file')
    expect(tool?.parse({})).toEqual({ ok: false, reason: 'missing: path' })
    expect(tool?.parse({ path: 3 })).toEqual({ ok: false, reason: 'path must be of type string' })
    expect(tool?.parse('x')).toMatchObject({ ok: false })
    expect(tool?.parse({ path: 'a', head: 2 })).toMatchObject({ ok: true })
  })
})
