/** An element of an XML document. */
export interface XmlElement {
  /** Without prefix. */
  readonly name: string
  /** By their names, prefixes included. */
  readonly attributes: Readonly<Record<string, string>>
  /** Elements and texts in their order. */
  readonly children: readonly (XmlElement | string)[]
}

/** Reads XML, or what stands in a row of elements of it. @throws for what is no XML or nested deeper than 100 */
export type ReadXml = (xml: string) => readonly XmlElement[]

/** Elements may be nested so deep; documents that people write have some 30. */
const maxDepth = 100

/**
 * A reader of XML without a document type: entities that it declares are not replaced, so none can swell, and nothing
 * that it names is opened.
 */
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

/** The parser's nodes: each has its children under its name, and its attributes under `:@`. */
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

/** The text with XML's own references and those to characters replaced; others stay as they are. */
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

/** The first element among these and what is in them that has this name, in the order of the document. */
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

/** All elements with this name among these and in them; what is in a found one is not looked at. */
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
