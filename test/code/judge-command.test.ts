import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CommandRule } from '../../src/code/tools/code-tool.ts'
import { createCommandJudge, type ReadingGuard } from '../../src/code/tools/shell/judge-command.ts'

/** Without files: by the names alone. */
const inside: ReadingGuard = {
  begin: (folder) => [folder],
  enter: (folders, to) =>
    /^\/|\.\./.test(to) ? undefined : folders.map((folder) => join(folder, to)),
  objection: ({ names }) =>
    names.some((name) => /^\/|^~|\.\.|\.env/.test(name)) ? 'It reads elsewhere.' : undefined,
}
const judge = (line: string, rules: readonly CommandRule[] = []) =>
  createCommandJudge(rules, inside)(line)
const allow = (rule: string): CommandRule => ({ rule, verdict: 'allow' })
const deny = (rule: string): CommandRule => ({ rule, verdict: 'deny' })

describe('the judge of command lines', () => {
  it.each([
    'git status',
    'git status --short src',
    'ls -la && cat a.txt | head -5',
    'git log --oneline 2>&1 | wc -l',
    'cat a.txt > /dev/null',
    `find . -name '*.ts' -type f`,
    'cd src && ls; (pwd)',
    'grep -n foo a.ts',
  ])('lets %j through, which only reads', (line) => {
    expect(judge(line)).toMatchObject({ verdict: 'allow', effect: 'read' })
  })

  it.each([
    'npm test',
    'rm -rf /',
    'git status > out',
    'git status; rm x',
    'echo $(rm x)',
    'echo "$(rm x)"',
    'PATH=. git status',
    'find . -delete',
    'find . -exec rm {} +',
    `find . $'-delete'`,
    'find . $X',
    'sort a -o b',
    'sort --output=b a',
    'sort -sob a',
    'sort -sT/tmp a',
    'git diff --output=x',
    'git -C /tmp status',
    'for a in b; do rm a; done',
    'cat <<X\nX',
    './git status',
    '$X status',
    'git branch new',
    'grep -rn key .',
    'echo a | xargs rm',
    'eval ls',
    'tail -f a',
  ])('asks about %j, which may change something', (line) => {
    expect(judge(line)).toMatchObject({ verdict: 'ask', effect: 'write' })
  })

  it.each(['cat /etc/passwd', 'cat ../x', 'cat .env', 'cat < /etc/passwd', 'cd / && ls', 'cd'])(
    'asks about %j, which reads elsewhere',
    (line) => expect(judge(line)).toMatchObject({ verdict: 'ask', effect: 'read' }),
  )

  it.each(['cat $X', 'cat *', 'cat ~/x', 'cat {a,b}'])('asks about %j, which may', (line) =>
    expect(judge(line).verdict).toBe('ask'),
  )

  it('hears rules of the operator, the last that fits', () => {
    const rules = [allow('npm *'), { rule: 'npm publish *', verdict: 'ask' } as const]
    expect(judge('npm test', rules)).toMatchObject({ verdict: 'allow', effect: 'write' })
    expect(judge('npm publish', rules).verdict).toBe('ask')
    expect(judge('npm run build && npm publish --tag x', rules).verdict).toBe('ask')
    expect(judge('npmx', rules).verdict).toBe('ask')
    expect(judge('cat /etc/hosts', [allow('cat /etc/hosts')]).verdict).toBe('allow')
  })

  it('denies whatever allows, by any path and in any part of the line', () => {
    const rules = [deny('git push *'), allow('git *'), deny('rm *')]
    for (const line of [
      'git push',
      "g'it' push origin",
      'ls && git push',
      '/bin/rm x',
      'echo $(rm x)',
    ])
      expect(judge(line, rules)).toMatchObject({ verdict: 'deny', always: [] })
    expect(judge('git pull', rules).verdict).toBe('allow')
    expect(judge('git $X', rules).verdict).toBe('ask')
    expect(judge('git commit -m "git push"', rules).verdict).toBe('allow')
  })

  it.each([
    'env X=1 rm a',
    'command rm a',
    'echo a | xargs -n 1 rm',
    'find . -name a -exec rm {} +',
    `sh -c 'cd x && rm a'`,
    'sudo -u x bash -lc "ls; rm a"',
    'eval "rm a"',
    'git -C sub --no-pager push',
    'timeout 5 env git -c a=b push',
  ])('denies %j, which calls what is denied', (line) => {
    expect(judge(line, [allow('*'), deny('rm *'), deny('git push *')]).verdict).toBe('deny')
  })

  it.each(['echo "rm a" | sh', 'xargs git', `sh -c 'for a in b; do rm c; done'`, 'ls; $X a'])(
    'leaves %j, which may call what is denied, to a person alone',
    (line) => {
      const rules = [allow('*'), deny('git push *')]
      expect(judge(line, rules)).toMatchObject({ verdict: 'ask', always: [], mayBeDenied: true })
      expect(judge(line, [allow('*')]).verdict).toBe('allow')
    },
  )

  it('does not take what commands are given for what they call', () => {
    const rules = [allow('*'), deny('rm *')]
    for (const line of ['find . -name rm', 'echo rm a', 'env X=1 ls', 'git log rm'])
      expect(judge(line, rules).verdict).toBe('allow')
  })

  it('counts names of files from every folder that the line may have gone to', () => {
    const asked: string[][] = []
    const objection: ReadingGuard['objection'] = ({ folders }) => {
      asked.push([...folders])
      return undefined
    }
    createCommandJudge([], { ...inside, objection })('cd a && cd b; cat c')
    expect(asked.at(-1)).toEqual(['.', 'a', 'b', 'a/b'])
  })

  it('takes * for all lines, which no other rule can be about', () => {
    for (const line of ['rm x > y', 'X=1 a', 'for a in b; do c; done', 'cat /etc/passwd']) {
      expect(judge(line, [allow('*')]).verdict).toBe('allow')
      expect(judge(line, [deny('*'), allow('*')]).verdict).toBe('deny')
    }
    expect(judge('for a in b; do rm c; done', [allow('*'), deny('rm *')]).verdict).toBe('ask')
    expect(judge('ls; rm c', [allow('*'), deny('rm *')]).verdict).toBe('deny')
    expect(judge('ls', [allow('*')]).effect).toBe('read')
    expect(judge('make', [allow('*')]).effect).toBe('write')
  })

  it('offers rules with which the very same line is let through', () => {
    const line = `npm test -- 'a b' "it's" && make '*'`
    const { always } = judge(line)
    expect(always).toHaveLength(2)
    expect(judge(line, always).verdict).toBe('allow')
    expect(judge('make b', always).verdict).toBe('ask')
    expect(judge('make $X').always).toEqual([])
    expect(judge('make > x').always).toEqual([])
  })

  it.each(['', '* *', 'a; b', 'a > b', 'X=1 a', 'a `b`'])('takes %j for no rule', (rule) => {
    expect(() => judge('ls', [allow(rule)])).toThrow(/is not a rule for commands/)
  })
})

