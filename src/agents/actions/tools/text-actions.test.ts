import { describe, expect, it } from 'vitest'
import { doAction } from '../../../../test/agents/actions/do-action.ts'
import { textActions } from './text-actions.ts'

const cite = (text: string, references: readonly string[]) =>
  doAction(textActions(), 'text.insert_citations', { text, references })
const parse = (content: string, extract?: readonly string[]) =>
  doAction(textActions(), 'markdown.parse', {
    content,
    ...(extract === undefined ? {} : { extract }),
  })

const attention =
  'Vaswani, A. et al. Attention Is All You Need: the transformer architecture. 2017.'
const zebra = 'Stripe, Z. Why zebras have stripes. 1999.'

describe('text.insert_citations', () => {
  it('marks the sentence that fits, before its full stop, and lists by first mark', async () => {
    const text =
      '# Stripes of zebras\n\nIt is known why zebras have their stripes. Machines learn. The transformer architecture with attention changed much.\n'
    expect(await cite(text, [attention, zebra])).toEqual({
      cited_text:
        '# Stripes of zebras\n\nIt is known why zebras have their stripes [1]. Machines learn. The transformer architecture with attention changed much [2].\n',
      references_section: `## References\n\n1. ${zebra}\n2. ${attention}`,
      citation_map: { '1': zebra, '2': attention },
      text: expect.stringMatching(/much \[2\]\.\n\n## References\n\n1\. /),
      uncited: [],
      success: true,
    })
  })

  it('says which references fit nowhere', async () => {
    const result = await cite('Nothing of the kind.', [zebra])
    expect(result).toMatchObject({
      uncited: [zebra],
      text: 'Nothing of the kind.',
      citation_map: {},
    })
  })

  it('leaves abstract, conclusions and code alone', async () => {
    const sentence = 'Zebras have stripes.'
    for (const text of [
      `## Abstract\n\n${sentence}`,
      `## 5. Conclusion\n\n### Sub\n\n${sentence}`,
      `\`\`\`\n${sentence}\n\`\`\`\n`,
    ])
      expect(await cite(text, [zebra])).toMatchObject({ uncited: [zebra], cited_text: text })
    const after = `## Abstract\n\n${sentence}\n\n## Body\n\n${sentence}`
    expect(await cite(after, [zebra])).toMatchObject({
      cited_text: `## Abstract\n\n${sentence}\n\n## Body\n\nZebras have stripes [1].`,
    })
  })

  it('continues after the numbers that the text has, and puts two at one sentence', async () => {
    const text = 'Something was shown [3]. Zebras have stripes!'
    const result = await cite(text, [zebra, 'Zebras and their stripes.'])
    expect(result).toMatchObject({
      cited_text: 'Something was shown [3]. Zebras have stripes [4][5]!',
    })
  })
})

describe('markdown.parse', () => {
  const content = [
    '---',
    'title: T',
    'tags: [a, b]',
    '---',
    '# My Document',
    '',
    'Hello {{ name }}, see {{ user.mail | lower }}.',
    '',
    '## Tasks',
    '- [ ] One (AC: 1, 2)',
    '  - [x] Inner',
    '* plain',
    '',
    '```python',
    '# no heading',
    '- [ ] no task',
    '```',
  ].join('\n')

  it('gives all parts', async () => {
    const read = (await parse(content)) as Record<string, readonly Record<string, unknown>[]>
    expect(read).toMatchObject({
      title: 'My Document',
      frontmatter: { title: 'T', tags: ['a', 'b'] },
      variables: ['name', 'user.mail'],
      tasks: [
        { text: 'One (AC: 1, 2)', checked: false, indent: 0, ac_refs: [1, 2], line_number: 10 },
        { text: 'Inner', checked: true, indent: 1, ac_refs: [], line_number: 11 },
      ],
      success: true,
    })
    expect(
      read.sections?.map(({ section_type: type, level, language }) => [type, level, language]),
    ).toEqual([
      ['heading', 1, null],
      ['paragraph', null, null],
      ['heading', 2, null],
      ['list', null, null],
      ['code', null, 'python'],
    ])
  })

  it('gives the parts that are asked for', async () => {
    expect(await parse(content, ['title'])).toEqual({ title: 'My Document', success: true })
  })

  it('says where front matter is no YAML', async () => {
    expect(await parse('---\na: [1\n---\n')).toMatchObject({ success: false, error_type: 'parse' })
    expect(await parse('---\nno end')).toMatchObject({ frontmatter: null, success: true })
  })
})
