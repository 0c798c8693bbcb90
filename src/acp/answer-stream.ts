import { InertStream, toInertMarkdown } from '../claims/verify/inert-markdown.ts'

/**
 * What a model writes, as pieces for an editor, which takes nothing back and shows them as Markdown: what may turn out to be a
 * thought or a call that is written as text is held back until it is whole, and what would load something until it is known
 * whether it stands in code.
 */
export class AnswerStream {
  private readonly shown = new InertStream()
  private readonly shownThought = new InertStream()
  private text = ''
  private sentTo = 0
  private thinking = ''

  /** Takes a piece of the answer. Gives what is to be sent. */
  push(piece: string): string {
    this.text += piece
    if (isHeldBack(this.text)) return ''
    return this.take(this.text.length)
  }

  /** Takes a piece of a thought. Gives what is to be sent. */
  pushThought(piece: string): string {
    this.thinking += piece
    return this.shownThought.push(piece)
  }

  /** Gives what was held back of a thought that is over. */
  endThought(): string {
    return this.shownThought.end()
  }

  /** Whether a thought was sent already while it was thought. */
  hasThought(thought: string): boolean {
    return this.thinking.includes(thought.trim())
  }

  /** Takes the answer as it is when it is whole. Gives what was not sent of it yet. */
  end(whole: string): string {
    const { text, sentTo } = this
    const isThere = whole.split('\n').every((line) => text.includes(line.trim()))
    const missing =
      sentTo === 0
        ? toInertMarkdown(whole)
        : isThere
          ? this.shown.push(text.slice(sentTo)) + this.shown.end()
          : `${this.shown.end()}\n\n${toInertMarkdown(whole)}`
    this.reset()
    return missing
  }

  /** The model begins anew. Gives what is to be said of what was sent. */
  breakOff(): string {
    const isSent = this.sentTo > 0
    this.reset()
    return isSent ? '\n\n(The answer broke off there. It starts again:)\n\n' : ''
  }

  /** Forgets what was written. */
  reset(): void {
    this.shown.end()
    this.shownThought.end()
    this.text = ''
    this.sentTo = 0
    this.thinking = ''
  }

  private take(to: number): string {
    const piece = this.text.slice(this.sentTo, to)
    this.sentTo = to
    return this.shown.push(piece)
  }
}

function isHeldBack(text: string): boolean {
  return /^\s*(?:$|\{|\[\s*\{|`{1,2}$|```(?:json)?\s*(?:$|[[{])|<(?:tool|function|$))/.test(text)
}
