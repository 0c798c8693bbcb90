/** Families whose actions have names of three words. */
const families = 'a2a_state|learn_textgrad|llm_local|memory_mem0|rag_llamaindex|reason_dspy'

const secondName = new RegExp(`^actions\\.(${families}|[a-z0-9]+)_(\\w+)$`)

/** The name of an action that a file names: `actions.llm_call` is the format's second name of `llm.call`. */
export function dottedName(written: string): string {
  const [, family, action] = secondName.exec(written) ?? []
  return family === undefined ? written : `${family.replaceAll('_', '.')}.${action}`
}
