import type { GraphPicture } from '../../graph/draw-graph.ts'
import { cutText } from '../../kernel/text/cut-text.ts'
import { type AgentDocument, type AgentNode, endTarget } from './agent-document.ts'
import { startName } from './edge-routes.ts'

/** A document as data for drawing: its graph, what its nodes are and what its edges depend on. */
export interface DocumentPicture extends GraphPicture {
  /**
   * What each node is, by name: `llm.call`, `python`, `3 steps`, and whether a person is asked: `python, waits
   * before`.
   */
  readonly captions: Readonly<Record<string, string>>
  readonly edges: readonly {
    readonly from: string
    readonly to: string
    readonly isConditional: boolean
    readonly isParallel: boolean
    readonly label?: string
  }[]
}

/**
 * The nodes and edges of a document. A start with conditions or branches becomes a node `__start__`. Unreachable nodes
 * are included.
 */
export function drawDocument(document: AgentDocument): DocumentPicture {
  const { name, start, nodes, edges } = document
  const isPlain = start.kind === 'to'
  const drawn = edges.filter(({ from }) => !isPlain || from !== startName)
  return {
    name,
    start: isPlain ? start.target : startName,
    nodes: [...(isPlain ? [] : [startName]), ...nodes.map((node) => node.name)],
    captions: Object.fromEntries(
      nodes.map((node) => {
        const parts = [formatCaption(node), ...listWaits(document, node)]
        return [node.name, parts.filter((part) => part !== '').join(', ')]
      }),
    ),
    edges: drawn.map(({ from, to, kind, label }) => ({
      from,
      to,
      isConditional: kind === 'conditional' || kind === 'fallback',
      isParallel: kind === 'parallel',
      ...(label === undefined ? {} : { label }),
    })),
  }
}

/** Where a person is asked. */
function listWaits({ interruptBefore, interruptAfter }: AgentDocument, { name }: AgentNode) {
  return [
    ...(interruptBefore.includes(name) ? ['waits before'] : []),
    ...(interruptAfter.includes(name) ? ['waits after'] : []),
  ]
}

function formatCaption(node: AgentNode): string {
  switch (node.kind) {
    case 'action':
      return node.action
    case 'code':
      return node.language
    case 'expression':
      return 'expression'
    case 'steps':
      return node.steps.length === 0 ? '' : formatCount(node.steps.length, 'step')
    case 'while':
      return `up to ${formatCount(node.maxIterations, 'round')}`
    case 'each':
      return 'for each item'
  }
}

function formatCount(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/**
 * A picture as a Mermaid flow chart; conditional edges are dotted, parallel ones thick.
 * @see https://mermaid.js.org/syntax/flowchart.html
 */
export function pictureToMermaid({ start, nodes, edges, captions }: DocumentPicture): string {
  const ids = new Map(nodes.map((node, index) => [node, `n${index}`]))
  const idOf = (node: string) => ids.get(node) ?? 'stop'
  const lines = [
    'flowchart TD',
    '  begin((start))',
    ...nodes.map(
      (node) => `  ${idOf(node)}["${escapeMermaid(formatTitle(node, captions, '<br>'))}"]`,
    ),
    '  stop((end))',
    `  begin --> ${idOf(start)}`,
    ...edges.map(({ from, to, isConditional, isParallel, label }) => {
      const arrow = isParallel ? '==>' : isConditional ? '-.->' : '-->'
      const text = label === undefined ? '' : `|"${escapeMermaid(shorten(label))}"|`
      return `  ${idOf(from)} ${arrow}${text} ${idOf(to)}`
    }),
  ]
  return `${lines.join('\n')}\n`
}

/**
 * A picture in the DOT language of Graphviz; conditional edges are dashed, parallel ones bold.
 * @see https://graphviz.org/doc/info/lang.html
 */
export function pictureToDot({ name, start, nodes, edges, captions }: DocumentPicture): string {
  const endShape = `  ${escapeDot(endTarget)} [label="end", shape=doublecircle];`
  const lines = [
    `digraph ${escapeDot(name)} {`,
    '  node [shape=box];',
    '  "__begin__" [label="start", shape=circle];',
    ...nodes.map(
      (node) => `  ${escapeDot(node)} [label=${escapeDot(formatTitle(node, captions, '\n'))}];`,
    ),
    endShape,
    `  "__begin__" -> ${escapeDot(start)};`,
    ...edges.map(({ from, to, isConditional, isParallel, label }) => {
      const style = isParallel ? 'bold' : isConditional ? 'dashed' : 'solid'
      const text = label === undefined ? '' : `, label=${escapeDot(shorten(label))}`
      return `  ${escapeDot(from)} -> ${escapeDot(to)} [style=${style}${text}];`
    }),
    '}',
  ]
  return `${lines.join('\n')}\n`
}

function formatTitle(
  node: string,
  captions: Readonly<Record<string, string>>,
  between: string,
): string {
  const caption = Object.hasOwn(captions, node) ? captions[node] : ''
  return caption === '' || caption === undefined ? node : `${node}${between}${caption}`
}

/** A one-line label that fits next to an arrow. */
function shorten(label: string): string {
  const line = label.replaceAll(/\s+/g, ' ').trim()
  return cutText(line, 60)
}

/** Mermaid reads `#code;` as a character and has no other way to quote quotation marks. */
function escapeMermaid(text: string): string {
  return text.replaceAll(/[#"&{}|]|<(?!br>)|(?<!<br)>/g, (sign) => `#${sign.charCodeAt(0)};`)
}

function escapeDot(text: string): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
  return `"${escaped}"`
}
