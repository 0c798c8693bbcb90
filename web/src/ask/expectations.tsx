import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../api/client.ts'
import type { AskRequest, Estimate, Models } from '../api/operations.ts'
import { Command } from '../frame/command.tsx'
import { addressOf } from '../route.ts'
import { askTexts as said } from '../texts/ask.ts'
import styles from './ask.module.css'

const { estimate: words, noModel } = said

/** What a question is expected to take; its line keeps its place while the estimate is asked for. */
export function Expected({
  depth,
}: {
  readonly depth: NonNullable<AskRequest['depth']>
}): ReactNode {
  const [estimate, setEstimate] = useState<Estimate | null>()
  useEffect(() => {
    const control = new AbortController()
    // The estimate does not depend on the question.
    const body = { workflow: 'ask', question: '?', depth } as const
    call('POST /api/estimate', { body, signal: control.signal }).then(
      setEstimate,
      () => control.signal.aborted || setEstimate(null),
    )
    return () => control.abort()
  }, [depth])
  return (
    <p className={`soft small ${styles.expected}`} role="status">
      {estimate === null && words.none}
      {estimate && describeEstimate(estimate)}
    </p>
  )
}

function describeEstimate({ modelCalls, tokens, costUsd, earlierRuns }: Estimate): string {
  const parts = [
    words.calls(modelCalls.from, modelCalls.to),
    ...(tokens.to > 0 ? [words.tokens(tokens.from, tokens.to)] : []),
    costUsd === null ? words.noPrice : words.cost(costUsd.from, costUsd.to),
  ]
  const basis = earlierRuns === 0 ? words.rough : words.earlier(earlierRuns)
  return `${words.expected}: ${parts.join(', ')} (${basis})`
}

/** The models of a question by role, or what to do when there is none. */
export function ModelsInUse(): ReactNode {
  const [models, setModels] = useState<Models['roles']>([])
  useEffect(() => {
    call('GET /api/models', {}).then(
      ({ roles }) => setModels(roles.filter(({ role }) => role in said.roles)),
      () => {},
    )
  }, [])
  if (models.length === 0) return null
  if (models.every(({ name }) => name === 'extractive')) return <NoModel />
  return (
    <details>
      <summary>
        {said.models}: <span className="soft">{namesOf(models).join(', ')}</span>
      </summary>
      <p className="soft small">
        {said.modelsWhy} <a href={addressOf({ place: 'setUp' })}>{noModel.more}</a>
      </p>
      <ul>
        {models.map(({ role, name, price }) => (
          <li key={role}>
            {name} <span className="soft">{said.roles[role]}</span>
            {price && (
              <span className="soft small">
                {' · '}
                {said.perMillion(price.inputUsdPerMTok, price.outputUsdPerMTok)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

function namesOf(models: Models['roles']): readonly string[] {
  return [...new Set(models.map(({ name }) => name))]
}

function NoModel(): ReactNode {
  return (
    <section className={styles.noModel} aria-labelledby="no-model">
      <h2 id="no-model">{noModel.title}</h2>
      <p>{noModel.why}</p>
      <p>{noModel.local}</p>
      <Command text={noModel.localCommand} />
      <p>{noModel.service}</p>
      <Command text={noModel.serviceCommand} />
      <p>
        <a href={addressOf({ place: 'setUp' })}>{noModel.more}</a>
      </p>
    </section>
  )
}
