import { describe, expect, it } from 'vitest'
import { longFiles, longFunctions } from './size-rules.ts'
import { codeUnder } from './source-file.ts'

const code = codeUnder('src', 'tools', 'bin', 'bench', 'test', 'examples')

describe('size', () => {
  it('no function is over 60 lines', () => {
    expect(longFunctions(code, 60)).toEqual([])
  })

  it('no file is over 400 lines, no test over 500', () => {
    expect(longFiles(code, 400, 500)).toEqual([])
  })
})

describe('the check of sizes', () => {
  const body = 'work()\n'.repeat(3)
  const found = (text: string) => longFunctions([{ path: 'src/x.ts', text }], 4)

  it.each([
    ['function', `function build() {\n${body}}`, 'src/x.ts:1 build: 5 lines'],
    ['arrow function', `\nconst build = () => {\n${body}}`, 'src/x.ts:2 build: 5 lines'],
    ['method', `class Home {\nbuild() {\n${body}}}`, 'src/x.ts:2 build: 5 lines'],
    ['callback', `run(() => {\n${body}})`, 'src/x.ts:1 (anonymous): 5 lines'],
  ])('finds a long %s', (_kind, text, expected) => {
    expect(found(text)).toEqual([expected])
  })

  it('counts the function, not its comment, and leaves describe blocks out', () => {
    expect(found(`/** Long\n * comment.\n */\nfunction f() {\nwork()\nwork()\n}`)).toEqual([])
    expect(found(`describe.each([1])('x', () => {\n${body}})`)).toEqual([])
  })

  it('counts lines of files', () => {
    const files = ['src/x.ts', 'src/x.test.ts'].map((path) => ({ path, text: 'a\nb\nc\n' }))
    expect(longFiles(files, 2, 3)).toEqual(['src/x.ts: 3 lines'])
  })
})
