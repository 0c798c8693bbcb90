import { describe, expect, it } from 'vitest'
import { type Message, messageText, type Part, type Role } from '../../kernel/agent/message.ts'
import type { Json } from '../../kernel/json.ts'
import { CitationIndex } from '../numbers/citation-index.ts'
import { messageForModel, renumberCitations, storeMessage } from './stored-message.ts'

const [a, b, c] = ['https://a.org/x', 'https://b.org/', 'https://c.org/']

function indexOf(...urls: string[]): CitationIndex {
  const index = new CitationIndex()
  for (const url of urls) index.add({ url })
  return index
}

function said(text: string, role: Role = 'assistant'): Message {
  return { id: 'm', role, parts: [{ type: 'text', text }], createdAt: 0 }
}

function brought(...outputs: Json[]): Message {
  const parts = outputs.map(
    (output, index): Part => ({
      type: 'tool-result',
      toolCallId: `${index}`,
      toolName: index === 0 ? 'search' : 'read_file',
      output,
    }),
  )
  return { id: 't', role: 'tool', parts, createdAt: 0 }
}

/** The text and citations under which a text is kept. */
function kept(text: string, index = new CitationIndex(), role: Role = 'assistant') {
  const message = storeMessage(said(text, role), index)
  return { text: messageText(message), citations: message.citations, urls: urlsOf(index) }
}

function urlsOf(index: CitationIndex) {
  return index.entries.map(({ url }) => url)
}

const outputsOf = ({ parts }: Message) =>
  parts.map((part) => (part.type === 'tool-result' ? part.output : null))

describe('a message that is kept', () => {
  it.each([
    ['reference blocks', `Said [1].\n\n[1]: ${a}`, 'Said [!CITE_1!].'],
    ['inline addresses', `Said at ${a}.`, 'Said at [!CITE_1!].'],
    ['links', `[Said](${a}).`, '[Said][!CITE_1!].'],
    ['attributes of tags', `<cite url="${a}">Said</cite>`, '<cite idx="1">Said</cite>'],
    ['href', `<a href='${a}'>Said</a>`, '<a idx="1">Said</a>'],
  ])('has the citations of %s', (_form, text, stored) => {
    expect(kept(text)).toEqual({ text: stored, citations: [1], urls: [a] })
  })

  it('has those of mixed forms, each source once', () => {
    const text = `One ${b}, two [1], <x url="${a}"/> and again ${b}\n\n[1]: <${a}> "The A"`
    const index = new CitationIndex()
    expect(kept(text, index)).toEqual({
      text: 'One [!CITE_1!], two [!CITE_2!], <x idx="2"/> and again [!CITE_1!]',
      citations: [1, 2],
      urls: [b, a],
    })
    expect(index.entry(2)?.title).toBe('The A')
  })

  it('has local numbers from 1 without gaps, whatever the text and the index have', () => {
    const text = `x [7] y [3] z [7]\n\n[3]: ${c}\n[7]: ${a}`
    expect(kept(text, indexOf(a, b))).toEqual({
      text: 'x [!CITE_1!] y [!CITE_2!] z [!CITE_1!]',
      citations: [1, 3],
      urls: [a, b, c],
    })
  })

  it('has one local number for a source that it names by number and by address', () => {
    const { text, citations } = kept(`[2], ${b} and [!CITE_2!]`, indexOf(a, b))
    expect([text, citations]).toEqual(['[!CITE_1!], [!CITE_1!] and [!CITE_1!]', [2]])
  })

  it('leaves numbers that stand for nothing, code, and what has no citation', () => {
    const text = 'See [2], `https://x.org [1]` and arr[1].'
    expect(kept(text, indexOf(a))).toEqual({ text, citations: [], urls: [a] })
    expect(kept('', indexOf(a)).citations).toEqual([])
  })

  it('knows the numbers that a user or a model means, and none in a prompt', () => {
    for (const role of ['user', 'assistant'] as const)
      expect(kept('What does [1] say?', indexOf(a), role).citations).toEqual([1])
    expect(kept('Cite like [1].', indexOf(a), 'system').text).toBe('Cite like [1].')
  })

  it('is not kept again', () => {
    const index = new CitationIndex()
    const message = storeMessage(said(`Said at ${a}.`), index)
    expect(storeMessage(message, index)).toBe(message)
  })

  it('keeps its reasoning and its calls as the model gave them', () => {
    const parts: Part[] = [
      { type: 'reasoning', text: `Is it ${a}?` },
      { type: 'tool-call', toolCallId: '1', toolName: 'open', input: { url: a } },
    ]
    expect(storeMessage({ ...said(''), parts }, new CitationIndex()).parts).toEqual(parts)
  })

  it('keeps JSON that a model wrote, in which [1] is a list', () => {
    const json = `{"ids": [1], "see": "${c} [1]"}`
    expect(kept(json, indexOf(a))).toMatchObject({ text: json, citations: [] })
    const fenced = `As ${b} says:\n\n\`\`\`json\n${json}\n\`\`\`\n\nThat is [1].`
    expect(kept(fenced, indexOf(a))).toMatchObject({
      text: fenced.replace(b, '[!CITE_1!]').replace('is [1]', 'is [!CITE_2!]'),
      citations: [2, 1],
    })
  })
})

