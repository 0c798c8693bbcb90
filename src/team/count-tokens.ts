/** How many tokens a text is. */
export type TokenCounter = (text: string) => number

/** Short texts are words, which come again and again: looking one up is much faster than counting its tokens. */
const maxRememberedUnits = 32
const maxRemembered = 100_000

/** Counts tokens as `cl100k_base` does; names of special tokens in a text are words like any other. Remembers words. */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base')
  const options = { disallowedSpecial: new Set<string>() }
  const known = new Map<string, number>()
  return (text) => {
    if (text.length > maxRememberedUnits) return countTokens(text, options)
    const before = known.get(text)
    if (before !== undefined) return before
    const tokens = countTokens(text, options)
    if (known.size < maxRemembered) known.set(text, tokens)
    return tokens
  }
}
