import { findElement, findElements, type XmlElement } from '../../xml.ts'
import { tagPattern } from './document-slices.ts'

/** What of the formatting of a paragraph, a run or a style tells whether its text is seen. */
interface RunLook {
  isVanished?: boolean
  isWhite?: boolean
  /** In half points. */
  size?: number
  /** Whether a colour other than that of white paper is behind it. */
  isShaded?: boolean
}

/** The looks of a document's styles by their ids. */
export type StyleLooks = ReadonlyMap<string, RunLook>

/** Text of 2 points or less, in half points: nobody can read it. */
const maxTinyHalfPoints = 4
/** A part without any of this hides nothing by itself. */
const hiding =
  /vanish|[:<]sz\s[^<>]*["']0*[0-4](?:\.\d*)?["']|["'](?:f[4-9a-f]){3}["']|background1|bg1|light1/i
const white = /^(?:f[4-9a-f]){3}$/i
const whiteInTheme = /^(?:background1|bg1|light1)$/
/** Behind what is in these may be any colour. */
const backed: ReadonlySet<string> = new Set(['tbl', 'txbxContent'])

/** The looks of the styles in a part of styles, each with those of what it is based on. */
export function readStyleLooks(styles: readonly XmlElement[]): StyleLooks {
  const written = new Map(
    findElements(styles, 'style').map((style) => [attribute(style.attributes, 'styleId'), style]),
  )
  const looks = new Map<string, RunLook>()
  const lookOf = (id: string): RunLook => {
    const known = looks.get(id)
    const style = written.get(id)
    if (known !== undefined || style === undefined) return known ?? {}
    const look: RunLook = {}
    looks.set(id, look) // Now, for styles that are based on each other.
    const base = findElement(style.children, 'basedOn')?.attributes ?? {}
    Object.assign(look, lookOf(attribute(base, 'val')))
    for (const { name, children } of childElements(style)) {
      if (name !== 'pPr' && name !== 'rPr') continue
      for (const set of childElements({ children }))
        Object.assign(look, readFlag(set.name, set.attributes))
    }
    return look
  }
  for (const id of written.keys()) lookOf(id)
  return looks
}

/**
 * The XML of a part of a Word document without the text that nobody sees: hidden, tiny, or white on white paper. What may
 * have another colour behind it, in tables and text boxes, is taken to be seen.
 */
export function withoutHiddenText(xml: string, styles: StyleLooks): string {
  const isHiding = hiding.test(xml) || [...styles.values()].some((look) => isHidden([look]))
  if (!isHiding) return xml
  const seen: string[] = []
  let end = 0
  for (const [from, to] of hiddenSpans(xml, styles)) {
    seen.push(xml.slice(end, from))
    end = to
  }
  return seen.join('') + xml.slice(end)
}

interface OpenElement {
  readonly name: string
  readonly start: number
  /** Of a paragraph or a run. */
  readonly look: RunLook
}

/** Where the texts of hidden runs lie. */
function* hiddenSpans(xml: string, styles: StyleLooks): Iterable<readonly [number, number]> {
  const scan = new RegExp(tagPattern)
  const open: OpenElement[] = []
  const page: RunLook = {}
  for (let found = scan.exec(xml); found !== null; found = scan.exec(xml)) {
    const [, slash, name, rest] = found
    if (name === undefined || rest === undefined) continue
    if (slash === '/') {
      const text = open.pop()
      if (text?.name === 't' && isInHiddenRun(open, page)) yield [text.start, scan.lastIndex]
      continue
    }
    if (name === 'background') page.isShaded = !white.test(attribute(readAttributes(rest), 'color'))
    setLook(open, name, rest, styles)
    if (!rest.endsWith('/')) open.push({ name, start: found.index, look: {} })
  }
}

/** Takes down what an element in the properties of a paragraph or a run sets. */
function setLook(open: readonly OpenElement[], name: string, rest: string, styles: StyleLooks) {
  const owner = open.at(-2)
  const place = `${owner?.name}/${open.at(-1)?.name}`
  if (owner === undefined || (place !== 'p/pPr' && place !== 'r/rPr')) return
  const attributes = readAttributes(rest)
  const style = /^[pr]Style$/.test(name) ? styles.get(attribute(attributes, 'val')) : undefined
  Object.assign(owner.look, style, { ...owner.look }, readFlag(name, attributes))
}

/** Whether one of the open runs is hidden, with what its paragraph says and what is behind it. */
function isInHiddenRun(open: readonly OpenElement[], page: RunLook): boolean {
  let paragraph: RunLook = {}
  let behind = page
  return open.some(({ name, look }) => {
    if (name === 'p') paragraph = look
    if (backed.has(name)) behind = { isShaded: true }
    return name === 'r' && isHidden([behind, paragraph, look])
  })
}

/** Whether text is not seen. What a later look says takes the place of what an earlier one says. */
function isHidden(looks: readonly RunLook[]): boolean {
  const look: RunLook = Object.assign({}, ...looks)
  const isShaded = looks.some((one) => one.isShaded === true)
  const isTiny = (look.size ?? Number.POSITIVE_INFINITY) <= maxTinyHalfPoints
  return look.isVanished === true || isTiny || (look.isWhite === true && !isShaded)
}

type Attributes = Readonly<Record<string, string>>

/** What an element of formatting sets. */
function readFlag(name: string, attributes: Attributes): RunLook {
  const value = attribute(attributes, 'val')
  if (name === 'vanish') return { isVanished: !/^(?:0|false|off)$/.test(value) }
  if (name === 'sz') return { size: Number.parseFloat(value) }
  if (name === 'color') {
    const theme = attribute(attributes, 'themeColor')
    return { isWhite: theme === '' ? white.test(value) : whiteInTheme.test(theme) }
  }
  if (name === 'highlight') return { isShaded: value !== 'none' && value !== 'white' }
  if (name !== 'shd') return {}
  const fill = attribute(attributes, 'fill')
  const isPlain = /^(?:|clear|nil)$/.test(value) && (/^(?:|auto)$/.test(fill) || white.test(fill))
  return { isShaded: !isPlain }
}

/** The attributes of a tag. */
function readAttributes(rest: string): Attributes {
  const written = rest.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)
  return Object.fromEntries(
    [...written].map(([, name = '', double, single]) => [name, double ?? single ?? '']),
  )
}

/** An attribute, whatever its prefix. */
function attribute(attributes: Attributes, name: string): string {
  const found = Object.entries(attributes).find(([key]) => key.replace(/^.*:/, '') === name)
  return found?.[1] ?? ''
}

function childElements({ children }: Pick<XmlElement, 'children'>): readonly XmlElement[] {
  return children.filter((child) => typeof child !== 'string')
}
