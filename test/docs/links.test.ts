import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesUnder, root } from '../repo/source-file.ts'

const pages = [
  ...['README.md', 'AGENTS.md', 'CHANGELOG.md', 'bench/README.md'],
  ...['docs', 'examples', 'samples', 'styles'].flatMap((folder) => filesUnder(folder, ['.md'])),
].filter((path, index, all) => existsSync(root + path) && all.indexOf(path) === index)

/** A page without its code blocks and code spans, where nothing is a link. */
function readProse(path: string): string {
  return readFileSync(root + path, 'utf8')
    .replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1/gm, '')
    .replace(/`[^`\n]*`/g, 'code')
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(path: string): readonly string[] {
  const text = readFileSync(root + path, 'utf8').replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1/gm, '')
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The targets of links and images that lie in this checkout and are not there. */
function brokenLinks(page: string): readonly string[] {
  const targets = [...readProse(page).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)].map(
    ([, target = '']) => target,
  )
  return targets.filter((target) => {
    if (/^[a-z]+:/i.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : join(dirname(page), decodeURIComponent(path))
    if (!existsSync(join(root, file))) return true
    return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor)
  })
}

describe('the documentation', () => {
  it.each(pages)('%s links to files and headings that exist', (page) => {
    expect(brokenLinks(page)).toEqual([])
  })

  it('lists every page of docs/ in its index', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8')
    const unlisted = filesUnder('docs', ['.md'])
      .map((path) => path.slice('docs/'.length))
      .filter((path) => !path.includes('/') && path !== 'README.md')
      .filter((path) => !index.includes(`(${path})`))
    expect(unlisted).toEqual([])
  })
})