describe('the result of a tool that is kept', () => {
  it('has numbers for the addresses in its strings, one row for the whole message', () => {
    const index = indexOf(c)
    const output = {
      hits: [
        { url: a, rank: 1 },
        { url: b, text: `from ${a}` },
      ],
      note: null,
    }
    const message = storeMessage(brought(output, `see ${c}`), index)
    expect(outputsOf(message)).toEqual([
      {
        hits: [
          { url: '[!CITE_1!]', rank: 1 },
          { url: '[!CITE_2!]', text: 'from [!CITE_1!]' },
        ],
        note: null,
      },
      'see [!CITE_3!]',
    ])
    expect(message.citations).toEqual([2, 3, 1])
  })

  it('has numbers also for names of members, none of which is lost', () => {
    const message = storeMessage(brought({ [a]: 1, [`${a}#part`]: 2 }), new CitationIndex())
    expect(outputsOf(message)).toEqual([{ '[!CITE_1!]': 1, '[!CITE_1!] (2)': 2 }])
  })

  it('cannot speak of numbers of the index', () => {
    const index = indexOf(a, b)
    const text = 'As [1] and [!CITE_2!] say, <i idx="2">yes</i>.'
    const message = storeMessage(brought({ url: c, other: b, text }, text), index)
    expect(message.citations).toEqual([3, 2])
    const shown = outputsOf(messageForModel(message, index))
    expect(shown[0]).toEqual({
      url: '[!CITE_3!]',
      other: '[!CITE_2!]',
      text: 'As [1] and \\[!CITE_2!] say, <i idx=2>yes</i>.',
    })
    expect(shown[1]).toBe('As [1] and \\[!CITE_2!] say, <i idx=2>yes</i>.')
  })

  it('stays as it is for tools that are left alone', () => {
    const index = new CitationIndex()
    const left = new Set(['read_file'])
    const code = `get(${a}) // [!CITE_1!] ![i](${b})`
    const message = storeMessage(brought(c, code), index, left)
    expect(outputsOf(message)).toEqual(['[!CITE_1!]', code])
    expect(outputsOf(messageForModel(message, index, left))).toEqual(['[!CITE_1!]', code])
  })
})

