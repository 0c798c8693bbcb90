import { type ReactNode, useEffect, useRef } from 'react'
import { goTo } from '../route.ts'
import { texts } from '../texts.ts'

/** Calls what a key stands for, while nobody types and no modal dialog is open. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const known = useRef(keys)
  known.current = keys
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      const isTyping = target.matches('input:not([type=radio], [type=checkbox]), textarea, select')
      if (isTyping || document.querySelector('dialog:modal') !== null) return
      const act = known.current[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** After `g`, the key that says where is pressed within this time. */
const maxPrefixMs = 1_500

/** The list of keys, on `?`, and those that work everywhere. */
export function Keys(): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const goingSince = useRef(Number.NEGATIVE_INFINITY)
  const go = (place: 'ask' | 'runs' | 'library') => () => {
    if (performance.now() - goingSince.current < maxPrefixMs) goTo({ place })
    goingSince.current = Number.NEGATIVE_INFINITY
  }
  useKeys({
    '?': () => dialog.current?.showModal(),
    g: () => {
      goingSince.current = performance.now()
    },
    a: go('ask'),
    r: go('runs'),
    l: go('library'),
  })
  return (
    <dialog ref={dialog} aria-labelledby="keys">
      <h2 id="keys">{texts.keys.title}</h2>
      <dl>
        {texts.keys.list.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        {texts.close}
      </button>
    </dialog>
  )
}
