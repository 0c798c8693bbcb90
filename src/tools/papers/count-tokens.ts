/** How many tokens a text is. */
export type TokenCounter = (text: string) => number

/** Counts tokens as `cl100k_base` does; names of special tokens in a text are words like any other. */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/cl100k_base')
  const options = { disallowedSpecial: new Set<string>() }
  return (text) => countTokens(text, options)
}
