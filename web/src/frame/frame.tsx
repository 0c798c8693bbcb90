import { Component, lazy, type ReactNode, Suspense, useState } from 'react'
import { hasToken, keepToken, whenRefused } from '../api/client.ts'
import { AskPage } from '../ask/ask-page.tsx'
import { addressOf, type Route, useRoute } from '../route.ts'
import { RunPage } from '../run/run-page.tsx'
import { RunsPage } from '../runs/runs-page.tsx'
import { texts } from '../texts.ts'
import styles from './frame.module.css'
import { Keys } from './keys.tsx'

/** The page: the rail with its places, and the place. */
export function Frame(): ReactNode {
  const route = useRoute()
  const [isOpen, setOpen] = useState(hasToken)
  const [isWrong, setWrong] = useState(false)
  whenRefused(() => {
    setWrong(hasToken())
    setOpen(false)
  })
  return (
    <div className={styles.frame}>
      <button type="button" className={styles.skip} onClick={focusContent}>
        {texts.skip}
      </button>
      <Rail place={route.place} />
      <main id="content" tabIndex={-1} className={styles.main}>
        {isOpen ? (
          <Place route={route} />
        ) : (
          <TokenForm isWrong={isWrong} onOpen={() => setOpen(true)} />
        )}
      </main>
      <p id="announcements" aria-live="polite" className="hidden" />
      <Keys />
    </div>
  )
}

const ComparePage = lazy(() =>
  import('../compare/compare-page.tsx').then(({ ComparePage: page }) => ({ default: page })),
)
const InsidePage = lazy(() =>
  import('../inside/inside-page.tsx').then(({ InsidePage: page }) => ({ default: page })),
)
const LibraryPage = lazy(() =>
  import('../library/library-page.tsx').then(({ LibraryPage: page }) => ({ default: page })),
)
const SourcePage = lazy(() =>
  import('../library/source-page.tsx').then(({ SourcePage: page }) => ({ default: page })),
)

/** A place whose code is loaded when it is first visited. */
class Later extends Component<{ readonly children: ReactNode }, { readonly isLost: boolean }> {
  override state = { isLost: false }

  static getDerivedStateFromError() {
    return { isLost: true }
  }

  override render(): ReactNode {
    if (this.state.isLost)
      return (
        <div className={styles.document} role="alert">
          <h1>{texts.notLoaded.title}</h1>
          <p>{texts.notLoaded.why}</p>
          <p>
            <button type="button" className="main" onClick={() => location.reload()}>
              {texts.tryAgain}
            </button>
          </p>
        </div>
      )
    return (
      <Suspense fallback={<p className={styles.document}>{texts.loading}</p>}>
        {this.props.children}
      </Suspense>
    )
  }
}

function focusContent(): void {
  document.getElementById('content')?.focus()
}

function Place({ route }: { readonly route: Route }): ReactNode {
  switch (route.place) {
    case 'run':
      return (
        <RunPage
          key={route.runId}
          runId={route.runId}
          sentence={route.sentence}
          source={route.source}
          isOpen={route.isOpen ?? false}
        />
      )
    case 'runs':
      return <RunsPage />
    case 'compare':
      return (
        <Later key="compare">
          <ComparePage first={route.first} second={route.second} />
        </Later>
      )
    case 'inside':
      return (
        <Later key={`inside ${route.runId}`}>
          <InsidePage runId={route.runId} view={route.view ?? 'time'} seq={route.seq} />
        </Later>
      )
    case 'ask':
      return <AskPage />
    case 'library':
      return (
        <Later key="library">
          <LibraryPage />
        </Later>
      )
    case 'source': {
      const { sourceId, span } = route
      return (
        <Later key={`${sourceId} ${span?.start}`}>
          <SourcePage id={sourceId} span={span} />
        </Later>
      )
    }
    default: {
      const [title, what, command] = texts.elsewhere[route.place === 'setUp' ? 'setUp' : 'agents']
      return (
        <div className={styles.document}>
          <h1>{title}</h1>
          <p>{what}</p>
          <pre>{command}</pre>
        </div>
      )
    }
  }
}

/** In which place of the rail another one lies. */
const within: Readonly<Partial<Record<Route['place'], (typeof places)[number]>>> = {
  run: 'runs',
  inside: 'runs',
  compare: 'runs',
  source: 'library',
  agent: 'agents',
  papers: 'ask',
  verify: 'setUp',
}
const places = ['ask', 'runs', 'library', 'agents', 'setUp'] as const

function Rail({ place }: { readonly place: Route['place'] }): ReactNode {
  const current = within[place] ?? place
  return (
    <nav className={styles.rail} aria-label={texts.placesLabel}>
      <span className={styles.product}>{texts.product}</span>
      <ul>
        {places.map((name) => (
          <li key={name}>
            <a
              href={addressOf({ place: name })}
              aria-current={name === current ? 'page' : undefined}
            >
              {texts.places[name]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Asks for the token, when the address did not bring it. */
function TokenForm({
  isWrong,
  onOpen,
}: {
  readonly isWrong: boolean
  readonly onOpen: () => void
}): ReactNode {
  const [text, setText] = useState('')
  return (
    <form
      className={styles.document}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === '') return
        keepToken(text)
        onOpen()
      }}
    >
      <h1>{texts.token.title}</h1>
      <p>{texts.token.why}</p>
      {isWrong && (
        <p role="alert" className="tone-bad">
          {texts.token.wrong}
        </p>
      )}
      <label>
        {texts.token.label}
        <input
          type="password"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <p>
        <button type="submit" className="main">
          {texts.token.open}
        </button>
      </p>
    </form>
  )
}
