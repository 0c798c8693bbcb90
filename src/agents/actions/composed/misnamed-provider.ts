import { nearest } from '../../../kernel/text/nearest.ts'

/** Families of models that are called almost as a provider, and are none. */
const families = ['grok', 'llama', 'mixtral']

/**
 * The provider that a model's name most likely means, where it names none that there is: `ollama` for `olama:llama3`. A model's own
 * name with a tag, such as `qwen3:8b`, means none.
 */
export function misnamedProvider(name: string, providers: Iterable<string>): string | undefined {
  const [, head] = /^([a-z_.-]{3,}):./i.exec(name) ?? []
  const known = [...providers]
  if (head === undefined || known.includes(head) || families.includes(head.toLowerCase()))
    return undefined
  return nearest(head.toLowerCase(), known)
}
