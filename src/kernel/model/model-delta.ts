import type { Delta } from '../run/event.ts'
import { openSecretAt, redactSecrets } from '../run/secrets.ts'
import type { StreamListener } from './model-stream.ts'
import { type TextPiece, ThinkingSplitter } from './model-thinking.ts'

/**
 * Tells what a model writes while it writes it, thoughts and answer apart. A secret that comes in several bits is held back
 * until it is whole, and replaced.
 *
 * @param emit gets `{ kind, text, attempt }`; what an earlier attempt said no longer counts once a later one speaks
 */
export function createDeltaTeller(
  attempt: number,
  secrets: readonly string[],
  emit: (data: Delta) => void,
): StreamListener & { end(): void } {
  const splitter = new ThinkingSplitter()
  const tell = (kind: TextPiece['kind'], text: string) => {
    if (text !== '') emit({ kind, text, attempt })
  }
  const holders = { text: createHolder(secrets), reasoning: createHolder(secrets) }
  const hear = ({ kind, text }: TextPiece) => tell(kind, holders[kind].push(text))
  const endText = () => {
    for (const piece of splitter.end()) hear(piece)
  }
  return {
    onDelta(kind, text) {
      if (kind === 'reasoning') hear({ kind, text })
      else for (const piece of splitter.push(text)) hear(piece)
    },
    onTextEnd: endText,
    end() {
      endText()
      tell('reasoning', holders.reasoning.end())
      tell('text', holders.text.end())
    },
  }
}

interface Holder {
  /** What can be told of the text so far. */
  push(text: string): string
  end(): string
}

function createHolder(secrets: readonly string[]): Holder {
  let held = ''
  return {
    push(text) {
      const known = redactSecrets(held + text, secrets)
      const at = openSecretAt(known, secrets)
      held = known.slice(at)
      return known.slice(0, at)
    },
    end() {
      const rest = held
      held = ''
      return rest
    },
  }
}
