import { InertStream, toInertMarkdown } from '../claims/verify/inert-markdown.ts'

/**
 * A model's output as pieces for an editor, which cannot take anything back and renders Markdown. What could become a
 * thought or a call written as text is held back until it is complete; what would load something, until it is known
 * whether it is code.
 */
export class AnswerStream {
  private readonly shown = new InertStream()
  private readonly shownThought = new InertStream()
  private text = ''
  private sentTo = 0
  private thinking = ''

  /** Adds a piece of the answer. Returns what to send. */
  push(piece: string): string {
    this.text += piece
    if (isHeldBack(this.text)) return ''
    return this.take(this.text.length)
  }

  /** Adds a piece of a thought. Returns what to send. */
  pushThought(piece: string): string {
    this.thinking += piece
    return this.shownThought.push(piece)
  }

  /** Returns what was held back of a finished thought. */
  endThought(): string {
    return this.shownThought.end()
  }

  /** Whether a thought was already sent as it was written. */
  hasThought(thought: string): boolean {
    return this.thinking.includes(thought.trim())
  }

  /** Takes the complete answer. Returns what has not been sent. */
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

  /** The model starts again. Returns the remark on what was sent. */
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
