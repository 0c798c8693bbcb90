import { describe, expect, it } from 'vitest'
import { isPage, pageFileName, refuseType } from './page-kind.ts'

describe('the file name that an answer stands for', () => {
  it.each([
    ['https://example.com/', 'text/html; charset=utf-8', 'example.com.html'],
    ['https://example.com/a/b', 'text/html', 'b.html'],
    ['https://example.com/a/b.php?x=1', 'TEXT/HTML', 'b.html'],
    ['https://example.com/page.html', 'application/xhtml+xml', 'page.html'],
    ['https://arxiv.org/pdf/2401.12345', 'application/pdf', '2401.12345.pdf'],
    ['https://example.com/paper.PDF', 'application/pdf', 'paper.PDF'],
    ['https://example.com/README.md', 'text/plain', 'README.md'],
    ['https://example.com/data.csv', 'application/octet-stream', 'data.csv'],
    ['https://example.com/LICENSE', 'text/plain', 'LICENSE.txt'],
    ['https://example.com/notes', 'text/markdown', 'notes.md'],
    ['https://example.com/download', undefined, 'download.txt'],
    ['https://example.com/list', 'text/csv', 'list.csv'],
    ['https://example.com/a%2Fb%00c', 'text/plain', 'a_b_c.txt'],
    ['https://example.com/%E0%A4%A', 'text/html', '%E0%A4%A.html'],
    ['https://example.com/Z%C3%BCrich/', 'text/html', 'Zürich.html'],
    ['https://example.com/picture', 'image/svg+xml', 'picture.svg'],
    ['https://example.com/feed', 'text/xml', 'feed.xml'],
  ])('%s as %s', (url, type, name) => {
    expect(pageFileName(new URL(url), type)).toBe(name)
  })
})

describe('what is read as a web page', () => {
  it.each([
    ['<p>no more than this', 'a.html', true],
    ['<!doctype html><p>Hello', 'a.txt', true],
    ['%PDF-1.7 under the name of a page', 'a.html', false],
    ['PK\x03\x04 under the name of a page', 'a.html', false],
    ['\x89PNG\r\n\x1a\n', 'a.html', false],
    ['just text', 'a.txt', false],
  ])('%j as %s: %s', (text, name, expected) => {
    expect(isPage(Buffer.from(text, 'latin1'), name)).toBe(expected)
  })
})

describe('a type that is refused', () => {
  it('is that of programs, and no other text', () => {
    expect(refuseType('text/javascript')).toMatchObject({ reason: 'unsupported_kind' })
    expect(refuseType('text/calendar; charset=utf-8')).toMatchObject({
      reason: 'unsupported_kind',
    })
    expect(refuseType('text/plain')).toBeUndefined()
    expect(refuseType('text/x-rst')).toBeUndefined()
    expect(refuseType(undefined)).toBeUndefined()
  })
})
