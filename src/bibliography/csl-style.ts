import { readFile } from 'node:fs/promises'
import { ScholiumError } from '../kernel/errors.ts'
import { isRecord } from './csl-item.ts'

const shipped: Readonly<Record<string, string>> = {
  apa: 'apa.csl',
  chicago: 'chicago-author-date.csl',
  ieee: 'ieee.csl',
}

/** Maximum length of a style in characters; the longest public ones have about 200,000. */
const maxStyleChars = 1_000_000

/**
 * Maximum number of elements that one reference may pass through, with macros expanded. Chicago has the most of the public
 * styles, about 2,300; macros that call macros can grow exponentially, at about 20 µs per element.
 */
const maxElements = 50_000

/**
 * The XML of a style: a built-in one by name (`apa`, `chicago`, `ieee`), otherwise the given text after validation.
 * @throws {@link ScholiumError} `invalid_input` for an unknown name, text that is not a CSL style, a dependent style, a style
 * without a bibliography, or one that is too large
 */
export async function loadCslStyle(style: string): Promise<string> {
  const file = Object.hasOwn(shipped, style) ? shipped[style] : undefined
  if (file !== undefined) return readFile(new URL(`../../styles/${file}`, import.meta.url), 'utf8')
  const xml = style.replace(/^\ufeff/, '').trim()
  if (!xml.startsWith('<'))
    throw createStyleError(`Unknown citation style "${style.slice(0, 60)}".`)
  await check(xml)
  return xml
}

/**
 * A built-in style without the sort keys that have no effect on a list of this many works: those of citations, and all keys for a
 * single work. Citeproc expands sort macros at every call, which is most of the time it takes to build a style. Other styles are
 * returned unchanged.
 */
export function dropUnusedSorts(style: string, xml: string, workCount: number): string {
  if (!Object.hasOwn(shipped, style)) return xml
  if (workCount === 1) return xml.replace(/<sort>.*?<\/sort>/gs, '')
  return xml.replace(/(<citation\b[^>]*>\s*)<sort>.*?<\/sort>/s, '$1')
}

async function check(xml: string): Promise<void> {
  if (xml.length > maxStyleChars) {
    throw createStyleError(
      `The style has ${xml.length} characters; the maximum is ${maxStyleChars}.`,
    )
  }
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml))
    throw createStyleError('The style declares a document type.')
  const { XMLParser, XMLValidator } = await import('fast-xml-parser')
  const validity = XMLValidator.validate(xml)
  if (validity !== true) {
    throw createStyleError(
      `The style is not well-formed XML: line ${validity.err.line}: ${validity.err.msg}`,
    )
  }
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    removeNSPrefix: true,
  })
  const document = parseStyle(() => parser.parse(xml))
  const root = isRecord(document) ? document.style : undefined
  if (!isRecord(root))
    throw createStyleError('The XML is not a CSL style: its root element is not <style>.')
  const parent = findParent(root)
  if (parent !== undefined) {
    throw createStyleError(
      `The style is dependent on another one: ${parent}. Give the text of that style.`,
    )
  }
  if (!('bibliography' in root))
    throw createStyleError('The style has no <bibliography>, so it cannot format a reference list.')
  checkSize(root)
}

function parseStyle(parse: () => unknown): unknown {
  try {
    return parse()
  } catch (thrown) {
    throw createStyleError(
      `The style cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    )
  }
}

function findParent(root: Readonly<Record<string, unknown>>): string | undefined {
  const links = isRecord(root.info) ? toList(root.info.link) : []
  const parent = links.find((link) => isRecord(link) && link['@rel'] === 'independent-parent')
  return isRecord(parent) ? String(parent['@href']) : undefined
}

function checkSize(root: Readonly<Record<string, unknown>>): void {
  const macros = new Map<unknown, unknown>(
    toList(root.macro).map((macro) => [isRecord(macro) ? macro['@name'] : undefined, macro]),
  )
  const sizes = new Map<unknown, number>()
  const inside = new Set<unknown>()
  const sizeOfMacro = (name: unknown): number => {
    const known = sizes.get(name)
    if (known !== undefined) return known
    if (inside.has(name))
      throw createStyleError(`The style's macro "${String(name)}" calls itself.`)
    if (!macros.has(name))
      throw createStyleError(`The style calls a macro "${String(name)}" that it does not define.`)
    inside.add(name)
    const size = sizeOf(macros.get(name))
    inside.delete(name)
    sizes.set(name, size)
    return size
  }
  const sizeOf = (node: unknown): number => {
    if (Array.isArray(node)) return node.reduce((sum: number, one) => sum + sizeOf(one), 0)
    if (!isRecord(node)) return 1
    const called = node['@macro'] === undefined ? 0 : sizeOfMacro(node['@macro'])
    const children = Object.entries(node).filter(([name]) => !name.startsWith('@'))
    return children.reduce((sum, [name, child]) => sum + sizeOfChild(name, child), 1 + called)
  }
  // Only one branch of a choice is taken.
  const sizeOfChild = (name: string, child: unknown): number =>
    name === 'choose'
      ? toList(child).reduce((sum: number, choice) => sum + largest(choice), 0)
      : sizeOf(child)
  const largest = (choice: unknown): number =>
    isRecord(choice) ? Math.max(1, ...Object.values(choice).flatMap(toList).map(sizeOf)) : 1
  const size = sizeOf(root.bibliography)
  if (size > maxElements) {
    throw createStyleError(
      `The style has ${size} elements after expanding its macros; the maximum is ${maxElements}.`,
    )
  }
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value]
}

function createStyleError(message: string): ScholiumError {
  return new ScholiumError('invalid_input', message, {
    hint: 'Use apa, chicago, ieee or apa-arxiv, or give the text of an independent CSL 1.0 style file.',
  })
}
