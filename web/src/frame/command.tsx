import { type ReactNode, useState } from 'react'
import { askTexts as said } from '../texts/ask.ts'
import styles from './frame.module.css'

/** A command for the terminal that can be copied. */
export function Command({ text }: { readonly text: string }): ReactNode {
  const [isCopied, setCopied] = useState<boolean>()
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <div className={styles.command}>
      <pre>{text}</pre>
      <button type="button" onClick={copy} aria-label={`${said.copy}: ${text}`}>
        {said.copy}
      </button>
      <span role="status" className="small">
        {isCopied !== undefined && (isCopied ? said.copied : said.notCopied)}
      </span>
    </div>
  )
}
