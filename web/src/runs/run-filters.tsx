import type { ReactNode, RefObject } from 'react'
import { texts } from '../texts.ts'
import styles from './runs.module.css'
import type { RunFilter } from './use-runs.ts'

const { runs: said } = texts

/** What the list of runs is filtered by. */
export function RunFilters({
  filter,
  change,
  input,
}: {
  readonly filter: RunFilter
  readonly change: (part: Partial<RunFilter>) => void
  readonly input: RefObject<HTMLInputElement | null>
}): ReactNode {
  const field = (name: 'from' | 'to' | 'minCostUsd', type: string) => (
    <label>
      {said.filters[name]}
      <input
        type={type}
        min={0}
        step="any"
        value={filter[name]}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </label>
  )
  const choice = (name: 'workflow' | 'status', options: Readonly<Record<string, string>>) => (
    <label>
      {said.filters[name]}
      <select value={filter[name]} onChange={(event) => change({ [name]: event.target.value })}>
        <option value="">{said.filters.all}</option>
        {Object.entries(options).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
  return (
    <search className={styles.filter}>
      <label className={styles.words}>
        {said.filter}
        <input
          ref={input}
          type="search"
          value={filter.text}
          placeholder={said.filterHint}
          onChange={(event) => change({ text: event.target.value })}
        />
      </label>
      {choice('workflow', said.kinds)}
      {choice('status', texts.statuses)}
      {field('from', 'date')}
      {field('to', 'date')}
      {field('minCostUsd', 'number')}
    </search>
  )
}
