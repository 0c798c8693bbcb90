import { type ReactNode, useState } from 'react'
import type { CitedAnswer } from '../api/answer.ts'
import { texts } from '../texts.ts'
import styles from './answer.module.css'
import { AnswerText } from './answer-text.tsx'
import { judgeName } from './proof.tsx'
import { Sources } from './sources.tsx'
import { doubts, looks } from './verdicts.ts'

interface AnswerViewProps {
  readonly runId: string
  readonly answer: CitedAnswer
  readonly sentence: number | undefined
  readonly source: number | undefined
  readonly choose: (sentence: number, source?: number) => void
}

/** An answer with how much of it holds, its sources and what is missing. */
export function AnswerView({
  runId,
  answer,
  sentence,
  source,
  choose,
}: AnswerViewProps): ReactNode {
  const isExtractive = Object.values(answer.models).every((name) => name === 'extractive')
  return (
    <>
      {answer.answer === '' ? (
        <p className={styles.text}>{texts.answer.none}</p>
      ) : (
        <AnswerText {...{ answer, source, choose }} chosen={sentence} />
      )}
      <CoverageLine answer={answer} />
      {isExtractive && <p className="soft small">{texts.answer.extractive}</p>}
      {answer.error && (
        <p className="tone-bad box">
          {answer.error.message} {answer.error.hint}
        </p>
      )}
      {answer.gaps.length > 0 && (
        <section>
          <h2>{texts.answer.gaps}</h2>
          <ul>
            {answer.gaps.map(({ source: from, detail }) => (
              <li key={`${from} ${detail}`}>{from ? `${from}: ${detail}` : detail}</li>
            ))}
          </ul>
        </section>
      )}
      <CopyButton answer={answer} />
      {answer.citations.length > 0 && <Sources runId={runId} answer={answer} />}
    </>
  )
}

/** How many sentences there are, were checked and hold, and who judged: never a score without its coverage. */
function CoverageLine({ answer }: { readonly answer: CitedAnswer }): ReactNode {
  const { coverage, claims } = answer
  if (claims.length === 0) return null
  const judges = [...new Set(claims.map(({ judge }) => judgeName(judge)))]
  return (
    <p className={styles.coverage}>
      <span>{texts.answer.coverage(coverage.claims)}</span>
      <span>{texts.answer.checked(coverage.checked)}</span>
      <span className="tone-good">
        ✓ {texts.answer.hold(coverage.verbatim + coverage.supported, coverage.verbatim)}
      </span>
      {doubts(coverage).map(([verdict, count]) => (
        <span key={verdict} className={`tone-${looks[verdict].tone}`}>
          {looks[verdict].shape} {count} {texts.verdicts[verdict]}
        </span>
      ))}
      <span className="soft">{texts.answer.judgedBy(judges.join(', '))}</span>
    </p>
  )
}

/** The answer with its sources as Markdown. */
export function toMarkdown({ question, answer, citations }: CitedAnswer): string {
  const sources = citations.map(({ n, title, url }) => `[${n}] ${title}${url ? `, <${url}>` : ''}`)
  return [
    ...(question ? [`# ${question}`] : []),
    answer,
    '## Sources',
    sources.join('\n\n'),
    '',
  ].join('\n\n')
}

function CopyButton({ answer }: { readonly answer: CitedAnswer }): ReactNode {
  const [said, setSaid] = useState('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(toMarkdown(answer))
      setSaid(texts.answer.copied)
    } catch {
      setSaid(texts.answer.notCopied)
    }
  }
  return (
    <p>
      <button type="button" onClick={copy}>
        {texts.answer.copy}
      </button>{' '}
      <span role="status">{said}</span>
    </p>
  )
}
