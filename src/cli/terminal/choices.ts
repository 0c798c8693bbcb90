import { type Edited, lineStart } from './edit-text.ts'
import type { Choice, Choices } from './editor-state.ts'

/** What can be completed. */
export interface Completed {
  /** What a request can begin with, such as `/help`. */
  commands(): readonly Choice[]
  /** Paths that fit what was typed, the best first. */
  paths(typed: string, most: number): readonly string[]
}

const mostPaths = 30

/** What fits what stands before the cursor: commands at the beginning of the text, files behind an `@`. */
export function choicesFor({ text, cursor }: Edited, completed: Completed): Choices | undefined {
  const before = text.slice(0, cursor)
  const command = /^\/([^\s/]*)$/.exec(before)
  if (command !== null) {
    const typed = (command[1] ?? '').toLowerCase()
    const items = completed
      .commands()
      .filter(({ text }) => text.toLowerCase().startsWith(`/${typed}`))
    return { from: 0, items, takesEnter: false }
  }
  const mention = /(?:^|[\s("'`])@([^\s"'`()<>]*)$/.exec(
    text.slice(lineStart(text, cursor), cursor),
  )
  if (mention === null) return undefined
  const typed = mention[1] ?? ''
  const paths = completed.paths(typed, mostPaths)
  const items = paths.map((path) => ({ text: `@${path}`, note: '' }))
  const isWhole = paths.includes(typed) || typed === ''
  return { from: cursor - typed.length - 1, items, takesEnter: !isWhole }
}
