import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseShell } from '../../src/code/tools/shell/parse-shell.ts'

const words = (line: string) =>
  parseShell(line)?.map((command) => command.words.map(({ text }) => text))

describe('parseShell', () => {
  it.each<[string, readonly (readonly string[])[]]>([
    ['git status', [['git', 'status']]],
    [`echo 'a b' "c d" e\\ f "" g""h`, [['echo', 'a b', 'c d', 'e f', '', 'gh']]],
    ['a && b || c ; d & e | f |& g', [['a'], ['b'], ['c'], ['d'], ['e'], ['f'], ['g']]],
    ['a\nb # c; d\n e', [['a'], ['b'], ['e']]],
    ['a b#c #d', [['a', 'b#c']]],
    ['(cd x && rm y); z', [['cd', 'x'], ['rm', 'y'], ['z']]],
    [
      'echo "$(git log | rm x)"',
      [
        ['echo', '$(git log | rm x)'],
        ['git', 'log'],
        ['rm', 'x'],
      ],
    ],
    ['echo $(a $(b))', [['echo', '$(a $(b))'], ['a', '$(b)'], ['b']]],
    ['a \\\n b', [['a', 'b']]],
    ['', []],
    ['# nothing', []],
  ])('finds the commands of %j', (line, expected) => {
    expect(words(line)).toEqual(expected)
  })

  it('tells redirects and assignments from words', () => {
    const [command] = parseShell('X=1 Y="a b" cmd a 2>&1 >out.txt <in >>more 3>|x &>all w') ?? []
    expect(command?.assignments).toEqual(['X=1', 'Y="a b"'])
    expect(command?.words.map(({ text }) => text)).toEqual(['cmd', 'a', 'w'])
    expect(command?.redirects.map(({ operator, target }) => operator + target.text)).toEqual([
      '>&1',
      '>out.txt',
      '<in',
      '>>more',
      '>|x',
      '&>all',
    ])
  })

  it.each([
    '$X',
    '"$X"',
    `\${X}`,
    '*.ts',
    'a?',
    '[ab]',
    '~',
    'a=~/x',
    '{a,b}',
    '$(a)',
    '"$@"',
    '$1',
  ])('knows that the shell puts something in place of %s', (word) =>
    expect(parseShell(`echo ${word}`)?.[0]?.words[1]?.isLiteral).toBe(false),
  )

  it.each([`'$X'`, '"*"', '\\*', '{}', 'a~', '$', '"$"', `'~'`, 'a]', '\\$X'])(
    'knows that %s stays what it is',
    (word) => expect(parseShell(`echo ${word}`)?.[0]?.words[1]?.isLiteral).toBe(true),
  )

  it.each([
    'if a; then b; fi',
    'for a in b; do c; done',
    '{ a; }',
    'f() { a; }',
    'a=(b c)',
    '[[ a ]]',
    '! a',
    'time a',
    'echo `a`',
    'echo $((1))',
    '((a))',
    `echo $'a'`,
    'echo $"a"',
    `echo \${a:-$(b)}`,
    'cat <<X\na\nX',
    'diff <(a) <(b)',
    'tee >(a)',
    `a 'b`,
    'a "b',
    'a \\',
    'a &&',
    '&& a',
    'a ;; b',
    '; a',
    '(a',
    'a)',
    '()',
    'echo $(a',
    'a >',
    'a\0b',
    `${'('.repeat(50)}a${')'.repeat(50)}`,
  ])('does not pretend to know %j', (line) => expect(parseShell(line)).toBeUndefined())
})

const bash = '/bin/bash'
const folder = existsSync(bash) ? mkdtempSync(join(tmpdir(), 'shell-')) : ''
const pieces = [
  ...'abx01 \t\n\'"\\$#;&|<>()*?[]{}~=!-,.:@%^+/`',
  ...[
    '  ',
    "''",
    '""',
    '\\\n',
    '$x',
    '&&',
    '||',
    'é',
    '\r',
    '\v',
    '\u00a0',
    '>&',
    '2>',
    '#a',
    '$(',
    '" "',
  ],
]
const fragments = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(''))
const inBash = (...args: string[]) =>
  spawnSync(bash, args, { cwd: folder, env: { PATH: '/nowhere' }, encoding: 'utf8' })

describe.skipIf(!existsSync(bash))('parseShell compared with Bash (needs /bin/bash)', () => {
  it('gives the words that Bash gives', () => {
    let compared = 0
    fc.assert(
      fc.property(fragments, (fragment) => {
        const line = `printf '%s\\0' ${fragment}`
        const [command, ...others] = parseShell(line) ?? []
        if (command === undefined || others.length > 0 || command.redirects.length > 0) return
        if (!command.words.every(({ isLiteral }) => isLiteral)) return
        compared++
        const expected = command.words.slice(2).map(({ text }) => text)
        const { stdout } = inBash('-c', '--', line)
        expect(stdout.split('\0').slice(0, -1)).toEqual(expected.length === 0 ? [''] : expected)
      }),
      { numRuns: 1500 },
    )
    expect(compared).toBeGreaterThan(150)
  })

  it('knows no line that Bash does not', () => {
    let known = 0
    fc.assert(
      fc.property(fragments, (fragment) => {
        if (parseShell(fragment) === undefined) return
        known++
        expect(inBash('-n', '-c', '--', fragment).status).toBe(0)
      }),
      { numRuns: 1500 },
    )
    expect(known).toBeGreaterThan(150)
  })
})
