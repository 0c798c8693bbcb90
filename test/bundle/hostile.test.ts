import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { verifyBundle } from '../../src/app.ts'
import { bytesInMemory } from '../../src/observe/bundle/byte-source.ts'
import { memberText } from '../../src/observe/bundle/canonical.ts'
import { maxPassageLength } from '../../src/observe/bundle/limits.ts'
import {
  directoryEntry,
  endRecord,
  localFields,
  localHeader,
} from '../../src/observe/bundle/zip-form.ts'
import { contentOf, type ReadMember, readZip } from '../../src/observe/bundle/zip-reader.ts'
import { Runs } from '../kernel/runs.ts'
import { checkOf, faultTexts, OpenedBundle, verify } from './opened.ts'
import { bundleOf, makeSmallRun } from './small-run.ts'

const runs = new Runs()
const folder = mkdtempSync(join(tmpdir(), 'scholium-bundle-'))
let bundle: Buffer = Buffer.alloc(0)
let members: readonly ReadMember[] = []
beforeAll(async () => {
  await runs.open()
  await makeSmallRun(runs)
  bundle = await bundleOf(runs, folder)
  members = readZip(bytesInMemory(bundle))
})
afterAll(async () => {
  await runs.close()
  rmSync(folder, { recursive: true })
})

/** A zip of the bundle's form with these members, in this order. */
function zipOf(list: readonly { readonly name: string; readonly content: Buffer }[]): Buffer {
  const pieces: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, content } of list) {
    const crc = crc32(content)
    const member = { name, sizeBytes: content.length, crc, offset }
    pieces.push(localHeader(member), content)
    entries.push(directoryEntry(member))
    offset += localHeader(member).length + content.length
  }
  const directory = Buffer.concat(entries)
  return Buffer.concat([...pieces, directory, endRecord(list.length, offset, directory.length)])
}

const listed = () =>
  members.map((member) => ({
    name: member.name,
    content: Buffer.concat([...contentOf(bytesInMemory(bundle), member)]),
  }))

async function refusal(bytes: Uint8Array): Promise<string> {
  const report = await verify(bytes)
  expect(report.isSound).toBe(false)
  return faultTexts(report)
}

describe('what is no bundle', () => {
  it.each([
    ['nothing', Buffer.alloc(0), /too short/],
    [
      'a text',
      Buffer.from('A long text that is no zip at all, but has some bytes.'),
      /does not start like one/,
    ],
    ['an empty zip', Buffer.from(endRecord(0, 0, 0)), /does not start like one/],
    [
      'a zip of something else',
      Buffer.from(zipSync({ 'word/document.xml': Buffer.from('<a/>') }, { level: 0 })),
      /the header of a bundle member|is not the name/,
    ],
    ['zeros', Buffer.alloc(100_000), /does not start like one/],
  ])('%s is refused', async (_what, bytes, said) => {
    expect(await refusal(bytes)).toMatch(said)
  })

  it('a folder, and a file that is not there, are said to be', async () => {
    await expect(verifyBundle(folder)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(verifyBundle('nothing.scholium', { folder })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('nothing.scholium'),
    })
  })
})

