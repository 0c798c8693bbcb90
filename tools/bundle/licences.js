import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** SPDX expressions under which a package may be bundled. Of MPL-2.0 the files stay as they are, and their source is named. */
const allowed = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'MPL-2.0',
  '(MIT AND Zlib)',
  '(MIT OR GPL-3.0-or-later)',
]

/** Where the licence of a package stands that has no file for it: in its README, or in a package of the same authors. */
const textElsewhere = new Map([
  ['@ai-sdk/provider-utils', '@ai-sdk/provider/LICENSE'],
  ['@citation-js/date', '@citation-js/core/LICENSE.md'],
  ['@citation-js/name', '@citation-js/core/LICENSE.md'],
  ['@hono/zod-openapi', 'hono/LICENSE'],
  ['@hono/zod-validator', 'hono/LICENSE'],
  ['@nodable/entities', 'fast-xml-parser/LICENSE'],
  ['isarray', 'isarray/README.md'],
  ['tr46', 'whatwg-url/LICENSE.txt'],
])

/** Packages that contain others without a file that says so, and the file of this folder that does. */
const contained = new Map([['@hyzyla/pdfium', 'pdfium-licence.md']])

/**
 * The licences of the packages that modules come from, as one text.
 *
 * @param {string} root the folder of the checkout
 * @param {readonly string[]} modules their paths
 * @returns {string}
 * @throws {Error} when a package has no licence that allows to bundle it, or no text of it
 */
export function licences(root, modules) {
  const packages = new Map(
    packageFolders(root, modules).map((folder) => {
      const found = licenceOf(root, folder, modules)
      return [found.title, found]
    }),
  )
  /** @type {Map<string, string[]>} */
  const titlesByText = new Map()
  for (const { title, text } of packages.values()) {
    titlesByText.set(text, [...(titlesByText.get(text) ?? []), title])
  }
  const parts = [...titlesByText].map(
    ([text, titles]) => `${titles.sort().join('\n')}\n\n${text}\n`,
  )
  const intro = 'Scholium contains these packages, each followed by its licence.\n'
  return [intro, ...parts.sort()].join(`\n${'-'.repeat(80)}\n\n`)
}

/**
 * @param {string} root
 * @param {readonly string[]} modules
 */
function packageFolders(root, modules) {
  const folders = modules.flatMap((path) => {
    // What the bundler adds of its own has no path.
    if (path.startsWith('\0')) return join(root, 'node_modules', 'rolldown')
    return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path) ?? []
  })
  return [...new Set(folders)]
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {readonly string[]} modules
 */
function licenceOf(root, folder, modules) {
  const { name, version, license, homepage, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  if (!allowed.includes(license)) {
    throw new Error(
      `${name} ${version} cannot be bundled: its licence is ${license ?? 'not named'}. If it is compatible with MIT, allow it in tools/bundle/licences.js.`,
    )
  }
  const notice = contained.get(name)
  const parts = notice === undefined ? [] : [join(import.meta.dirname, notice)]
  const texts = [...textFiles(root, folder, name), ...textsBeside(folder, modules)]
  if (texts.length === 0) {
    throw new Error(
      `${name} ${version} cannot be bundled: it has no text of its licence, ${license}. If it stands elsewhere, name the place in tools/bundle/licences.js.`,
    )
  }
  const source = repository?.url ?? repository ?? homepage ?? ''
  return {
    title: `${name} ${version} · ${license} · ${String(source).replace(/^git\+/, '')}`,
    text: [...texts, ...parts].map((path) => readFileSync(path, 'utf8').trim()).join('\n\n'),
  }
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {string} name
 */
function textFiles(root, folder, name) {
  const own = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file))
  if (own.length > 0) return own.map((file) => join(folder, file))
  const elsewhere = textElsewhere.get(name)
  return elsewhere === undefined ? [] : [join(root, 'node_modules', elsewhere)]
}

/**
 * The licences of what a module of one file was made from, as its bundler wrote them.
 *
 * @param {string} folder
 * @param {readonly string[]} modules
 */
function textsBeside(folder, modules) {
  return modules
    .filter((path) => path.startsWith(folder))
    .map((path) => `${path}.LICENSE.txt`)
    .filter((path) => existsSync(path))
}
