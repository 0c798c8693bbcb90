import { type ReactNode, useEffect, useState } from 'react'
import type { CitedAnswer, Claim } from '../api/answer.ts'
import { call } from '../api/client.ts'
import { addressOf } from '../route.ts'
import { MarkedText } from '../source/marked-text.tsx'
import { texts } from '../texts.ts'
import styles from './proof.module.css'
import { looks } from './verdicts.ts'

interface ProofProps {
  readonly runId: string
  readonly answer: CitedAnswer
  /** From 1. */
  readonly sentence: number
  readonly source: number | undefined
  readonly choose: (sentence: number, source?: number) => void
  readonly close: () => void
}

/** The proof of a sentence: the passage it rests on, the verdict, who gave it and why. */
export function Proof({ runId, answer, sentence, source, choose, close }: ProofProps): ReactNode {
  const { claims, citations } = answer
  const claim = claims[sentence - 1]
  if (claim === undefined) return null
  const n = sourceOf(claim, source)
  const cited = citations.find((one) => one.n === n)
  const evidence = claim.evidence.find((one) => one.n === n)
  const others = claim.citations.filter((one) => one !== n)
  const { tone, shape } = looks[claim.verdict]
  const place = [
    evidence?.page && texts.proof.where.page(evidence.page),
    evidence?.section !== cited?.title && evidence?.section,
  ]
  return (
    <>
      <header className={styles.head}>
        <h2>
          {n !== undefined && <span className={styles.number}>[{n}]</span>}
          {cited?.title ?? texts.answer.sentence(sentence)}
        </h2>
        <button type="button" className="quiet" onClick={close} aria-keyshortcuts="Escape">
          {texts.close}
        </button>
      </header>
      <p className={`${styles.place} soft`}>
        <span>{[cited?.path, ...place].filter(Boolean).join(' · ')}</span>
        {n !== undefined && (
          <a href={addressOf({ place: 'run', runId, sentence, source: n, isOpen: true })}>
            ↗ {texts.source.open}
          </a>
        )}
        {cited?.url && /^https?:/i.test(cited.url) && (
          <a href={cited.url} target="_blank" rel="noreferrer noopener">
            {texts.proof.address}
          </a>
        )}
      </p>
      <p className={`${styles.verdict} tone-${tone}`}>
        <span aria-hidden="true">{shape}</span> {texts.verdicts[claim.verdict]}
      </p>
      {evidence === undefined ? (
        <p className={styles.none}>{texts.proof.noPlace}</p>
      ) : (
        <Passage key={`${n} ${evidence.start}`} runId={runId} evidence={evidence} />
      )}
      <Reasons claim={claim} />
      {others.length > 0 && (
        <p className={styles.others}>
          {texts.proof.other}{' '}
          {others.map((one) => (
            <button key={one} type="button" onClick={() => choose(sentence, one)}>
              [{one}]<span className="hidden"> {citations.find((s) => s.n === one)?.title}</span>
            </button>
          ))}
        </p>
      )}
      <nav className={styles.steps} aria-label={texts.proof.label}>
        <button type="button" disabled={sentence <= 1} onClick={() => choose(sentence - 1)}>
          ‹ {texts.proof.previous}
        </button>
        <span className="soft">{texts.proof.position(sentence, claims.length)}</span>
        <button
          type="button"
          disabled={sentence >= claims.length}
          onClick={() => choose(sentence + 1)}
        >
          {texts.proof.next} ›
        </button>
      </nav>
    </>
  )
}

/** The number of the source that is shown for a sentence: the wanted one if the sentence cites it. */
export function sourceOf({ evidence, citations }: Claim, wanted: number | undefined) {
  const isCited = wanted !== undefined && citations.includes(wanted)
  return isCited ? wanted : (evidence[0]?.n ?? citations[0])
}

/** Why the verdict is what it is, with the words that differ side by side. */
function Reasons({ claim }: { readonly claim: Claim }): ReactNode {
  const { reason, judge, secondOpinion, disputedBy } = claim
  const pairs = [...reason.matchAll(/"([^"]+)" in the answer, "([^"]+)" in the source/g)]
  return (
    <div className={styles.reasons}>
      {pairs.length > 0 && (
        <dl>
          {pairs.map(([whole, said, read]) => (
            <div key={whole}>
              <dt>{texts.proof.inAnswer}</dt>
              <dd>{said}</dd>
              <dt>{texts.proof.inSource}</dt>
              <dd>{read}</dd>
            </div>
          ))}
        </dl>
      )}
      <p>{reason}</p>
      <p className="soft">
        {texts.proof.judgedBy(judgeName(judge))}{' '}
        {secondOpinion &&
          texts.proof.second(
            judgeName(secondOpinion.judge),
            texts.verdicts[secondOpinion.verdict],
          )}{' '}
        {disputedBy && texts.proof.disputed}
      </p>
    </div>
  )
}

/** Who judged, for people. */
export function judgeName(judge: string): string {
  if (judge === 'code') return texts.answer.code
  return judge === 'none' ? texts.answer.nobody : judge
}

/** Characters around the quotation. */
const aroundChars = 300
const maxChars = 20_000

interface PassageProps {
  readonly runId: string
  readonly evidence: Claim['evidence'][number]
}

/** The words that the verdict rests on, marked in the lines around them. */
function Passage({ runId, evidence }: PassageProps): ReactNode {
  const { n, start, end, quote } = evidence
  const [read, setRead] = useState<{ text: string; start: number; kind: string }>()
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    const control = new AbortController()
    const from = Math.max(0, start - aroundChars)
    const chars = Math.min(end - from + aroundChars, maxChars)
    call('GET /api/runs/{id}/sources/{n}', {
      path: { id: runId, n },
      query: { start: from, chars },
      signal: control.signal,
    }).then(
      ({ text, kind, totalChars }) => {
        const first = from === 0 ? 0 : text.slice(0, start - from).search(/(?<=\s)\S/)
        const cut = Math.max(0, first)
        const last = from + chars < totalChars ? text.slice(end - from).search(/\s\S*$/) : -1
        const to = last < 0 ? text.length : end - from + last
        const isSame = text.slice(start - from, end - from).includes(quote.slice(0, 20))
        setLost(!isSame)
        setRead({ text: text.slice(cut, to), start: from + cut, kind })
      },
      () => setLost(!control.signal.aborted),
    )
    return () => control.abort()
  }, [runId, n, start, end, quote])
  if (isLost)
    return (
      <>
        <p className="soft">{texts.proof.lost}</p>
        <blockquote className={styles.passage}>
          <mark>{quote}</mark>
        </blockquote>
      </>
    )
  return (
    <blockquote className={styles.passage}>
      {read === undefined ? (
        <mark>{quote}</mark>
      ) : (
        <MarkedText {...read} marks={[{ start, end, isChosen: true }]} />
      )}
    </blockquote>
  )
}
