import { describe, expect, it } from 'vitest'
import { parseCitations } from './parse-citations.ts'

/** The text with its marks written `{1}`, and what they stand for. */
function parsed(text: string, ...known: number[]): [string, ...(string | number | undefined)[]] {
  const { text: stored, entries } = parseCitations(text, (n) => known.includes(n))
  return [stored.replace(/\[!CITE_(\d+)!\]/g, '{$1}'), ...entries.map(({ url, n }) => url ?? n)]
}

const a = 'https://a.com/1'
const b = 'https://b.com/2'

describe('numbers and their definitions', () => {
  it.each([
    ['a number', `One [1].\n\n[1]: ${a}`, ['One {1}.', a]],
    ['an address in angle brackets', `One [1].\n\n[1]: <${a}>`, ['One {1}.', a]],
    ['a definition right below', `One [1]\n[1]: ${a}`, ['One {1}', a]],
    ['line ends of Windows', `One [1].\r\n\r\n[1]: ${a}\r\n`, ['One {1}.', a]],
    ['a definition above', `[1]: ${a}\n\nOne [1]`, ['One {1}', a]],
    [
      'an address with a note, without colon',
      `One [1].\n\n[1] ${a} # seen in May`,
      ['One {1}.', a],
    ],
    ['lists and runs', `x [1, 2] y [1][2]\n\n[1]: ${a}\n[2]: ${b}`, ['x {1}{2} y {1}{2}', a, b]],
    ['a range', `x [1–3]\n\n[1]: ${a}\n[2]: ${b}\n[3]: ${a}`, ['x {1}{2}', a, b]],
    ['sparse numbers', `x [7] y [3]\n\n[3]: ${a}\n[7]: ${b}`, ['x {1} y {2}', b, a]],
    ['one source twice', `x [1] y [2]\n\n[1]: ${a}\n[2]: ${a}#part`, ['x {1} y {1}', a]],
    ['what is only defined', `x [2]\n\n[1]: ${a}\n[2]: ${b}`, ['x {1}', b, a]],
    ['definitions that disagree', `x [1]\n\n[1]: ${a}\n[1]: ${b}`, ['x {1}', a, b]],
    ['no number that is undefined', `x [1] [2]\n\n[1]: ${a}`, ['x {1} [2]', a]],
    ['an undefined one of a list', `x [2, 1]\n\n[1]: ${a}`, ['x {1}[2]', a]],
    ['no index of an array', `arr[1] a[0][1] 变量[1]\n\n[1]: ${a}`, ['arr[1] a[0][1] 变量{1}', a]],
    ['a number after an exclamation', `Done![1]\n\n[1]: ${a}`, ['Done!{1}', a]],
    ['no escaped number', `\\[1] \\[1\\] \\\\[1]\n\n[1]: ${a}`, ['\\[1] \\[1\\] \\\\{1}', a]],
    ['no task', `- [ ] one\n- [x] two\n\n[x]: ${a}`, ['- [ ] one\n- [x] two', a]],
    ['no link elsewhere', `[1](/page)\n\n[1]: ${a}`, ['[1](/page)', a]],
    ['no definition that leads elsewhere', '[1]\n\n[1]: /page', ['[1]\n\n[1]: /page']],
  ])('takes %s', (_name, text, expected) => {
    expect(parsed(text)).toEqual(expected)
  })

  it('takes numbers that are known, and the text’s own definition of them first', () => {
    expect(parsed(`x [3] [4] [5]\n\n[4]: ${a}`, 3, 4)).toEqual(['x {1} {2} [5]', 3, a])
  })

  it('takes titles and notes', () => {
    const text = `[1] [2] [3]\n\n[1]: ${a} "A title"\n[2] ${b} # seen\n[3]: Smith, Title. https://c.com.`
    expect(parseCitations(text).entries).toEqual([
      { url: a, label: 'A title' },
      { url: b, note: 'seen' },
      { url: 'https://c.com', label: 'Smith, Title' },
    ])
  })
})

describe('names', () => {
  it.each([
    ['their words', `[Smith] says\n\n[smith]: ${a}`, ['[Smith]{1} says', a]],
    ['other words', `[he][smith] says\n\n[smith]: ${a}`, ['[he]{1} says', a]],
    ['an empty label', `[smith][] says\n\n[Smith]: ${a}`, ['[smith]{1} says', a]],
    ['footnotes', `so[^1]\n\n[^1]: ${a}`, ['so{1}', a]],
    ['footnotes after a stop', `so.[^n]\n\n[^n]: Smith, ${a}`, ['so.{1}', a]],
    ['an image’s address', `![plot][p]\n\n[p]: ${a}`, [`![plot](${a})`, a]],
  ])('are taken with %s', (_name, text, expected) => {
    expect(parsed(text)).toEqual(expected)
  })
})

