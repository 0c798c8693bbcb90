import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codeUnder, filesUnder, isTest, parse, root, type SourceFile, walk } from './source-file.ts'

/** Phrases that are not English for what they are used for; each pattern is written so that it does not find itself. */
const wrong: readonly RegExp[] = [
  /\bbear(?:s|ing)? out\b/i,
  /\bborne[ ]out\b/i,
  /\b(?:go(?:es)?|gone) on with\b/i,
  /\bwhat (?:becomes|became|comes|came) of\b/i,
  /\bstood in[ ]for\b/i,
  /\bsays? what their source\b/i,
  /\bhas to stay\b/i,
  /(?<!there )\bis no (?:JSON|YAML|text|file|folder|number|bundle|PDF|URL)\b/i,
  /\bnot there[ ]any more\b/i,
]

/** Also wrong in comments, where contributors read them. */
const wrongInComments: readonly RegExp[] = [
  ...wrong,
  /\bbeside\b/i,
  /\bgo(?:es)? on from\b/i,
  /\bwho types\b/i,
]

/** Text for language models: its wording is part of what recordings and measurements were made with. */
const forModels: readonly { readonly path: string; readonly text: string }[] = [
  { path: 'src/agents/actions/composed/memory-summarize.ts', text: 'somebody who goes on with it' },
  { path: 'src/code/tools/search/search-tools.ts', text: 'Finds lines in the text files' },
  { path: 'src/reasoning/chain-of-thought.ts', text: 'Think in a tree structure' },
]

describe('English in what users read', () => {
  it('has none of the phrases that are wrong, in documentation', () => {
    const pages = ['README.md', 'AGENTS.md', 'CHANGELOG.md']
    const paths = [...pages, ...filesUnder('docs', ['.md'])]
    const found = paths.flatMap((path) => {
      const lines = readFileSync(root + path, 'utf8').split('\n')
      return lines.flatMap((line, index) => offences(`${path}:${index + 1}`, line))
    })
    expect(found).toEqual([])
  })

  it('has none of them in texts of the program', () => {
    // Parsing is slow: only files that have a phrase anywhere, in a comment perhaps, are parsed.
    const code = codeUnder('src').filter(
      ({ path, text }) => !isTest(path) && wrong.some((pattern) => pattern.test(text)),
    )
    const found = code.flatMap((file) =>
      texts(file)
        .filter((text) => !isForModels(file.path, text))
        .flatMap((text) => offences(file.path, text)),
    )
    expect(found).toEqual([])
  })

  it('has none of them in comments', () => {
    const folders = ['src', 'test', 'bench', 'tools', 'examples']
    const code = folders
      .flatMap((folder) => codeUnder(folder))
      .filter(({ text }) => wrongInComments.some((pattern) => pattern.test(text)))
    const found = code.flatMap((file) =>
      parse(file).comments.flatMap(({ value }) => offences(file.path, value, wrongInComments)),
    )
    expect(found).toEqual([])
  })

  it('has no exception that nothing needs', () => {
    const unused = forModels.filter(
      ({ path, text }) => !readFileSync(root + path, 'utf8').includes(text),
    )
    expect(unused).toEqual([])
  })
})

describe('the check for wrong phrases', () => {
  it.each([
    'claims that the source bears' + ' out',
    'a run goes' + ' on with the next step',
    'The value has' + ' to stay a list.',
    'line 2 is' + ' no JSON',
  ])('finds %j', (text) => {
    expect(offences('x', text)).toHaveLength(1)
  })

  it('reads quoted texts and templates, and leaves comments and names alone', () => {
    const text = "// goes on with\nconst goesOnWith = [`it goes on with`, 'that bears out']"
    expect(texts({ path: 'x.ts', text }).flatMap((one) => offences('x', one))).toHaveLength(2)
  })
})

function offences(
  where: string,
  text: string,
  patterns: readonly RegExp[] = wrong,
): readonly string[] {
  return patterns.flatMap((pattern) => {
    const [found] = pattern.exec(text) ?? []
    return found === undefined ? [] : [`${where}: "${found}" in ${text.trim().slice(0, 100)}`]
  })
}

/** The quoted texts and the literal parts of templates in a file. */
function texts(file: SourceFile): readonly string[] {
  const found: string[] = []
  walk(parse(file).program, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') found.push(node.value)
    if (node.type === 'TemplateElement')
      found.push((node.value as { readonly cooked: string | null }).cooked ?? '')
  })
  return found
}

function isForModels(path: string, text: string): boolean {
  return forModels.some((one) => one.path === path && text.includes(one.text))
}
