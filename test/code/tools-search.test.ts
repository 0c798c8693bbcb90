import { spawnSync } from 'node:child_process'
import { mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Json } from '../../src/kernel/json.ts'
import { type ToolWorld, toolWorld } from './tool-world.ts'

const ripgrep = process.env.SCHOLIUM_RIPGREP ?? 'rg'
const hasRipgrep = spawnSync(ripgrep, ['--version']).status === 0

const tree = {
  '.gitignore': 'node_modules/\n*.log\n!keep.log\n/build\nsub/*.tmp\n# no\n\\#x\n',
  '.ignore': '*.md\n',
  'a.ts': 'const one = 1\n// TODO: é\n',
  'b.txt': 'one\r\ntwo TODO\r\n',
  'notes.md': 'TODO\n',
  'x.log': 'TODO\n',
  'keep.log': 'TODO\n',
  'build/out.ts': 'TODO\n',
  'src/build/in.ts': 'TODO\n',
  'sub/a.tmp': 'TODO\n',
  'sub/deep/a.tmp': 'TODO\n',
  'sub/.gitignore': '!deep\n*.gen\n!*.md\n',
  'sub/x.gen': 'TODO\n',
  'sub/y.md': 'TODO\n',
  'sub/.hidden/z.ts': 'TODO(one)\n\n\none\n',
  'node_modules/p/index.js': 'TODO\n',
  'sub-x.ts': 'TODO\n',
  'Sub/up.ts': 'todo TODO\n',
  'bin.dat': 'TODO\0\n',
  'late.dat': `TODO\n${'x'.repeat(100_000)}\0`,
  'latin.txt': new Uint8Array([0x54, 0x4f, 0x44, 0x4f, 0xfc, 0x0a]),
  '.git/config': 'TODO\n',
  '.env': 'TODO=1\n',
  '#x': 'TODO\n',
  'other/.git/HEAD': 'x',
  'other/q.log': 'TODO\n',
}

let world: ToolWorld
let withRipgrep: ToolWorld
beforeEach(async () => {
  world = await toolWorld()
  await world.write(tree)
  await symlink('.', world.path('loop'))
  await symlink('/etc', world.path('etc'))
  withRipgrep = await toolWorld({ workspace: world.folder, ripgrep })
})
afterEach(() => Promise.all([world.close(), withRipgrep.close()]))

const paths = async (input: Json) =>
  (await world.call<{ files: { path: string }[] }>('grep', input)).files.map(({ path }) => path)

describe('list', () => {
  it('gives folders first, and marks links', async () => {
    expect(await world.text('list_dir', { directory: 'sub' })).toBe(
      '.hidden/\ndeep/\n.gitignore\na.tmp\nx.gen\ny.md',
    )
    expect(await world.text('list', {})).toContain('etc@')
    await expect(world.call('list', { path: 'none' })).rejects.toThrow('does not exist')
    await expect(world.call('list', { path: 'a.ts' })).rejects.toThrow('is not a folder')
    await mkdir(world.path('empty'))
    expect(await world.text('list', { path: 'empty' })).toBe('(empty is empty)')
  })
})

describe('glob', () => {
  it('finds files, not what is ignored, closed or behind links', async () => {
    expect(await world.text('glob', { pattern: '**/*.ts' })).toBe(
      'Sub/up.ts\na.ts\nsrc/build/in.ts\nsub/.hidden/z.ts\nsub-x.ts',
    )
    expect(await world.text('glob', { pattern: 'up.*' })).toBe('Sub/up.ts')
    expect(await world.text('glob', { pattern: '*.{md,log}' })).toBe('keep.log\nother/q.log')
    expect(await world.text('glob', { pattern: '**/*.ts', path: 'sub' })).toBe('sub/.hidden/z.ts')
    expect(await world.text('glob', { pattern: '*.js', ignored: true })).toBe(
      'node_modules/p/index.js',
    )
    expect(await world.text('glob', { pattern: 'config' })).toBe('(no file has such a path)')
  })
})