const pieces = [
  ...[
    'ls',
    'cat a',
    'find . ',
    'sort a',
    'git diff',
    'grep b a',
    'head -1 a',
    'echo',
    'touch p',
    'rm a',
    'tee p',
  ],
  ...[
    '-delete',
    '-exec touch p {} +',
    '-fprint p',
    '-o p',
    '-op',
    '--output=p',
    '--outp p',
    '>p',
    '>>p',
    '>|p',
    '&>p',
    '<>p',
  ],
  ...[
    '2>&1',
    '<a',
    '&&',
    ';',
    '|',
    '&',
    '||',
    '\n',
    '\\\n',
    ' ',
    ' ',
    ' ',
    '"',
    "'",
    '\\',
    '(',
    ')',
    '{',
    '}',
    '#',
    '!',
  ],
  ...[
    '$(',
    '`',
    'X=1 ',
    '$X',
    '*',
    '[',
    ']',
    'a',
    '-',
    '=',
    '<(',
    '>(',
    '<<',
    '$((',
    '))',
    '[[',
    ']]',
    'if ',
    '\t',
    '\r',
  ],
]

describe.skipIf(!existsSync('/bin/bash'))('what is let through (needs /bin/bash)', () => {
  it('changes no file, whatever is put together', () => {
    const folder = mkdtempSync(join(tmpdir(), 'judge-'))
    const state = () =>
      readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])
    const clean = () => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true })
      writeFileSync(join(folder, 'a'), 'b\na\n')
    }
    let allowed = 0
    clean()
    const before = state()
    const line = fc
      .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 9 })
      .map((all) => all.join(''))
    fc.assert(
      fc.property(
        fc.constantFrom('ls ', 'sort ', 'find . ', 'cat a ', 'git diff ', ''),
        line,
        (start, rest) => {
          if (judge(start + rest).verdict !== 'allow') return
          allowed++
          const env = { PATH: '/usr/bin:/bin', HOME: folder, GIT_CEILING_DIRECTORIES: tmpdir() }
          spawnSync('/bin/bash', ['-c', '--', start + rest], { cwd: folder, env, timeout: 5_000 })
          const after = state()
          if (JSON.stringify(after) !== JSON.stringify(before)) clean()
          expect(after).toEqual(before)
        },
      ),
      { numRuns: 3_000 },
    )
    expect(allowed).toBeGreaterThan(100)
  }, 60_000)
})
