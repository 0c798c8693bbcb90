import type { Nodes, Parents, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { createElement, Fragment, type ReactNode } from 'react'

/** Where something stands in a text, in UTF-16 code units. */
export interface TextPlace {
  readonly start: number
  readonly end: number
}

/**
 * Draws a text that stands at `place`; `undefined` where it is written in another way, with entities or indents. It is then written
 * somewhere in `around`.
 */
export type DrawText = (text: string, place: TextPlace | undefined, around: TextPlace) => ReactNode

/** Reads Markdown. */
export function parseMarkdown(source: string): Root {
  return fromMarkdown(source, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  })
}

const plainElements: Readonly<Record<string, string>> = {
  paragraph: 'p',
  emphasis: 'em',
  strong: 'strong',
  blockquote: 'blockquote',
  listItem: 'li',
  tableRow: 'tr',
}

/** Draws Markdown as elements: no HTML of the text lives, nothing is loaded, and links lead only to web addresses. */
export function drawMarkdown(node: Nodes, source: string, drawText: DrawText): ReactNode {
  const place = { start: node.position?.start.offset ?? 0, end: node.position?.end.offset ?? 0 }
  const slice = source.slice(place.start, place.end)
  const placeOf = (value: string): TextPlace | undefined => {
    const at = slice.indexOf(value)
    const start = place.start + at
    return at < 0 ? undefined : { start, end: start + value.length }
  }
  const children = (parent: Parents) =>
    parent.children.map((child, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name
      <Fragment key={index}>{drawMarkdown(child, source, drawText)}</Fragment>
    ))
  const element = plainElements[node.type]
  if (element !== undefined) return createElement(element, null, children(node as Parents))
  switch (node.type) {
    case 'root':
      return children(node)
    case 'heading':
      return createElement(`h${Math.min(node.depth + 2, 6)}`, null, children(node))
    case 'list':
      return createElement(
        node.ordered ? 'ol' : 'ul',
        node.ordered ? { start: node.start ?? 1 } : null,
        children(node),
      )
    case 'table':
      return (
        <div className="wide">
          <table>
            <tbody>{children(node)}</tbody>
          </table>
        </div>
      )
    case 'tableCell':
      return <td>{children(node)}</td>
    case 'inlineCode':
      return <code>{drawText(node.value, placeOf(node.value), place)}</code>
    case 'code':
      return (
        <pre>
          <code>{drawText(node.value, placeOf(node.value), place)}</code>
        </pre>
      )
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'link':
      return /^https?:\/\//i.test(node.url) ? (
        <a href={node.url} target="_blank" rel="noreferrer noopener">
          {children(node)}
        </a>
      ) : (
        children(node)
      )
    case 'text':
      return drawText(node.value, node.value === slice ? place : undefined, place)
    case 'definition':
      return null
    default:
      // Pictures, HTML and references to definitions stay the text that they are.
      return drawText(slice, place, place)
  }
}
