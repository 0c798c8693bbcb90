import type { ReactNode } from 'react'
import type { RunFigures } from '../api/operations.ts'
import { texts } from '../texts.ts'
import styles from './runs.module.css'

const groups = [
  ['good', '✓', ['verbatim', 'supported']],
  ['part', '~', ['partial', 'unchecked']],
  ['bad', '≠', ['altered', 'contradicted']],
  ['open', '?', ['notFound', 'uncited', 'unavailable']],
] as const

/** How the claims of an answer stand: a bar of the verdicts' shapes, each as wide as its share. */
export function CoverageBar({
  coverage,
}: {
  readonly coverage: NonNullable<RunFigures['coverage']>
}): ReactNode {
  const counts = groups.map(([tone, shape, names]) => ({
    tone,
    shape,
    count: names.reduce((sum, name) => sum + (coverage[name] ?? 0), 0),
  }))
  const shown = counts.filter(({ count }) => count > 0)
  if (shown.length === 0) return null
  const label = shown.map(({ tone, count }) => texts.runs.coverage[tone](count)).join(', ')
  return (
    <span role="img" aria-label={label} title={label} className={styles.bar}>
      {shown.map(({ tone, shape, count }) => (
        <span key={tone} className={`tone-${tone}`} style={{ flexGrow: count }}>
          {shape}
          {count > 1 && <small>{count}</small>}
        </span>
      ))}
    </span>
  )
}