describe('a message that a model sees', () => {
  it('has the numbers of the index, all exchanged at once, and no local ones', () => {
    const index = indexOf(a, b)
    const message = storeMessage(said(`${b} before ${a}`), index)
    expect(messageText(message)).toBe('[!CITE_1!] before [!CITE_2!]')
    const shown = messageForModel(message, index)
    expect(messageText(shown)).toBe('[!CITE_2!] before [!CITE_1!]')
    expect(shown.citations).toBeUndefined()
  })

  it('has numbers in the attributes of tags too', () => {
    const index = indexOf(a)
    const message = storeMessage(said(`<cite url="${b}">x</cite>`), index)
    expect(messageText(messageForModel(message, index))).toBe('<cite idx="2">x</cite>')
  })

  it('has no address outside of code, also in JSON and where nobody kept it', () => {
    const index = indexOf(a)
    const json = `{"ids": [1], "see": "${b} \\"q\\"", "re": "[1]"}`
    expect(messageText(messageForModel(said(json), index))).toBe(
      '{"ids": [1], "see": "[!CITE_2!] \\"q\\"", "re": "[1]"}',
    )
    const asked = messageForModel(said(`Read ${c}, and \`${c}\`.`, 'user'), index)
    expect(messageText(asked)).toBe(`Read [!CITE_3!], and \`${c}\`.`)
  })

  it.each([
    ['{"url":"https:\\/\\/evil.example\\/a", "n": 1.0}', '{"url":"[!CITE_1!]", "n": 1.0}'],
    ['["https:\\/\\/evil.example\\/a"]', '["[!CITE_1!]"]'],
    ['{"url":"https\\u003a\\u002f/evil.example/a"}', '{"url":"[!CITE_1!]"}'],
    [
      '{"in":"{\\"url\\":\\"https:\\\\/\\\\/evil.example\\\\/a\\"}"}',
      '{"in":"{\\"url\\":\\"[!CITE_1!]\\"}"}',
    ],
    ['{"url":"https:\\/\\/evil.example\\/a', '{"url":"[!CITE_1!]'],
    ['<img src="https://evil.example/a">', '<img idx="1">'],
    ['<a href=https://evil.example/a>x</a>', '<a idx="1">x</a>'],
    ["<i data-u='https://evil.example/a'>", "<i data-u='[!CITE_1!]'>"],
    ['https:///evil.example/a', '[!CITE_1!]'],
    ['https:/evil.example/a.', '[!CITE_1!].'],
    ['https&colon;//evil.example/a', '[!CITE_1!]'],
    ['http&#58;&#x2F;/evil.example/b', '[!CITE_1!]'],
    ['[x](https:\\/\\/evil.example/a)', '[x][!CITE_1!]'],
    ['git+https://evil.example/a and xhttps://evil.example/a', 'git+[!CITE_1!] and x[!CITE_1!]'],
    ['see https%3A%2F%2Fevil.example%2Fa', 'see (address)'],
    ['at https://[evil.example/a and https://%evil.example/a', 'at (address) and (address)'],
    [
      '`a`` b https:\\/\\/evil.example/a ` c `https:\\/\\/x.org`',
      '`a`` b https:\\/\\/evil.example/a ` c `https:\\/\\/x.org`',
    ],
    ['\\`a https:\\/\\/evil.example/a `', '\\`a [!CITE_1!] `'],
    ['https://evil.example/a{"b": 1}', '[!CITE_1!]{"b": 1}'],
    ['[x](https://evil.example/a{"b": 1})', '[x]([!CITE_1!]{"b": 1})'],
    ['It begins with https:// or http://', 'It begins with https:// or http://'],
  ])('has no address however it is written: %s', (written, shown) => {
    const index = new CitationIndex()
    const message = storeMessage(brought(written), index)
    expect(outputsOf(messageForModel(message, index))).toEqual([shown])
    expect(messageText(messageForModel(said(written), new CitationIndex()))).toBe(shown)
  })

  it('has other numbers when those of a branch were merged', () => {
    const branch = indexOf(c, b)
    const index = indexOf(a, b)
    const message = storeMessage(said(`${c} and ${b}`), branch)
    const moved = renumberCitations(message, index.merge(branch))
    expect(moved.citations).toEqual([3, 2])
    expect(messageText(messageForModel(moved, index))).toBe('[!CITE_3!] and [!CITE_2!]')
    expect(renumberCitations(said('x'), new Map())).toEqual(said('x'))
  })
})
