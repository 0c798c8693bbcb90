import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { App } from '../../src/index.ts'
import { TokenFile } from '../../src/server/index.ts'
import { pdfOf } from '../sources/pdf-files.ts'
import { ServedApp } from './served-app.ts'

const served = new ServedApp()
const model = 'scholium/ask'
let app: App
let ada: OpenAI
let adasToken = ''
let eve = ''
beforeAll(async () => {
  app = await served.start()
  const tokens = new TokenFile(app.home.path)
  adasToken = tokens.add('ada', 'run')
  eve = tokens.add('eve', 'run')
  ada = new OpenAI({ apiKey: adasToken, baseURL: `${served.url}/v1`, maxRetries: 0 })
})
afterAll(() => served.close())

const base64 = (content: string | Uint8Array) => Buffer.from(content).toString('base64')
const drawn =
  'BT /F2 20 Tf 50 700 Td (Vejle) Tj /F1 12 Tf 0 -60 Td (The bridge of Vejle was built in 1858 by carpenters.) Tj ET'
const pdf = pdfOf({ pages: [drawn] })
const asked = 'When was the lighthouse of Skagen built?'
const page = '# Skagen\n\nThe lighthouse of Skagen was built in 1907 by carpenters.\n'

/** A question with a file in its message. */
const withFile = (file: object, text = asked) => [
  {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text },
      { type: 'input_file', ...file },
    ],
  },
]

describe('a file in a message', () => {
  it.each<[string, string, string, string]>([
    ['skagen.md', asked, '1907', `data:text/markdown;base64,${base64(page)}`],
    ['vejle.pdf', 'When was the bridge of Vejle built?', '1858', base64(pdf)],
  ])('is a source of the answer: %s', async (filename, text, year, file_data) => {
    const input = withFile({ filename, file_data }, text) as OpenAI.Responses.ResponseInput
    const response = await ada.responses.create({ model, input })
    expect(response.output_text).toMatch(new RegExp(`${year}[^]*\nSources:\n`))
    const recorded = await app.recordedAnswer(response.id)
    const { citations } = recorded as unknown as { citations: { readonly path?: string }[] }
    expect(citations[0]?.path).toContain(filename)
    expect((await app.showRun(response.id)).title).toBe(text)
  })

  it('is kept as an upload of whoever sent it, and found by nobody else', async () => {
    const messages = [
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: 'When was the lighthouse of Anholt built?' },
          {
            type: 'file' as const,
            file: {
              filename: 'anholt.txt',
              file_data: base64('Anholt\n\nThe lighthouse of Anholt was built in 1785.'),
            },
          },
        ],
      },
    ]
    const { choices } = await ada.chat.completions.create({ model, messages })
    expect(choices[0]?.message.content).toContain('1785')
    const listed = (by: string) => served.call('get', '/api/library', undefined, by)
    const names = async (by: string) => JSON.stringify((await listed(by)).body)
    expect(await names(adasToken)).toContain('anholt.txt')
    expect(await names(eve)).not.toContain('anholt')
    const next = await ada.responses.create({
      model,
      input: 'When was the lighthouse of Anholt built?',
    })
    expect(next.output_text).toContain('1785')
    const others = { model, input: 'When was the lighthouse of Anholt built?' }
    const { body } = await served.call('post', '/v1/responses', others, eve)
    expect(JSON.stringify(body.output)).not.toContain('1785')
  })

  it.each<[string, object, string]>([
    ['by its id', { file_id: 'file-1' }, 'file_data'],
    ['at an address', { file_url: 'http://127.0.0.1/x.pdf' }, 'file_data'],
    ['that is not base64', { filename: 'a.md', file_data: '<html>' }, 'base64'],
    ['that no reader reads', { filename: 'a.bin', file_data: base64(Buffer.alloc(99)) }, 'read'],
  ])('is refused %s, and starts no run', async (_, file, reason) => {
    const before = await app.listRuns()
    const request = { model, input: withFile(file) }
    const { status, body } = await served.call('post', '/v1/responses', request)
    expect([status, body.error.code]).toEqual([400, 'unsupported_value'])
    expect(body.error.message).toContain(reason)
    expect(await app.listRuns()).toEqual(before)
  })

  it('is refused by models that take none', async () => {
    const input = withFile({ filename: 'skagen.md', file_data: base64(page) })
    const tools = [{ type: 'function', name: 'get_weather' }]
    for (const request of [
      { model: 'scholium/papers', input },
      { model, input: [{ ...input[0], role: 'assistant' }] },
    ])
      expect((await served.call('post', '/v1/responses', request)).status).toBe(400)
    expect((await served.call('post', '/v1/responses', { model, input, tools })).status).toBe(400)
  })

  it('can be larger than other requests, but not without bound', async () => {
    const send = (bytes: number) => {
      const file_data = base64(`${page}${'It is white. '.repeat(bytes / 13)}`)
      const body = JSON.stringify({ model, input: withFile({ filename: 'large.md', file_data }) })
      const headers = { 'content-type': 'application/json' }
      return served.fetch('/v1/responses', { method: 'POST', headers, body })
    }
    expect((await send(2_000_000)).status).toBe(200)
    const large = await send(12_000_000)
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({ error: { code: 'too_large', param: null } })
  })
})
