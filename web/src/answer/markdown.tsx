import type { Nodes, Parents, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTable } from 'micromark-extension-gfm-table'
import { createElement, Fragment, type ReactNode } from 'react'

/** Draws a text that stands in the source from `start` to `end`. */
export type DrawText = (
  text: string,
  place: { start: number; end: number } | undefined,
) => ReactNode

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
      return <code>{node.value}</code>
    case 'code':
      return (
        <pre>
          <code>{node.value}</code>
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
      return drawText(node.value, node.value === slice ? place : undefined)
    case 'definition':
      return null
    default:
      // Pictures, HTML and references to definitions stay the text that they are.
      return drawText(slice, place)
  }
}