describe('grep', () => {
  it('gives lines with their numbers and hashes, and lines around them', async () => {
    expect(
      await world.text('grep', { pattern: 'todo', path: 'b.txt', ignore_case: true, context: 1 }),
    ).toMatch(/^b\.txt\n {2}1:.{4}\|one\n> 2:.{4}\|two TODO$/)
    expect(await world.text('grep', { pattern: '(', literal: true })).toMatch(
      /^sub\/.hidden\/z.ts\n1:.{4}\|TODO\(one\)$/,
    )
    expect(await world.text('grep', { pattern: 'nowhere' })).toBe('(no line fits)')
    await expect(world.call('grep', { pattern: '(' })).rejects.toThrow('not a regular expression')
  })

  it('passes over what is ignored, closed, secret or no text', async () => {
    expect(await paths({ pattern: 'TODO' })).toEqual([
      'Sub/up.ts',
      'a.ts',
      'b.txt',
      'keep.log',
      'latin.txt',
      'other/q.log',
      'src/build/in.ts',
      'sub/.hidden/z.ts',
      'sub/deep/a.tmp',
      'sub-x.ts',
    ])
  })

  it('is cut where there is more than asked for', async () => {
    expect(await world.text('grep', { pattern: 'TODO', max_results: 2 })).toContain(
      '(the first 2 matches; there are more)',
    )
    expect(await paths({ pattern: 'TODO', glob: '*.ts' })).toEqual([
      'Sub/up.ts',
      'a.ts',
      'src/build/in.ts',
      'sub/.hidden/z.ts',
      'sub-x.ts',
    ])
  })

  it('gives up on an expression that takes ages, and says where', async () => {
    await world.write({ 'slow.txt': `${'a'.repeat(50)}!\n`, 'fast.txt': 'aaa\n' })
    const begun = performance.now()
    const text = await world.text('grep', { pattern: '^(a+)+$', glob: '{slow,fast}.txt' })
    expect(performance.now() - begun).toBeLessThan(30_000)
    expect(text).toMatch(/fast\.txt\n1:.{4}\|aaa\n\(took too long in: slow.txt\)/)
  })

  it('continues without ripgrep where it fails', async () => {
    const broken = await toolWorld({ workspace: world.folder, ripgrep: '/nowhere/rg' })
    expect(await broken.call('grep', { pattern: 'TODO' })).toEqual(
      await world.call('grep', { pattern: 'TODO' }),
    )
    await broken.close()
  })
})

const parts = fc.constantFrom(
  'a',
  'B',
  'é',
  'ß',
  '\\w',
  '\\d',
  '\\s',
  '\\b',
  '.',
  '^',
  '$',
  '[a-z]',
  '[^\\w]',
  '(a|b)',
  'a*',
  'é+',
  '\\.',
  '-',
  '1',
  '{2}',
  'K',
  '\\"',
)
const lines = fc.array(
  fc.constantFrom(
    'a',
    'B',
    'é',
    'É',
    'ß',
    '1',
    '٣',
    ' ',
    '\u00a0',
    '\n',
    '\r\n',
    '\r',
    '.',
    'ſ',
    'K',
    '"',
    '-',
    '\u2028',
  ),
  { maxLength: 30 },
)

describe.skipIf(!hasRipgrep)('grep with ripgrep (needs rg, or SCHOLIUM_RIPGREP)', () => {
  const same = async (input: Json) => {
    const [own, theirs] = [await world.call('grep', input), await withRipgrep.call('grep', input)]
    expect(theirs).toEqual(own)
    return (own as { matchCount: number }).matchCount
  }

  it.each<Json>([
    { pattern: 'TODO' },
    { pattern: 'todo', ignore_case: true },
    { pattern: '(?i)todo' },
    { pattern: 'TODO', path: 'sub' },
    { pattern: 'TODO', path: 'other' },
    { pattern: 'TODO', path: 'node_modules/p' },
    { pattern: 'TODO', ignored: true },
    { pattern: 'TODO$' },
    { pattern: '^one$' },
    { pattern: 'O.$' },
    { pattern: '\\bone\\b', context: 2 },
    { pattern: '\\w+\\(\\w+\\)' },
    { pattern: '[\\w:]+\\s[^a-z]' },
    { pattern: 'é|ü', ignore_case: true },
    { pattern: 'É', ignore_case: true },
    { pattern: 'T(?=O)' },
    { pattern: 'TODO', max_results: 3 },
    { pattern: '^$' },
  ])('finds the same for %j', async (input) => {
    await same(input)
  })

  it('finds the same in any files, for any of its expressions', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(parts, { minLength: 1, maxLength: 4 }),
        lines,
        lines,
        fc.boolean(),
        async (pattern, one, two, ignore_case) => {
          await rm(world.path('p'), { recursive: true, force: true })
          await world.write({ 'p/one.txt': one.join(''), 'p/two.txt': two.join('') })
          const input = { pattern: pattern.join(''), path: 'p', ignore_case }
          const failure = await world.call('grep', input).then(
            () => undefined,
            (error: Error) => error.message,
          )
          if (failure === undefined) found += await same(input)
        },
      ),
      { numRuns: 200 },
    )
    expect(found).toBeGreaterThan(50)
  })
})

