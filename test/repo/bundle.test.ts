import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bundle } from '../../tools/bundle/bundle.js'
import { licences } from '../../tools/bundle/licences.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scholium-bundle-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string | object): string {
  const place = join(folder, path)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(place, typeof text === 'string' ? text : JSON.stringify(text))
  return place
}

describe('the licences of a bundle', () => {
  const mit = 'Permission is hereby granted to anybody.'
  const modulesOf = (name: string, license: string | undefined, text?: string) => {
    write(`node_modules/${name}/package.json`, { name, version: '1.0.0', license })
    if (text !== undefined) write(`node_modules/${name}/LICENSE`, text)
    return [write(`node_modules/${name}/index.js`, '')]
  }

  it('name each package once, packages with the same text together', () => {
    const modules = [
      ...modulesOf('a', 'MIT', mit),
      ...modulesOf('@b/c', 'MIT', mit),
      ...modulesOf('d', 'ISC', 'Another text.'),
      write('node_modules/a/more.js', ''),
      write('src/own.ts', ''),
    ]
    const text = licences(folder, modules)
    expect(text.match(/^\S+ 1\.0\.0 · \S+/gm)).toEqual([
      '@b/c 1.0.0 · MIT',
      'a 1.0.0 · MIT',
      'd 1.0.0 · ISC',
    ])
    expect(text.split(mit)).toHaveLength(2)
  })

  it.each(['GPL-3.0', undefined])('refuse a package under %s', (license) => {
    expect(() => licences(folder, modulesOf('a', license, mit))).toThrow(
      `a 1.0.0 cannot be bundled: its licence is ${license ?? 'not named'}.`,
    )
  })

  it('refuse a package that lacks the text', () => {
    expect(() => licences(folder, modulesOf('a', 'MIT'))).toThrow(
      'a 1.0.0 cannot be bundled: it has no text of its licence, MIT.',
    )
  })
})

describe('a bundle', () => {
  const main = 'src/cli/main.ts'
  beforeEach(() => {
    write('package.json', { type: 'module' })
    write('src/files/cache-folder.ts', 'export function keepCompiledCode() {}')
  })

  it('has the code of packages in it, and fails where one is not installed', async () => {
    write('node_modules/a/package.json', { name: 'a', version: '1.0.0', main: 'index.js' })
    write('node_modules/a/index.js', 'exports.said = "from a package"')
    write(main, "import { said } from 'a'\nexport const main = () => said")
    const { files } = await bundle(folder)
    expect([...files.values()].join('')).toContain('from a package')
    write(main, "import { said } from 'not-there'\nexport const main = () => said")
    await expect(bundle(folder)).rejects.toThrow('not-there')
  })

  it('gives each module its place, and each script that is started by one a file', async () => {
    write(main, "export const main = () => import('../worker/start.ts')")
    write(
      'src/worker/start.ts',
      `import { extname } from 'node:path'
       export const script = new URL(\`./script\${extname(import.meta.url)}\`, import.meta.url)
       export const other = new URL(\`../other\${extname(import.meta.url)}\`, import.meta.url)
       export const text = new URL('./words/a.md', import.meta.url)`,
    )
    write('src/worker/script.ts', 'console.log(1)')
    write('src/other.ts', 'console.log(2)')
    write('src/worker/words/a.md', 'Words.')
    const { files } = await bundle(folder)
    for (const [path, text] of files) write(`dist/${path}`, text)
    const { main: load } = await import(join(folder, 'dist/cli/main.js'))
    const { script, text } = await load()
    expect(script.pathname).toBe(join(folder, 'dist/worker/script.js'))
    expect(text.pathname).toBe(join(folder, 'dist/worker/words/a.md'))
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['other.js', 'worker/script.js', 'worker/words/a.md']),
    )
  })

  it('has source maps of the sources where they are asked for', async () => {
    write(main, 'export const main = (word: string) => word')
    const { files } = await bundle(folder, { hasSourceMaps: true })
    expect(files.get('cli/main.js')).toContain('//# sourceMappingURL=main.js.map')
    const map = JSON.parse(String(files.get('cli/main.js.map')))
    expect(map.sourcesContent).toEqual(['export const main = (word: string) => word'])
  })
})
