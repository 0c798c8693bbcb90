import { writeStored } from './stored-text.ts'

/**
 * A stored text as a model reads it: each local number n is `numbers[n - 1]`, all at once; a mark beyond stays as it is.
 * Images lose their addresses. So no address is left but in code.
 */
export function renderForModel(text: string, numbers: readonly number[]): string {
  return writeStored(text, numbers.length, {
    mark: ({ kind, n, words }) => {
      const number = numbers[n - 1]
      if (kind === 'attribute') return `idx="${number}"`
      return kind === 'link' ? `[${words}][!CITE_${number}!]` : `[!CITE_${number}!]`
    },
    image: (words) => `![${words}]()`,
  })
}