describe('ignore files outside Git', () => {
  const rule = fc.constantFrom(
    ...[
      'a',
      'b/',
      '*.c',
      '!a.c',
      '/a',
      'a/b',
      'a/*',
      '**/b',
      'a/**',
      'a/**/c',
      '!b',
      '[ab].c',
      '[!a]',
      '?',
      '\\!x',
      '#x',
      ' ',
      'a ',
      '!/a/',
      '**',
      '*',
      '!*/',
      '.*',
      '[[:alpha:]].c',
    ],
  )
  const way = fc.array(fc.constantFrom('a', 'b', 'c', 'a.c', '.h', '!x'), {
    minLength: 1,
    maxLength: 3,
  })

  it('leave out the very files that Git leaves out', async () => {
    const inGit = await toolWorld()
    const git = (...args: string[]) =>
      spawnSync('git', ['-c', 'core.excludesFile=/dev/null', ...args], {
        cwd: inGit.folder,
        encoding: 'utf8',
      }).stdout
    git('init', '-q')
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 4 }),
        fc.array(rule, { maxLength: 2 }),
        fc.array(way, { maxLength: 8 }),
        async (outer, inner, ways) => {
          await clear(inGit.folder)
          await inGit.write({ '.gitignore': outer.join('\n'), 'a/.gitignore': inner.join('\n') })
          for (const names of ways) await inGit.write({ [names.join('/')]: 'x' }).catch(() => {})
          const theirs = git('ls-files', '-z', '--others', '--exclude-standard')
            .split('\0')
            .filter((name) => name !== '')
          const own = await inGit.call<{ paths: string[] }>('glob', { pattern: '**' })
          expect([...own.paths].sort()).toEqual(theirs.sort())
        },
      ),
      { numRuns: 150 },
    )
    await inGit.close()
  })
})

describe.skipIf(!hasRipgrep)('ignore files around the workspace (needs rg)', () => {
  const rules = fc.array(
    fc.constantFrom(
      ...[
        'a',
        'b/',
        '*.c',
        '!a.c',
        '/a',
        'a/b',
        '!b',
        'p/w/a',
        '/p/w/b',
        'w/a',
        '/w/a',
        'p/*',
        '!p/w',
      ],
      ...['p/w/*', '!p/w/a', '**/w/a', '/w/**', '!*/'],
    ),
    { maxLength: 3 },
  )
  const way = fc.array(fc.constantFrom('a', 'b', 'c', 'a.c'), { minLength: 1, maxLength: 3 })

  it('hold alike with ripgrep and without it, below the root of a checkout', async () => {
    const outer = await toolWorld()
    spawnSync('git', ['init', '-q'], { cwd: outer.folder })
    const workspace = outer.path('p/w')
    await mkdir(workspace, { recursive: true })
    const without = await toolWorld({ workspace })
    const withRg = await toolWorld({ workspace, ripgrep })
    const found = async (one: ToolWorld) =>
      (await one.call<{ files: { path: string }[] }>('grep', { pattern: 'x' })).files
    await fc.assert(
      fc.asyncProperty(
        fc.array(rules, { minLength: 5, maxLength: 5 }),
        fc.array(way, { maxLength: 8 }),
        async ([root = [], between = [], own = [], plain = [], last = []], ways) => {
          await clear(workspace)
          await outer.write({
            '.gitignore': root.join('\n'),
            '.ignore': plain.join('\n'),
            'p/.gitignore': between.join('\n'),
            'p/w/.gitignore': own.join('\n'),
            'p/w/.rgignore': last.join('\n'),
          })
          for (const names of ways)
            await outer.write({ [`p/w/${names.join('/')}`]: 'x' }).catch(() => {})
          expect(await found(withRg)).toEqual(await found(without))
        },
      ),
      { numRuns: 60 },
    )
    for (const one of [withRg, without, outer]) await one.close()
  })
})

async function clear(folder: string) {
  for (const name of await readdir(folder))
    if (name !== '.git') await rm(join(folder, name), { recursive: true })
}
