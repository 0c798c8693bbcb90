import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../kernel/json.ts'
import { parseFrontMatter, readMarkdown, readPlainText } from './read-text.ts'

const id = sha256('')
const read = (text: string) => readMarkdown(text, id, '/notes/my-notes.md')
const outline = (text: string) => read(text).sections.map(({ title, level }) => `${level} ${title}`)

describe('Markdown', () => {
  it('keeps its text as it is, with sections where their lines start', () => {
    const text = '# Hens\n\nSome *hens* sleep.\n\n## At night ##\n\nAll.\n'
    const document = read(text)
    expect(document.text).toBe(text)
    expect(document.title).toBe('Hens')
    expect(document.sections).toEqual([
      { title: 'Hens', level: 1, start: 0 },
      { title: 'At night', level: 2, start: text.indexOf('## At') },
    ])
  })

  it('takes no headings from code fences, and none from comments in code', () => {
    expect(
      outline('# A\n```sh\n# not a heading\n```\n~~~~\n# nor this\n~~~\n# nor this\n~~~~\n## B'),
    ).toEqual(['1 A', '2 B'])
    expect(outline('    # indented code\n#hashtag\n####### seven')).toEqual([])
  })

  it('knows underlined headings, but no rules, lists or tables', () => {
    expect(outline('Hens\n====\n\nFoxes\n---\n\n- item\n---\n\n| a |\n---\n\n---\n')).toEqual([
      '1 Hens',
      '2 Foxes',
    ])
  })

  it('writes headings without their marks', () => {
    expect(outline('# **Hens** and `foxes` [there](http://x.org) {#id}')).toEqual([
      '1 Hens and foxes there',
    ])
  })

  it('has every section start at its heading', () => {
    const part = fc.constantFrom(
      '# One\n',
      '## Two two\n',
      'Three\n===\n',
      '```\n',
      'text\n',
      '\n',
      '~~~\n',
      '- x\n',
      '---\n',
    )
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const { text, sections } = read(parts.join(''))
        for (const { title, start } of sections) {
          expect(text.slice(start)).toMatch(new RegExp(`^(?:#+ )?${title}`))
          expect(start === 0 || text[start - 1] === '\n').toBe(true)
        }
      }),
    )
  })

  it('takes title, authors, date and address from front matter, which is no part of the text', () => {
    const document = read(
      '---\ntitle: "Hens: a study"\nauthors:\n  - Ana Gómez\n  - name: Jan Berg\ndate: 2023-02-14\nurl: https://example.org/hens\ntags: [a, b]\n---\n\n# Another title\n',
    )
    expect(document.title).toBe('Hens: a study')
    expect(document.text).toBe('# Another title\n')
    expect(document.sections[0]?.start).toBe(0)
    expect(document.csl).toEqual({
      id,
      type: 'document',
      title: 'Hens: a study',
      author: [{ literal: 'Ana Gómez' }, { literal: 'Jan Berg' }],
      issued: { 'date-parts': [[2023, 2, 14]] },
      URL: 'https://example.org/hens',
    })
  })

  it('takes neither a rule nor an open block for front matter', () => {
    expect(parseFrontMatter('---\nJust a sentence here.\n---\n')).toBeUndefined()
    expect(parseFrontMatter('---\ntitle: x\n\nno end')).toBeUndefined()
    expect(read('---\n\nText under a rule.').text).toContain('Text under a rule.')
  })

  it('takes lists, quotes and comments of front matter', () => {
    const entries = parseFrontMatter(
      "---\nauthor: [Ana, 'Jan, B.']\ntitle: Hens # a comment\nabstract: >\n  long\n---\n",
    )?.entries
    expect(entries?.get('author')).toEqual(['Ana', 'Jan, B.'])
    expect(entries?.get('title')).toEqual(['Hens'])
    expect(entries?.get('abstract')).toEqual([])
  })

  it('is named after its file when nothing names it, and has no date that is not sure', () => {
    expect(read('no heading').title).toBe('my-notes')
    expect(read('---\ndate: 03/04/2023\n---\nx').csl.issued).toBeUndefined()
  })
})

describe('plain text', () => {
  const title = (text: string) => readPlainText(text, id, '/notes/my-notes.txt').title

  it('is named after a first line that stands apart like a title', () => {
    expect(title('Of Hens\n\nHens sleep at night.')).toBe('Of Hens')
    expect(title('Of Hens\n=======\nHens sleep.')).toBe('Of Hens')
  })

  it('is named after its file otherwise', () => {
    expect(title('Hens sleep at night.\n\nAll of them.')).toBe('my-notes')
    expect(title('Hens sleep at night and\nfoxes do not.')).toBe('my-notes')
    expect(title('one line only')).toBe('my-notes')
  })
})
