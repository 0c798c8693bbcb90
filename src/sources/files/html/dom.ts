import type { Unreadable } from '../../document.ts'

/** The part of a DOM node used here; the project's types have no browser. */
export interface DomNode {
  /** 1 element, 3 text, 8 comment, 9 document. */
  readonly nodeType: number
  readonly nodeName: string
  readonly parentNode: DomElement | null
  readonly firstChild: DomNode | null
  readonly nextSibling: DomNode | null
  readonly childNodes: ArrayLike<DomNode> & Iterable<DomNode>
  readonly textContent: string | null
}

/** The part of a DOM element used here. */
export interface DomElement extends DomNode {
  /** Lower case, as written in HTML. */
  readonly localName: string
  readonly children: ArrayLike<DomElement> & Iterable<DomElement>
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  setAttribute(name: string, value: string): void
  querySelector(selector: string): DomElement | null
  querySelectorAll(selector: string): ArrayLike<DomElement> & Iterable<DomElement>
  closest(selector: string): DomElement | null
  append(...nodes: (DomNode | string)[]): void
  remove(): void
  replaceWith(...nodes: (DomNode | string)[]): void
  cloneNode(isDeep: boolean): DomElement
}

/** The part of a DOM document used here; it always has a body. */
export interface DomDocument extends Omit<DomElement, 'localName'> {
  readonly documentElement: DomElement
  readonly body: DomElement
  createElement(name: string): DomElement
}

const elementNode = 1
const textNode = 3

/** Whether a node is an element. */
export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === elementNode
}

/** Whether a node is text. */
export function isText(node: DomNode): boolean {
  return node.nodeType === textNode
}

/**
 * Parses HTML or XHTML, a page or a fragment; the result always has `html`, `head` and `body`. Pages beyond the limits
 * are refused without parsing.
 */
export async function parseHtml(html: string): Promise<DomDocument | Unreadable> {
  const written = isXhtml(html) ? closeEmptyElements(html) : html
  const refusal = findExceededLimit(written)
  if (refusal !== undefined) return refusal
  const { parseHTML } = (await import('linkedom')) as unknown as {
    parseHTML: (html: string) => { readonly document: DomDocument }
  }
  const { document } = parseHTML(written)
  const [page] = [...document.children].filter((element) => element.localName === 'html')
  const hasBody =
    page !== undefined && [...page.children].some((child) => child.localName === 'body')
  if (hasBody && document.documentElement === page) {
    document.body.append(...strayNodes(document, page))
    return document
  }
  const shell = parseHTML('<!doctype html><html><head></head><body></body></html>').document
  const language = page?.getAttribute('lang')
  if (language) shell.documentElement.setAttribute('lang', language)
  shell.body.append(...strayNodes(document, page), ...(page?.childNodes ?? []))
  return shell
}

/** Nodes outside the `html` element: text after its end, or a whole fragment. */
function strayNodes(document: DomDocument, page: DomElement | undefined): DomNode[] {
  return [...document.childNodes].filter(
    (node) => node !== page && (isElement(node) || isText(node)),
  )
}

function isXhtml(html: string): boolean {
  return /^\s*<\?xml\b|<html\b[^>]{0,500}\bxmlns=/.test(html.slice(0, 3_000))
}

/**
 * Rewrites `<a id="x"/>` as `<a id="x"></a>`: HTML ignores the slash, so the link would stay open, and `<title/>` would
 * swallow the page.
 */
function closeEmptyElements(xhtml: string): string {
  return xhtml.replace(
    /<([a-z][\w:-]{0,40})((?:\s[^<>]{0,2000})?)\/>/gi,
    (whole, name: string, attributes: string) =>
      voidElements.has(name.toLowerCase()) ? whole : `<${name}${attributes}></${name}>`,
  )
}

/** Maximum length of a page in characters. */
const maxChars = 20_000_000
/** Maximum number of tags: about 200,000 elements. */
const maxTags = 400_000
/** Maximum number of entities (`&amp;`): the parser makes a text node of each. */
const maxEntities = 500_000
/** Maximum nesting; browsers stop at 512. */
const maxDepth = 400
/** Maximum attributes of an element. */
const maxAttributes = 150

/** The exceeded limit, found before parsing in linear time; else `undefined`. */
export function findExceededLimit(html: string): Unreadable | undefined {
  if (html.length > maxChars) {
    return tooLarge(`It has ${html.length} characters; the maximum is ${maxChars}.`)
  }
  if (countUpTo(html, '&', maxEntities) > maxEntities) {
    return tooLarge(`It has more than ${maxEntities} entities.`)
  }
  const scan = { html, index: 0, tags: 0, open: [] as string[], attributes: 0 }
  while (nextTag(scan)) {
    if (scan.tags > maxTags) return tooLarge(`It has more than ${maxTags} tags.`)
    if (scan.open.length > maxDepth) {
      return tooLarge(`Its elements are nested more than ${maxDepth} deep.`)
    }
    if (scan.attributes > maxAttributes) {
      return tooLarge(`One of its elements has more than ${maxAttributes} attributes.`)
    }
  }
  return undefined
}

function tooLarge(detail: string): Unreadable {
  return { reason: 'too_large', detail, hint: 'Save the part you need as a page or text file.' }
}

