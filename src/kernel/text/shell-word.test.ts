import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { posixWord, wordToPaste } from './shell-word.ts'

const echoed = (shell: string, word: string) =>
  spawnSync(shell, ['-c', `printf %s ${word}`], { encoding: 'utf8' }).stdout

describe('a text as one word', () => {
  it.each([
    'plain',
    'a b',
    "it's",
    '"',
    '\'"',
    '$(id)',
    'a\\b',
    'a\nb',
    '`id`',
    '*',
    '',
    '~',
    '!x',
  ])('of a POSIX shell is %j again', (text) =>
    expect(echoed('/bin/sh', posixWord(text))).toBe(text),
  )

  it.each([
    "bash:touch 'a b'",
    'bash:grep "x" a',
    'a;id',
    'a|b&c',
    '*',
    '~',
    '#x',
    '=ls',
    '(a)',
    '%1',
  ])('to paste is %j again', (text) =>
    expect(echoed('/bin/bash', wordToPaste(text, 'linux') ?? '')).toBe(text),
  )

  it.each([
    ...['$(id)', '$HOME', '`id`', 'a\\', '!!', `'"`, 'a\nb', 'a\rb', 'a\u001b]0;x', 'a\u0000'],
    ...['a\u202eb', 'a\u200bb', 'a\u2028b', 'a\u0085b', '\u201d; id; \u201c'],
  ])('to paste is none of %j', (text) => {
    expect(wordToPaste(text, 'linux')).toBeUndefined()
    expect(wordToPaste(text, 'win32')).toBeUndefined()
  })

  it('for Windows is what cmd and PowerShell take alike', () => {
    expect(wordToPaste("bash:touch 'a b'", 'win32')).toBe(`"bash:touch 'a b'"`)
    for (const text of ['%PATH%', 'a"b', 'a&b', 'a|b', 'a^b', 'a>b'])
      expect(wordToPaste(text, 'win32')).toBeUndefined()
  })
})