describe('marks', () => {
  it.each([
    ['an address', `x [!CITE_4!]\n\n[!CITE_4!]: ${a}`, ['x {1}', a]],
    ['a known number', 'x [!CITE_3!] [!CITE_9!]', ['x {1} {9}', 3]],
    ['another mark', 'x [!CITE_1!]\n\n[!CITE_1!]: [!CITE_3!]', ['x {1}', 3]],
    [
      'each other',
      'x [!CITE_1!]\n\n[!CITE_1!]: [!CITE_2!]\n[!CITE_2!]: [!CITE_1!]',
      ['x {1}\n\n{1}: {2}\n{2}: {1}'],
    ],
    ['nothing', 'x [!CITE_1!]\n\n[!CITE_1!]: [!CITE_9!]', ['x {1}\n\n{1}: {9}']],
  ])('stand for %s', (_name, text, expected) => {
    expect(parsed(text, 3)).toEqual(expected)
  })

  it('that stand for nothing are never mistaken for a local number', () => {
    expect(parsed('[!CITE_1!] [!CITE_3!] <q idx="1"> <q idx="8">', 3)).toEqual([
      '\\[!CITE_1!\\] {1} <q idx=1> <q idx="8">',
      3,
    ])
  })
})

describe('tags', () => {
  it.each([
    ['idx in either quotes', '<c idx="3"/> <c idx=\'3\'>', ['<c idx="1"/> <c idx="1">', 3]],
    ['url and href', `<c url="${a}"> <A HREF='${b}'>x</A>`, ['<c idx="1"> <A idx="2">x</A>', a, b]],
    ['entities', '<a href="https://a.com?x=1&amp;y=2">', ['<a idx="1">', 'https://a.com?x=1&y=2']],
    ['src', `<img src="${a}">`, ['<img idx="1">', a]],
    ['no quotes', `<a href=${a} x=1>`, ['<a idx="1" x=1>', a]],
    [
      'a colon and slashes as entities',
      '<a href="https&colon;&sol;/a.com/x">',
      ['<a idx="1">', 'https://a.com/x'],
    ],
    ['no other attribute', `<img data-x="${a}">`, [`<img data-x="${a}">`]],
    ['no other scheme', '<a href="javascript:alert(1)">', ['<a href="javascript:alert(1)">']],
  ])('are read: %s', (_name, text, expected) => {
    expect(parsed(text, 3)).toEqual(expected)
  })
})

describe('links and addresses', () => {
  it.each([
    ['a link', `[the page](${a})`, ['[the page]{1}', a]],
    ['a link with a title', `[the page](<${a}> "Title")`, ['[the page]{1}', a]],
    ['a link called by its site', '[a.com](https://www.a.com/x)', ['{1}', 'https://www.a.com/x']],
    ['a link called by its address', `[${a}](${a})`, ['{1}', a]],
    ['brackets in words', `[a [b] c](${a})`, ['[a [b] c]{1}', a]],
    ['an image in words', `[![i](${b})](${a})`, [`[![i](${b})]{1}`, a]],
    ['no image', `![i](${b})`, [`![i](${b})`]],
    ['no other scheme', '[x](javascript:alert(1)) <data:x>', ['[x](javascript:alert(1)) <data:x>']],
    ['an autolink', `<${a}>`, ['{1}', a]],
    ['a stop behind', `See ${a}. Or ${b}!`, ['See {1}. Or {2}!', a, b]],
    ['balanced parentheses', '(https://a.com/F_(x))', ['({1})', 'https://a.com/F_(x)']],
    ['two with a semicolon', `${a};${b}`, ['{1};{2}', a, b]],
    ['two with a comma', `${a},${b}`, ['{1},{2}', a, b]],
    ['schemes in any case', 'HTTP://a.com/X', ['{1}', 'http://a.com/X']],
    ['emphasis around', `**${a}**`, ['**{1}**', a]],
    ['quotes around', `'${a}', "${b}"`, [`'{1}', "{2}"`, a, b]],
    [
      'an address within one',
      'https://a.com/https://b.com',
      ['{1}', 'https://a.com/https://b.com'],
    ],
    ['no other scheme before', `git+${a}`, [`git+${a}`]],
    ['a number right behind', `${a}[1]\n\n[1]: ${b}`, ['{1}{2}', a, b]],
    ['a list in a query', 'https://a.com/?x[]=1', ['{1}', 'https://a.com/?x[]=1']],
    ['words with a number', `[as [1] says](${b})\n\n[1]: ${a}`, ['[as {1} says]{2}', a, b]],
    ['no label before', `[x]${a}`, ['[x] {1}', a]],
    ['stops of Chinese', '见https://a.com/x。好', ['见{1}。好', 'https://a.com/x']],
  ])('are read: %s', (_name, text, expected) => {
    expect(parsed(text)).toEqual(expected)
  })
})

