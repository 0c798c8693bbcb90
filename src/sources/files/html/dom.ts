import type { Unreadable } from '../../document.ts'
import { beyondLimits, VOID_ELEMENTS } from './page-limits.ts'

/** The part of a DOM node that is used here; the project's types know no browser. */
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

/** The part of a DOM element that is used here. */
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

/** The part of a DOM document that is used here; it always has a body. */
export interface DomDocument extends Omit<DomElement, 'localName'> {
  readonly documentElement: DomElement
  readonly body: DomElement
  createElement(name: string): DomElement
}

const ELEMENT_NODE = 1
const TEXT_NODE = 3

/** Whether a node is an element. */
export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === ELEMENT_NODE
}

/** Whether a node is text. */
export function isText(node: DomNode): boolean {
  return node.nodeType === TEXT_NODE
}

/**
 * The document of an HTML or XHTML text, whole or a fragment, with `html`, `head` and `body` whatever was written, or
 * why there is none: a page beyond the limits is not parsed.
 */
export async function parseHtml(html: string): Promise<DomDocument | Unreadable> {
  const written = isXhtml(html) ? closeEmptyElements(html) : html
  const refusal = beyondLimits(written)
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

/** What stands beside the page's `html` element: text after its end, or all of a fragment. */
function strayNodes(document: DomDocument, page: DomElement | undefined): DomNode[] {
  return [...document.childNodes].filter(
    (node) => node !== page && (isElement(node) || isText(node)),
  )
}

function isXhtml(html: string): boolean {
  return /^\s*<\?xml\b|<html\b[^>]{0,500}\bxmlns=/.test(html.slice(0, 3_000))
}

/** `<a id="x"/>` as `<a id="x"></a>`: HTML would go on inside the link, and take all after a `<title/>` for the title. */
function closeEmptyElements(xhtml: string): string {
  return xhtml.replace(
    /<([a-z][\w:-]{0,40})((?:\s[^<>]{0,2000})?)\/>/gi,
    (whole, name: string, attributes: string) =>
      VOID_ELEMENTS.has(name.toLowerCase()) ? whole : `<${name}${attributes}></${name}>`,
  )
}
