import { type ReactNode, useEffect, useState } from 'react'
import { call, describeError } from '../api/client.ts'
import type { RunGraph } from '../api/operations.ts'
import { addressOf } from '../route.ts'
import { texts } from '../texts.ts'
import { end, layOut, type PlacedNode } from './graph-layout.ts'
import styles from './inside.module.css'

const { inside: said } = texts
/** More visits of nodes are listed when that is wanted. */
const maxVisits = 200

/** The graph with the way that the run took. @param ends how many nodes have ended: the graph is read again when there are more */
export function GraphView({
  runId,
  ends,
}: {
  readonly runId: string
  readonly ends: number
}): ReactNode {
  const [graph, setGraph] = useState<RunGraph>()
  const [problem, setProblem] = useState('')
  const [isWhole, setWhole] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when nodes have ended
  useEffect(() => {
    const control = new AbortController()
    const { signal } = control
    call('GET /api/runs/{id}/graph', { path: { id: runId }, signal }).then(
      setGraph,
      (error: unknown) => signal.aborted || setProblem(describeError(error)),
    )
    return () => control.abort()
  }, [runId, ends])
  if (problem !== '') return <p role="alert">{problem}</p>
  if (graph === undefined) return <p className="soft">{texts.loading}</p>
  if (graph.way.length === 0) return <p>{said.noGraph}</p>
  const way = isWhole ? graph.way : graph.way.slice(0, maxVisits)
  return (
    <>
      <section aria-labelledby="graph" className={styles.section}>
        <h2 id="graph">{said.graph}</h2>
        <p className="soft">{said.graphHint}</p>
        <Drawing graph={graph} runId={runId} />
      </section>
      <section aria-labelledby="way" className={styles.section}>
        <h2 id="way">{said.way(graph.way.length)}</h2>
        <ol className={styles.way}>
          {way.map(({ key, node, seq, branches }) => (
            <li key={seq}>
              <a href={addressOf({ place: 'inside', runId, view: 'graph', seq })} data-seq={seq}>
                {node}
              </a>{' '}
              <span className="soft small">
                {key.slice(key.indexOf('/') + 1)}
                {branches !== undefined && ` · ${said.branches(branches)}`}
              </span>
            </li>
          ))}
        </ol>
        {way.length < graph.way.length && (
          <button type="button" onClick={() => setWhole(true)}>
            {said.wholeWay(graph.way.length)}
          </button>
        )}
      </section>
    </>
  )
}

function Drawing({
  graph,
  runId,
}: {
  readonly graph: RunGraph
  readonly runId: string
}): ReactNode {
  const { nodes, edges, width, height } = layOut(graph)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section className={styles.scroll} tabIndex={0} aria-label={said.scrolls(said.graph)}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        className={styles.graph}
      >
        <title>{said.graphLabel(graph.nodes.length, graph.way.length)}</title>
        {edges.map(({ from, to, path, taken, labelX, labelY }) => (
          <g key={`${from} ${to}`} className={taken > 0 ? styles.taken : styles.edge}>
            <path d={path}>
              <title>{said.edge(from, to === end ? said.end : to, taken)}</title>
            </path>
            {taken > 1 && (
              <text x={labelX} y={labelY}>
                {taken}×
              </text>
            )}
          </g>
        ))}
        {nodes.map((node) => (
          <Node key={node.name} node={node} graph={graph} runId={runId} />
        ))}
      </svg>
    </section>
  )
}

function Node({
  node,
  graph,
  runId,
}: {
  readonly node: PlacedNode
  readonly graph: RunGraph
  readonly runId: string
}): ReactNode {
  const { name, x, y, width, height, visits, caption } = node
  const last = graph.way.findLast((visit) => visit.node === name)
  const label = name === end ? said.end : name
  const drawn = (
    <>
      <rect x={x} y={y} width={width} height={height} rx={name === end ? height / 2 : 6} />
      <text x={x + width / 2} y={y + (caption ? 18 : height / 2 + 5)}>
        {label.length > 16 ? `${label.slice(0, 15)}…` : label}
        {visits > 1 && ` ${visits}×`}
      </text>
      {caption && (
        <text x={x + width / 2} y={y + 33} className={styles.caption}>
          {caption.length > 20 ? `${caption.slice(0, 19)}…` : caption}
        </text>
      )}
    </>
  )
  const isReached = graph.edges.some(({ to, taken }) => to === name && taken > 0)
  if (last === undefined) return <g className={isReached ? styles.visited : styles.node}>{drawn}</g>
  return (
    <a
      href={addressOf({ place: 'inside', runId, view: 'graph', seq: last.seq })}
      className={styles.visited}
    >
      {drawn}
    </a>
  )
}
