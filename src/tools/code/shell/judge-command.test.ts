import { describe, expect, it } from 'vitest'
import type { CommandRule } from '../code-tool.ts'
import { createCommandJudge } from './judge-command.ts'

const inside = (text: string) => !/^\/|^~|\.\.|\.env/.test(text)
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
    expect(() => judge('ls', [allow(rule)])).toThrow(/is no rule for commands/)
  })
})