describe('a bundle', () => {
  it('that was cut off anywhere is refused', async () => {
    for (let length = 0; length < bundle.length; length += 7) {
      const said = await refusal(bundle.subarray(0, length))
      expect(said).toMatch(/ends|too short|no bundle|broken|last record|in the directory/)
    }
  })

  it('with something behind it, or before it, is refused', async () => {
    expect(await refusal(Buffer.concat([bundle, Buffer.from('x')]))).toMatch(
      /1 bytes follow the end/,
    )
    expect(await refusal(Buffer.concat([Buffer.from('MZ'), bundle]))).toMatch(
      /does not start like one/,
    )
    expect(await refusal(Buffer.concat([bundle, bundle]))).toMatch(/follow the end/)
  })

  it('put together as it was is the same', () => {
    expect(zipOf(listed())).toEqual(bundle)
  })

  it('is a zip for other programs, too', () => {
    const unpacked = unzipSync(bundle)
    expect(Object.keys(unpacked)).toEqual(members.map(({ name }) => name))
    for (const { name, content } of listed())
      expect(Buffer.from(unpacked[name] ?? [])).toEqual(content)
  })

  it('with two members swapped is refused', async () => {
    const [first, second, ...rest] = listed() as [never, never]
    expect(await refusal(zipOf([second, first, ...rest]))).toMatch(/is out of order/)
  })

  it('with a member twice, equal or not, is refused', async () => {
    const [first, ...rest] = listed() as [ReturnType<typeof listed>[number]]
    expect(await refusal(zipOf([first, first, ...rest]))).toMatch(/answer.json: it is there twice/)
    const other = { ...first, content: Buffer.from('{}\n') }
    expect(await refusal(zipOf([other, first, ...rest]))).toMatch(/it is there twice/)
    expect(await refusal(zipOf([first, other, ...rest]))).toMatch(/it is there twice/)
  })

  it('with the contents of two members swapped is refused', async () => {
    const [first, second, ...rest] = listed() as [
      ReturnType<typeof listed>[number],
      ReturnType<typeof listed>[number],
    ]
    const swapped = [
      { ...first, content: second.content },
      { ...second, content: first.content },
      ...rest,
    ]
    expect(await refusal(zipOf(swapped))).toMatch(
      /answer.json: it has .* bytes, but the manifest says/,
    )
  })

  it.each([
    '../evil.json',
    '/etc/passwd',
    'a/../../b.json',
    'C:\\evil',
    'sources/../x.json',
    'answer.json\0.txt',
    '.hidden',
    'Answer.json',
    'a/b/c.json',
    'ä.json',
    '',
  ])('with a member called %j is refused', async (name) => {
    const first = listed()
      .slice(0, 1)
      .map(({ content }) => ({ name: 'answer.json', content }))
    const zip = zipOf(first)
    const offset = zip.indexOf('answer.json')
    const renamed = Buffer.concat([
      zip.subarray(0, offset),
      Buffer.from(name),
      zip.subarray(offset + 'answer.json'.length),
    ])
    renamed.writeUInt16LE(Buffer.byteLength(name), localFields.nameBytes)
    expect(await refusal(renamed)).toMatch(/is not the name of a bundle member/)
  })

  it('with a compressed member is refused before anything is unpacked', async () => {
    const bomb = deflateRawSync(Buffer.alloc(50_000_000))
    const zip = zipOf([{ name: 'answer.json', content: bomb }])
    zip.writeUInt16LE(8, localFields.method)
    expect(await refusal(zip)).toMatch(/members are not compressed/)
  })

  it('that says of a member that it is huge is refused', async () => {
    const zip = Buffer.from(bundle)
    zip.writeUInt32LE(0xffff_fff0, localFields.sizeBytes)
    expect(await refusal(zip)).toMatch(/declares 4,294,967,280 bytes, but the file ends/)
  })

  it('whose members are nested endlessly is refused', async () => {
    const depth = 200_000
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
    for (const name of ['answer.json', 'manifest.json', 'claims.json']) {
      const opened = listed().map((one) =>
        one.name === name ? { name, content: Buffer.from(`${deep}\n`) } : one,
      )
      expect(await refusal(zipOf(opened))).not.toBe('')
    }
    const inLog = new OpenedBundle(bundle)
    inLog.texts.set(
      'log.ndjson',
      inLog.text('log.ndjson').replace('"output":true', `"output":${deep}`),
    )
    expect(await refusal(await inLog.bytes())).toMatch(/nested too deeply/)
  })

  it.each([
    [
      'keys in another order',
      (text: string) =>
        text.replace(/\n\{"data":(\{[^\n]*?\}),"epoch":1/, '\n{"epoch":1,"data":$1'),
      /not in canonical form/,
    ],
    ['spaces', (text: string) => text.replace('{"data"', '{ "data"'), /not in canonical form/],
    [
      'a number written otherwise',
      (text: string) => text.replace('"epoch":1,', '"epoch":1.0,'),
      /not in canonical form/,
    ],
    [
      'a key twice',
      (text: string) => text.replace('"epoch":1,', '"epoch":2,"epoch":1,'),
      /not in canonical form/,
    ],
    [
      'an escape that is not needed',
      (text: string) => text.replace('"small/read[1]"', '"small\\/read[1]"'),
      /not in canonical form/,
    ],
    [
      'a line that is no JSON',
      (text: string) => text.replace('"epoch":1,', '"epoch":'),
      /line 1: not JSON/,
    ],
    [
      'a number beyond all numbers',
      (text: string) => text.replace('"epoch":1,', '"epoch":1e999,'),
      /not in canonical form/,
    ],
    ['an empty line', (text: string) => text.replace('\n', '\n\n'), /line 2: not JSON/],
    ['a last line without end', (text: string) => text.slice(0, -1), /its last line is incomplete/],
    ['no events', () => '', /it has no event/],
  ])('whose log has %s is refused', async (_what, change, said) => {
    const opened = new OpenedBundle(bundle)
    const before = opened.text('log.ndjson')
    opened.texts.set('log.ndjson', change(before))
    expect(opened.text('log.ndjson')).not.toBe(before)
    expect(await refusal(await opened.bytes())).toMatch(said)
  })

  it('that holds no UTF-8 is refused', async () => {
    const list = listed().map((one) =>
      one.name === 'manifest.json'
        ? { ...one, content: Buffer.concat([one.content, Buffer.from([0xff, 0xfe])]) }
        : one,
    )
    expect(await refusal(zipOf(list))).toMatch(/invalid UTF-8/)
  })

  it('that would take too long to judge is left undecided', async () => {
    const opened = new OpenedBundle(bundle)
    const long = 'melts '.repeat(maxPassageLength)
    const end = long.length
    opened.editLines('log.ndjson', (line) => {
      const text = JSON.stringify(line)
      return JSON.parse(
        text
          .replaceAll('"end":77', `"end":${end}`)
          .replaceAll(':0-77', `:0-${end}`)
          .replaceAll('"page":1,', ''),
      ) as never
    })
    opened.edit(
      opened.texts.keys().find((name) => name.startsWith('sources/')) as string,
      (source: object) => ({ ...source, text: long, length: end, pages: [] }),
    )
    const report = await verify(await opened.bytes())
    expect(checkOf(report, 'verdicts')).toMatchObject({
      outcome: 'undecided',
      detail: expect.stringMatching(/Not judged again: a passage has [\d,]+ characters/),
    })
  })

  it('is read from a file as from memory', async () => {
    const path = join(folder, 'x.scholium')
    writeFileSync(path, bundle)
    const report = await verifyBundle('x.scholium', { folder })
    expect(report.isSound).toBe(true)
    expect(memberText(report.run)).toContain('"runId": "run"')
  })
})
