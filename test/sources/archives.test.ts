import { afterAll, describe, expect, it } from 'vitest'
import { docxOf, paragraph, zipOf } from './office-files.ts'
import { deflated, rawZip, stored } from './raw-zip.ts'
import { ReadingFolder } from './reading.ts'

const folder = new ReadingFolder()
afterAll(() => folder.remove())

let next = 0
/** The outcomes of an archive, with `a` for its name. */
const outcomesOf = async (content: Uint8Array, extension = 'zip') => {
  const name = `${next++}.${extension}`
  return (await folder.outcomes(name, content)).map((line) => line.replace(name, 'a'))
}

describe('an archive', () => {
  it('gives an outcome for each member, those of an archive in it included', async () => {
    const inner = zipOf({ 'b.txt': 'Inner text.' })
    const files = {
      'x/a.md': '# Title',
      'x/in.zip': inner,
      'd.docx': docxOf(paragraph('A letter.')),
      'e.json': '{}',
    }
    expect(await outcomesOf(zipOf(files))).toEqual([
      'a/x/a.md: # Title',
      'a/x/in.zip/b.txt: Inner text.',
      'a/d.docx: A letter.',
      'a/e.json: unsupported_kind',
    ])
  })

  it('is told by its content, and its members are too', async () => {
    const files = {
      'letter.txt': docxOf(paragraph('A letter.')),
      'page.txt': '<!doctype html><p>A page of some words that say a thing.</p>',
    }
    expect(await outcomesOf(zipOf(files), 'bin')).toEqual([
      'a/letter.txt: A letter.',
      'a/page.txt: A page of some words that say a thing.',
    ])
  })

  it('passes over hidden files, what macOS adds, and links, each folder once', async () => {
    const archive = rawZip([
      stored('.git/a', 'x'),
      stored('.git/b', 'x'),
      stored('__MACOSX/._a.md', 'x'),
      stored('b/.env', 'x'),
      { ...stored('link', '/etc/passwd'), mode: 0o120777 },
      stored('a.md', 'words'),
      stored('empty-folder/', ''),
    ])
    expect(await outcomesOf(archive)).toEqual([
      'a/.git: a hidden folder',
      'a/__MACOSX: macOS metadata',
      'a/b/.env: a hidden file',
      'a/link: a link',
      'a/a.md: words',
    ])
  })

  it.each([
    '../evil.md',
    'a/../../evil.md',
    '/etc/evil.md',
    'C:\\evil.md',
    '..\\evil.md',
    'a\nb.md',
    'a//b.md',
    './a.md',
  ])('refuses the name %j and reads the rest', async (name) => {
    const archive = rawZip([deflated(name, 'x'), deflated('good.md', 'words')])
    expect(await outcomesOf(archive)).toEqual(['a: broken', 'a/good.md: words'])
  })

  it('reads names that old Windows programs wrote', async () => {
    const written = Buffer.from(
      rawZip([{ ...stored('2020@2024.md', 'words'), flags: 0 }]),
    ).toString('latin1')
    const archive = Buffer.from(written.replaceAll('2020@', '2020\x96'), 'latin1')
    expect(await outcomesOf(archive)).toEqual(['a/2020–2024.md: words'])
  })

  it('refuses the second of two files of one name', async () => {
    const archive = rawZip([stored('a.md', 'first'), stored('a.md', 'second')])
    expect(await outcomesOf(archive)).toEqual(['a/a.md: first', 'a: broken'])
  })

  it.each([
    ['a wrong checksum', { ...stored('m.md', 'words'), crc: 1 }, 'broken'],
    ['a wrong size', { ...stored('m.md', 'words'), sizeBytes: 4 }, 'broken'],
    ['torn bytes', { ...deflated('m.md', 'words'), packed: Buffer.from([0x4b, 0x2c]) }, 'broken'],
    ['another name before it', { ...stored('m.md', 'words'), localName: 'n.md' }, 'broken'],
    ['a password', { ...stored('m.md', 'words'), flags: 0x801 }, 'encrypted'],
    ['another packing', { ...stored('m.md', 'words'), method: 14 }, 'unsupported_kind'],
  ])('refuses a member with %s and reads the rest', async (_what, member, reason) => {
    const archive = rawZip([member, stored('good.md', 'words')])
    expect(await outcomesOf(archive)).toEqual([`a/m.md: ${reason}`, 'a/good.md: words'])
  })

  const member = stored('m.md', 'words')
  it.each([
    ['without an end', rawZip([member]).slice(0, -22)],
    ['with a directory elsewhere', rawZip([member], { directoryStart: 3 })],
    ['with fewer members than it has', rawZip([member, stored('n.md', 'x')], { count: 1 })],
    ['with more members than it has', rawZip([member], { count: 2 })],
    ['with a large end that lies', rawZip([member], { large: [1n, 1n << 62n, 1n << 61n] })],
    [
      'with a large end of endless members',
      rawZip([member], { large: [(1n << 53n) - 1n, 0n, 0n] }),
    ],
    ['of members that share their bytes', rawZip([member, { ...member, name: 'n.md', shares: 0 }])],
  ])('%s is refused as a whole', async (_what, archive) => {
    expect(await outcomesOf(archive)).toEqual([expect.stringMatching(/^a: (?:broken|too_large)$/)])
  })

  it('with a true large end is read', async () => {
    const directory = BigInt(46 + 4)
    const archive = rawZip([member], { large: [1n, directory, BigInt(30 + 4 + 5)] })
    expect(await outcomesOf(archive)).toEqual(['a/m.md: words'])
  })

  it('of nothing is empty', async () => {
    expect(await outcomesOf(rawZip([]))).toEqual(['a: empty'])
  })
})
