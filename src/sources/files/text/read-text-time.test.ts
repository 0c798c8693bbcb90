import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../kernel/json.ts'
import { readMarkdown } from './read-text.ts'

const id = sha256('')
const lines = 2
/** Below this, times say nothing. */
const resolutionMs = 0.5

/** The shortest of some rounds, which a busy machine disturbs least. */
function timeOf(text: string): number {
  const rounds = Array.from({ length: 3 }, () => {
    const start = performance.now()
    readMarkdown(text, id, '/notes.md')
    return performance.now() - start
  })
  return Math.max(resolutionMs, Math.min(...rounds))
}

const front = (line: string) => `---\n${line.repeat(lines)}---\nWords.\n`

describe('the time that Markdown takes', () => {
  it.each<[string, (length: number) => string]>([
    ['brackets in a heading', (length) => `# ${'['.repeat(length)}\n`.repeat(lines)],
    ['links that do not end', (length) => `# ${'[a]('.repeat(length / 4)}\n`.repeat(lines)],
    ['blanks in a heading', (length) => `# a${' '.repeat(length)}b\n`.repeat(lines)],
    ['blanks before a line separator', (length) => `# ${' '.repeat(length)}\u2028\n`.repeat(lines)],
    ['a long underlined line', (length) => `${'['.repeat(length)}\n===\n\n`.repeat(lines)],
    ['marks of a fence', (length) => `${'`'.repeat(length)}\u2028\n`.repeat(lines)],
    ['blanks in a field', (length) => front(`title: a${' '.repeat(length)}b\n`)],
    ['blanks before a field', (length) => front(`title:${' '.repeat(length)}\u2028b\n`)],
    ['blanks in a list', (length) => front(`author: [a${' '.repeat(length)}"]\n`)],
    ['blanks before an item', (length) => front(`author:\n- ${' '.repeat(length)}\u2028\n`)],
  ])('grows no faster than its length: %s', (_, textOf) => {
    const growth = timeOf(textOf(16_000)) / timeOf(textOf(2_000))
    // Eight times as long: what grows with the square takes 64 times as long.
    expect(growth).toBeLessThan(24)
  })

  it('does not change what a long list of authors says', () => {
    const names = Array.from({ length: 300 }, (_, index) => `Author ${index}`)
    const { csl } = readMarkdown(`---\nauthor: [${names.join(', ')}]\n---\nWords.\n`, id, '/a.md')
    expect(csl.author?.map(({ literal }) => literal)).toEqual(names)
  })
})
