/** A span of what a model wrote: its answer, or its reasoning. */
export interface TextPiece {
  readonly kind: 'text' | 'reasoning'
  readonly text: string
}

const openers: readonly string[] = ['<think>', '<thinking>', '<reasoning>']
const closers: Readonly<Record<string, RegExp>> = {
  '</think>': /<\/think>/i,
  '</thinking>': /<\/thinking>/i,
  '</reasoning>': /<\/reasoning>/i,
}

/** White space before an opener is waited out up to this length. */
const maxHeldLength = 256

/**
 * Separates thoughts from the answer in a text that comes bit by bit. Models without a channel for thoughts put them into
 * `<think>`, `<thinking>` or `<reasoning>` at the beginning; the same tags further on are text. A block without an end is
 * all thoughts.
 */
export class ThinkingSplitter {
  private state: 'start' | 'thinking' | 'answer' = 'start'
  private held = ''
  private closer = ''

  /** What can be said of the text so far; what may be a part of a tag is held back. */
  push(delta: string): readonly TextPiece[] {
    if (this.state === 'answer') return delta === '' ? [] : [{ kind: 'text', text: delta }]
    this.held += delta
    const pieces: TextPiece[] = []
    while (this.step(pieces));
    return pieces
  }

  /** What was held back, once the text has ended. The next text begins anew. */
  end(): readonly TextPiece[] {
    const { state, held, closer } = this
    this.state = 'start'
    this.held = ''
    this.closer = ''
    if (held === '' || (closer !== '' && state === 'start' && held.trim() === '')) return []
    return [{ kind: state === 'thinking' ? 'reasoning' : 'text', text: held }]
  }

  /** Moves on by one tag; `false` when more text is needed. */
  private step(pieces: TextPiece[]): boolean {
    return this.state === 'start' ? this.begin(pieces) : this.think(pieces)
  }

  private begin(pieces: TextPiece[]): boolean {
    const { held } = this
    const begun = held.trimStart().slice(0, maxHeldLength).toLowerCase()
    const opener = openers.find((tag) => begun.startsWith(tag))
    if (opener !== undefined) {
      this.state = 'thinking'
      this.closer = opener.replace('<', '</')
      this.held = held.trimStart().slice(opener.length)
      return true
    }
    if (held.length < maxHeldLength && openers.some((tag) => tag.startsWith(begun))) return false
    const text = this.closer === '' ? held : held.trimStart()
    this.state = 'answer'
    this.held = ''
    if (text !== '') pieces.push({ kind: 'text', text })
    return false
  }

  private think(pieces: TextPiece[]): boolean {
    const { held, closer } = this
    const end = held.search(closers[closer] as RegExp)
    const cut = end < 0 ? startOfPartialTag(held, closer) : end
    if (cut > 0) pieces.push({ kind: 'reasoning', text: held.slice(0, cut) })
    this.held = held.slice(end < 0 ? cut : end + closer.length)
    if (end >= 0) this.state = 'start'
    return end >= 0
  }
}

/** A whole text in its pieces, neighbours of one kind joined, thoughts trimmed and empty ones left out. */
export function splitThinking(text: string): readonly TextPiece[] {
  const splitter = new ThinkingSplitter()
  const pieces: TextPiece[] = []
  for (const piece of [...splitter.push(text), ...splitter.end()]) {
    const last = pieces.at(-1)
    if (last?.kind === piece.kind) pieces[pieces.length - 1] = joined(last, piece)
    else pieces.push(piece)
  }
  const split = pieces.length === 1 && pieces[0]?.kind === 'text' ? splitAtLoneEnd(text) : pieces
  return split.flatMap((piece) => {
    if (piece.kind === 'text') return [piece]
    const thought = piece.text.trim()
    return thought === '' ? [] : [{ kind: piece.kind, text: thought }]
  })
}

function joined(first: TextPiece, second: TextPiece): TextPiece {
  return { kind: first.kind, text: first.text + second.text }
}

/**
 * Some templates (DeepSeek R1, QwQ) put the opener into the prompt, so that only the end of the thoughts is in the answer:
 * once, at the beginning or the end of a line, and in no code.
 */
function splitAtLoneEnd(text: string): readonly TextPiece[] {
  const whole: readonly TextPiece[] = [{ kind: 'text', text }]
  const end = text.indexOf('</think>')
  if (end < 0 || /<think|`<\/think>/i.test(text)) return whole
  const [before, after] = [text.slice(0, end), text.slice(end + '</think>'.length)]
  const isOwnLine = /(?:^|\n)[ \t]*$/.test(before) || /^[ \t]*(?:\n|$)/.test(after)
  const isInCode = (before.match(/^\s*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1
  if (!isOwnLine || isInCode || after.includes('</think>')) return whole
  const answer = after.trimStart()
  const thoughts: readonly TextPiece[] = [{ kind: 'reasoning', text: before }]
  return answer === '' ? thoughts : [...thoughts, { kind: 'text', text: answer }]
}

/** Where a tag may have begun at the end of a text; its length when nowhere. */
function startOfPartialTag(text: string, tag: string): number {
  for (let at = Math.max(0, text.length - tag.length + 1); at < text.length; at++) {
    if (tag.startsWith(text.slice(at).toLowerCase())) return at
  }
  return text.length
}