describe('code', () => {
  it.each([
    ['a span', `\`[1] ${a}\``],
    ['a span of two', `\`\`[1] \` ${a}\`\``],
    ['a fence', `\`\`\`\n[1] ${a}\n[1]: ${b}\n\`\`\`\n`],
    ['a fence of tildes in a quote', `> ~~~\n> ${a}\n> ~~~\n`],
    ['a fence in a list', `- x\n\n  \`\`\`sh\n  curl ${a}\n  \`\`\`\n`],
    ['an open fence', `~~~~\n${a}\n~~~\n[1]: ${a}\n`],
    ['an indented block', `Text\n\n    curl ${a}\n\tcurl ${b}\n`],
  ])('stays as it is: %s', (_name, text) => {
    expect(parsed(text, 1)).toEqual([text])
  })

  it('does not reach over paragraphs, and an indented line may be none', () => {
    expect(parsed(`a \` b\n\n${a} \` c\n    ${b}`)).toEqual(['a ` b\n\n{1} ` c\n    {2}', a, b])
    expect(parsed(`- x\n\n    ${a}`)).toEqual(['- x\n\n    {1}', a])
  })
})

describe('a list of references', () => {
  it('is taken out with its title, in the forms of one', () => {
    const text = `Said [1], [2], [3].\n\n## Sources\n\n[1] Smith, A title. ${a}\n- [2] [Two](${b}) seen in May\n3. [3]: https://c.com\n`
    expect(parsed(text)).toEqual(['Said {1}, {2}, {3}.', a, b, 'https://c.com'])
    expect(parseCitations(text).entries.slice(0, 2)).toEqual([
      { url: a, label: 'Smith, A title' },
      { url: b, label: 'Two', note: 'seen in May' },
    ])
  })

  it('keeps what is no reference, and sentences elsewhere', () => {
    expect(parsed(`# Sources\n\nMany.\n\n[1] ${a}`)).toEqual(['# Sources\n\nMany.', a])
    expect(parsed(`[1] says, see ${a} for more.`)).toEqual(['[1] says, see {1} for more.', a])
  })

  it('takes no address out of a tag, code or link', () => {
    const lines = [`[1] <a href="${a}">x</a>`, `[2] \`${a}\``, `[3] see [it](${a})`]
    for (const line of lines) {
      expect(parsed(`# Sources\n\n${line}`)[0].replace(/\{1\}|idx="1"/, a)).toContain(a)
    }
  })

  it('leaves a paragraph’s break where it stood', () => {
    expect(parsed(`One [1]\n[1]: ${a}\nTwo`)).toEqual(['One {1}\n\nTwo', a])
    expect(parsed(`- x\n\n[1]: ${a}\n\n    y [1]`)).toEqual(['- x\n\n    y {1}', a])
    expect(parsed(`One\n\n[1]: ${a}\n\nTwo [1]`)).toEqual(['One\n\nTwo {1}', a])
  })
})

describe('the format', () => {
  it.each([
    [`[1] [2] <c url="${a}">\n\n[1]: ${a}`, 'markdown'],
    [`[!CITE_3!] [!CITE_3!] [link](${a})`, 'llm'],
    [`[!CITE_3!] [link](${a})`, 'markdown'],
    ['<c idx="3"> <c idx="3"> [!CITE_3!]', 'xml-idx'],
    [`<c idx="3"> <c url="${a}">`, 'xml-idx'],
    [`<c url="${a}">`, 'xml-url'],
    [`Only ${a} and [2]`, 'plain'],
  ])('of %j is %s', (text, format) => {
    expect(parseCitations(text, (n) => n === 3).format).toBe(format)
  })
})
