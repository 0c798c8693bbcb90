import { describe, expect, it } from 'vitest'
import { alwaysRules, commandRules, denyingRule, readRule, ruleFor } from './rules.ts'

describe('a rule', () => {
  it.each([
    ['edit', { tool: 'edit' }],
    ['edit:src/', { tool: 'edit', pattern: 'src/' }],
    ['bash:npm test *', { tool: 'bash', pattern: 'npm test *' }],
    ['files.*', { tool: 'files.*' }],
  ])('%s is read', (text, rule) => {
    expect(readRule(text)).toEqual(rule)
  })

  it.each(['*', '', 'edit:', ': x', 'a b'])('%j is none', (text) => {
    expect(() => readRule(text)).toThrow('is no rule')
  })

  it.each([
    ['edit', 'edit', ['a/b.ts'], true],
    ['edit:a/', 'edit', ['a/b.ts'], true],
    ['edit:a', 'edit', ['a/b.ts'], true],
    ['edit:a', 'edit', ['ab/c.ts'], false],
    ['edit:*.md', 'edit', ['docs/x.md'], true],
    ['edit:a/', 'edit', ['a/b.ts', 'c.ts'], false],
    ['edit:a/', 'write', ['a/b.ts'], false],
    ['edit:a/', 'edit', [], false],
    ['files.*', 'files.remove', [], true],
  ])('%s for %s of %j: %s', (rule, tool, paths, fits) => {
    expect(ruleFor([rule], tool, paths)).toBe(fits ? rule : undefined)
  })

  it('forbids a call because of any of its files', () => {
    expect(denyingRule(['edit:secret/'], 'edit', ['a', 'secret/b'])).toBe('edit:secret/')
    expect(denyingRule(['bash'], 'bash', [])).toBe('bash')
    expect(denyingRule(['edit:x'], 'edit', ['a'])).toBeUndefined()
  })

  it('of commands is one for the tool for commands', () => {
    expect(commandRules(['bash:npm test *', 'edit', 'bash'], 'allow')).toEqual([
      { rule: 'npm test *', verdict: 'allow' },
      { rule: '*', verdict: 'allow' },
    ])
  })

  it('that "always" makes covers the folder of a file, for all that changes files', () => {
    expect(alwaysRules('edit', ['src/a.ts'])).toEqual(['edit:src/', 'write:src/'])
    expect(alwaysRules('write', ['a.ts'])).toEqual(['edit:a.ts', 'write:a.ts'])
    expect(alwaysRules('docs.post', [])).toEqual(['docs.post'])
  })
})
