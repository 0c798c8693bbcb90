/** A clause that stands alone: what "it" and left-out words mean is taken from the questions before it. */
export function completed(clause: string, earlier: readonly string[]): string {
  const [first] = earlier
  if (first === undefined) return clause
  const last = (earlier.at(-1) as string).replace(/\?+$/, '')
  return elided(clause.replace(/[?\s]+$/, ''), last) ?? resolved(clause, first)
}

const loneWord = /^(?:and |in (?:which|what) )?(when|where|why|how|who|year)$/i
const loneCount =
  /^(?:(?:by|for|to|with|in|at|on|of)\s+)?(?:how (?:many|much)|which|what|whom)(?:\s+\S+)?$/i
const lonePhrase =
  /^(?:who|what|when|where|how many|how much)\s+(according to|in|for|at|on|by|of|among)\s+(.+)$/i
const inverted =
  /^(?:who|what|when|where|why|how)\s+((?:is|are|was|were|did|does|do|has|have)\s.+)$/i

/** "when?", "by how many states?", "who according to B?": the rest is taken from the question before. */
function elided(clause: string, last: string): string | undefined {
  const word = loneWord.exec(clause)?.[1]
  if (word !== undefined) return withWord(word.toLowerCase(), last)
  const rest = inverted.exec(last)?.[1]
  if (rest !== undefined && loneCount.test(clause)) return `${clause} ${rest}`
  const [, preposition = '', object = ''] = lonePhrase.exec(clause) ?? []
  const at = last.toLowerCase().lastIndexOf(` ${preposition.toLowerCase()} `)
  return object === '' || at < 0 ? undefined : `${last.slice(0, at)} ${preposition} ${object}`
}

const deed = /^(?:first )?(\S+ed|made|found|built|written|won|held|led|begun|taught|shown) (.+)$/i

/** Another question word before what a question says: "Who discovered X", "when" gives "when was X discovered". */
function withWord(word: string, last: string): string {
  const rest = inverted.exec(last)?.[1]
  if (rest !== undefined) return `${word} ${rest}`
  const statement = /^(?:who|what|which)\s+(.+)$/i.exec(last)?.[1]
  if (statement === undefined) return `${word}: ${last}`
  const [, verb, object] = deed.exec(statement) ?? []
  if (object !== undefined && word !== 'who') return `${word} was ${object} ${verb}`
  return word === 'who' ? `who ${statement}` : `${word} was it that someone ${statement}`
}

/** The clause with its pronouns replaced by what the first question is about. */
function resolved(clause: string, first: string): string {
  const focus = focusOf(first)
  if (focus === undefined) return clause
  const isName = /^\p{Lu}\S*\s\p{Lu}/u.test(focus)
  const pronoun = isName
    ? /\b(?:it|they|them|he|she|him)\b(?! that\b)/gi
    : /\b(?:it|they|them)\b(?! that\b)/gi
  const owner = isName ? /\b(?:its|their|his|her)\b/gi : /\b(?:its|their)\b/gi
  const possessive = /s$/i.test(focus) ? `${focus}'` : `${focus}'s`
  return clause.replace(owner, () => possessive).replace(pronoun, () => focus)
}

const focusPatterns = [
  /^what (?:is|are|was|were) (.+)$/i,
  /^(?:who|what|which \S+)(?: first)? (?!(?:is|are|was|were|did|does|do)\b)\S+(?:[dent]|ote|ew|ve|ook)\s+(.+?)(?: (?:in|on|at) (?:the year )?\d{4})?$/i,
  /^(?:when|where|why|how)(?: \S+)? (?:is|are|was|were|did|does|do) (.+?) (?:\S+ed|made|built|born|found|written|die|begin|start|happen|work|live|come)(?:\s.*)?$/i,
  /^how \S+ (?:is|are|was|were) (.+)$/i,
  /^who (?:is|was|are|were) (.+)$/i,
  /^(?:tell me about|define|explain|describe)\s+(.+)$/i,
] as const

/** What a question is about: the thing after "what is", the object of "who discovered", the subject of "when was". */
function focusOf(question: string): string | undefined {
  const bare = question.replace(/[\s?.!]+$/, '')
  for (const pattern of focusPatterns) {
    const focus = pattern.exec(bare)?.[1]
    if (focus !== undefined && focus.split(/\s+/).length <= 8) return focus
  }
  return undefined
}