/** Counts `mark` in a text, stopping above `most`. */
function countUpTo(text: string, mark: string, most: number): number {
  let count = 0
  for (let index = text.indexOf(mark); index >= 0 && count <= most; count++) {
    index = text.indexOf(mark, index + 1)
  }
  return count
}

interface Scan {
  readonly html: string
  index: number
  /** Tags so far, including anything that looks like the start of one. */
  tags: number
  /** Names of the open elements. */
  open: string[]
  /** Attributes of the last start tag. */
  attributes: number
}

/** Advances past the next tag; `false` at the end of the page. */
function nextTag(scan: Scan): boolean {
  const { html } = scan
  const start = html.indexOf('<', scan.index)
  if (start < 0) return false
  scan.tags++
  const isEnd = html[start + 1] === '/'
  const name = readName(html, isEnd ? start + 2 : start + 1)
  scan.index = start + 1 + name.length
  if (name === '') {
    if (html.startsWith('<!--', start)) return skipPast(scan, '-->', start + 4)
    return /[!?/]/.test(html[start + 1] ?? '') ? skipPast(scan, '>', start + 2) : true
  }
  if (isEnd) {
    closeElement(scan.open, name)
    return skipPast(scan, '>', scan.index)
  }
  const isClosed = skipAttributes(scan)
  if (rawText.has(name)) return skipRawText(scan, name)
  openElement(scan.open, name, isClosed)
  return true
}

function readName(html: string, index: number): string {
  tagName.lastIndex = index
  return tagName.exec(html)?.[0].toLowerCase() ?? ''
}

/** A tag's name, cut if too long, which does not affect nesting. */
const tagName = /[a-z][^\s/>]{0,60}/iy

function skipPast(scan: Scan, mark: string, from: number): boolean {
  const found = scan.html.indexOf(mark, from)
  scan.index = found < 0 ? scan.html.length : found + mark.length
  return found >= 0
}

/** Skips to the end of a start tag, ignoring `>` in quotes; returns whether it closes itself. */
function skipAttributes(scan: Scan): boolean {
  const { html } = scan
  scan.attributes = 0
  while (scan.index < html.length) {
    attribute.lastIndex = scan.index
    const [found, quote] = attribute.exec(html) ?? ['']
    scan.index += found.length
    if (found === '') break
    scan.attributes++
    if (quote !== undefined) skipPast(scan, quote, scan.index)
  }
  const isClosed = html[scan.index - 1] === '/'
  scan.index++
  return isClosed
}

/** An attribute up to its quoted value or the end of an unquoted one, or what stands between attributes. */
const attribute = /[\s/]*[^\s/>=][^\s/>=]*(?:\s*=\s*(?:(["'])|[^\s>"'][^\s>]*)?)?|[\s/=]+/y

/** Elements whose content is not markup. */
const rawText: ReadonlySet<string> = new Set(['script', 'style', 'title', 'textarea', 'xmp'])

function skipRawText(scan: Scan, name: string): boolean {
  const end = new RegExp(`</${name}`, 'gi')
  end.lastIndex = scan.index
  const found = end.exec(scan.html)
  scan.index = found === null ? scan.html.length : end.lastIndex
  return found !== null
}

function closeElement(open: string[], name: string): void {
  const index = open.lastIndexOf(name)
  if (index >= 0) open.length = index
}

/** Like the parser: some start tags close elements that were left open. */
function openElement(open: string[], name: string, isClosed: boolean): void {
  const closes = impliedEnds.get(name) ?? (noParagraph.has(name) ? ['p'] : [])
  while (closes.includes(open.at(-1) ?? '')) open.pop()
  if (voidElements.has(name) || (isClosed && isForeign(open))) return
  open.push(name)
}

/** Self-closing works only inside drawings and formulas; elsewhere `<div/>` is `<div>`. */
function isForeign(open: readonly string[]): boolean {
  const nearest = open.findLast((name) => foreign.has(name) || backInHtml.has(name))
  return nearest !== undefined && foreign.has(nearest)
}

const foreign: ReadonlySet<string> = new Set(['svg', 'math'])
const backInHtml: ReadonlySet<string> = new Set(
  'mi mo mn ms mtext annotation-xml foreignobject desc'.split(' '),
)

const impliedEnds: ReadonlyMap<string, readonly string[]> = new Map([
  ['tr', ['tr', 'th', 'td']],
  ['th', ['th']],
  ['td', ['thead', 'th', 'td']],
  ['tbody', ['thead', 'tbody']],
  ['tfoot', ['thead', 'tbody']],
  ['li', ['li']],
  ['p', ['p']],
  ['dd', ['dd', 'dt']],
  ['dt', ['dd', 'dt']],
  ['option', ['option']],
  ['optgroup', ['option', 'optgroup']],
])

/** Elements that end an open paragraph. */
const noParagraph: ReadonlySet<string> = new Set(
  (
    'h1 h2 h3 h4 h5 h6 address article aside blockquote details div dl fieldset figcaption figure footer form header ' +
    'hr main nav ol pre section table ul'
  ).split(' '),
)

/**
 * Elements without end tag.
 * @see https://html.spec.whatwg.org/multipage/syntax.html#void-elements
 */
const voidElements: ReadonlySet<string> = new Set(
  'area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr'.split(
    ' ',
  ),
)
