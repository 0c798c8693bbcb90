import { findElement, findElements, type XmlElement } from '../../xml.ts'
import { tagPattern } from './document-slices.ts'

/** Formatting of a paragraph, run or style that affects visibility. */
interface RunLook {
  isVanished?: boolean
  isWhite?: boolean
  /** In half-points. */
  size?: number
  /** Whether its background is another colour than white. */
  isShaded?: boolean
}

/** Formatting of a document's styles by id. */
export type StyleLooks = ReadonlyMap<string, RunLook>

/** Maximum size of unreadably small text, in half-points: 2 points. */
const maxTinyHalfPoints = 4
/** A part without any of these hides nothing by itself. */
const hiding =
  /vanish|[:<]sz\s[^<>]*["']0*[0-4](?:\.\d*)?["']|["'](?:f[4-9a-f]){3}["']|background1|bg1|light1/i
const white = /^(?:f[4-9a-f]){3}$/i
const whiteInTheme = /^(?:background1|bg1|light1)$/
/** The background inside these may have any colour. */
const backed: ReadonlySet<string> = new Set(['tbl', 'txbxContent'])

/** Formatting of the styles in a styles part, with inherited values. */
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
    looks.set(id, look) // Set first, in case styles are based on each other.
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
 * Removes invisible text from a part of a Word document: hidden, tiny, or white on white. Text in tables and text boxes,
 * which may have a coloured background, is kept.
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

/** The spans of text in hidden runs. */
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

/** Applies an element of paragraph or run properties. */
function setLook(open: readonly OpenElement[], name: string, rest: string, styles: StyleLooks) {
  const owner = open.at(-2)
  const place = `${owner?.name}/${open.at(-1)?.name}`
  if (owner === undefined || (place !== 'p/pPr' && place !== 'r/rPr')) return
  const attributes = readAttributes(rest)
  const style = /^[pr]Style$/.test(name) ? styles.get(attribute(attributes, 'val')) : undefined
  Object.assign(owner.look, style, { ...owner.look }, readFlag(name, attributes))
}

/** Whether an open run is hidden, given its paragraph and background. */
function isInHiddenRun(open: readonly OpenElement[], page: RunLook): boolean {
  let paragraph: RunLook = {}
  let behind = page
  return open.some(({ name, look }) => {
    if (name === 'p') paragraph = look
    if (backed.has(name)) behind = { isShaded: true }
    return name === 'r' && isHidden([behind, paragraph, look])
  })
}

/** Whether text is invisible. Later formatting overrides earlier. */
function isHidden(looks: readonly RunLook[]): boolean {
  const look: RunLook = Object.assign({}, ...looks)
  const isShaded = looks.some((one) => one.isShaded === true)
  const isTiny = (look.size ?? Number.POSITIVE_INFINITY) <= maxTinyHalfPoints
  return look.isVanished === true || isTiny || (look.isWhite === true && !isShaded)
}

type Attributes = Readonly<Record<string, string>>

/** What a formatting element sets. */
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
