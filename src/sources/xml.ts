/** An element of an XML document. */
export interface XmlElement {
  /** Without namespace prefix. */
  readonly name: string
  /** By name, prefixes included. */
  readonly attributes: Readonly<Record<string, string>>
  /** Elements and texts in order. */
  readonly children: readonly (XmlElement | string)[]
}

/**
 * Parses an XML document or a sequence of elements.
 * @throws if it is not XML or nested deeper than 100
 */
export type ReadXml = (xml: string) => readonly XmlElement[]

/** Maximum nesting; documents written by people reach about 30. */
const maxDepth = 100

/** Creates an XML reader that ignores document types: declared entities are not expanded and nothing external is loaded. */
export async function createXmlReader(): Promise<ReadXml> {
  const { XMLParser } = await import('fast-xml-parser')
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    trimValues: false,
    processEntities: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: maxDepth,
    jPath: false,
  })
  return (xml) => toElements(parser.parse(xml))
}

function toElements(nodes: unknown): readonly XmlElement[] {
  return toChildren(nodes).filter((child) => typeof child !== 'string')
}

/** The parser's nodes have their children under their name and their attributes under `:@`. */
function toChildren(nodes: unknown): readonly (XmlElement | string)[] {
  const children: (XmlElement | string)[] = []
  if (!Array.isArray(nodes)) return children
  for (const node of nodes as Record<string, unknown>[]) {
    for (const name in node) {
      if (name === ':@') continue
      const value = node[name]
      if (name === '#text') children.push(decodeXmlText(String(value)))
      else {
        const attributes = decodeAttributes(node[':@'])
        children.push({ name: withoutPrefix(name), attributes, children: toChildren(value) })
      }
      break
    }
  }
  return children
}

const none: Readonly<Record<string, string>> = Object.freeze({})

function decodeAttributes(given: unknown): Readonly<Record<string, string>> {
  if (given === undefined) return none
  const attributes = given as Record<string, string>
  for (const name in attributes) attributes[name] = decodeXmlText(String(attributes[name]))
  return attributes
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Decodes XML's predefined entities and character references; others are left as they are. */
export function decodeXmlText(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
    },
  )
}

/** The first element with this name, in document order, at any depth. */
export function findElement(
  among: readonly (XmlElement | string)[],
  name: string,
): XmlElement | undefined {
  for (const one of among) {
    if (typeof one === 'string') continue
    const found = one.name === name ? one : findElement(one.children, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** All elements with this name at any depth, without descending into matches. */
export function findElements(
  among: readonly (XmlElement | string)[],
  name: string,
): readonly XmlElement[] {
  return among.flatMap((one) => {
    if (typeof one === 'string') return []
    return one.name === name ? [one] : findElements(one.children, name)
  })
}

/** All the text in an element. */
export function textContent(element: XmlElement | undefined): string {
  if (element === undefined) return ''
  return element.children
    .map((child) => (typeof child === 'string' ? child : textContent(child)))
    .join('')
}
