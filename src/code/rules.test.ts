import { describe, expect, it } from 'vitest'
import {
  commandRules,
  createAlwaysRules,
  findDenyingRule,
  findRule,
  parseRule,
  requireRules,
} from './rules.ts'

describe('a rule', () => {
  it.each([
    ['edit', { tool: 'edit' }],
    ['edit:src/', { tool: 'edit', pattern: 'src/' }],
    ['bash:npm test *', { tool: 'bash', pattern: 'npm test *' }],
    ['files.*', { tool: 'files.*' }],
  ])('%s is read', (text, rule) => {
    expect(parseRule(text)).toEqual(rule)
  })

  it.each(['*', '', 'edit:', ': x', 'a b'])('%j is none', (text) => {
    expect(() => parseRule(text)).toThrow('is not a rule')
  })

  it.each([
    ['Edit', 'There is no tool "Edit"; did you mean edit?'],
    ['editt:src/', 'There is no tool "editt"; did you mean edit?'],
    ['shell', 'There is no tool "shell"; did you mean bash?'],
    ['frobnicate:x', 'There is no tool "frobnicate".'],
    ['frob*', 'There is no tool "frob*".'],
  ])('%s names no tool', (text, message) => {
    expect(() => requireRules({ allow: [text] })).toThrow(message)
    expect(() => requireRules({ deny: ['edit', text] })).toThrow(message)
  })

  it('names tools of sessions, of MCP servers, and variables', () => {
    const allow = ['edit:src/', 'bash:npm test *', 'job_*', 'research', 'fetch', 'env:TOKEN']
    requireRules({ allow, deny: ['read:.env', 'files.*', 'files.remove', '*.post'] })
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
    expect(findRule([rule], tool, paths)).toBe(fits ? rule : undefined)
  })

  it('forbids a call because of any of its files', () => {
    expect(findDenyingRule(['edit:secret/'], 'edit', ['a', 'secret/b'])).toBe('edit:secret/')
    expect(findDenyingRule(['bash'], 'bash', [])).toBe('bash')
    expect(findDenyingRule(['edit:x'], 'edit', ['a'])).toBeUndefined()
  })

  it('of commands is one for the tool for commands', () => {
    expect(commandRules(['bash:npm test *', 'edit', 'bash'], 'allow')).toEqual([
      { rule: 'npm test *', verdict: 'allow' },
      { rule: '*', verdict: 'allow' },
    ])
  })

  it('that "always" makes covers the folder of a file, for all that changes files', () => {
    expect(createAlwaysRules('edit', ['src/a.ts'])).toEqual(['edit:src/', 'write:src/'])
    expect(createAlwaysRules('write', ['a.ts'])).toEqual(['edit:a.ts', 'write:a.ts'])
    expect(createAlwaysRules('docs.post', [])).toEqual(['docs.post'])
  })
})
