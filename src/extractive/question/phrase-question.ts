/** "is" or "was", in the plural for a plural thing. A name of several words ("Chris Menges") is singular. */
export function formOfBe(thing: string, be: 'is' | 'was'): string {
  if (!/[^su'’]s$/i.test(thing) || /\p{Lu}\S* (?:\S+ )*\p{Lu}\S*$/u.test(thing)) return be
  return be === 'is' ? 'are' : 'were'
}

const baseForms: Readonly<Record<string, string>> = {
  won: 'win',
  got: 'get',
  made: 'make',
  found: 'find',
  wrote: 'write',
  came: 'come',
  went: 'go',
  began: 'begin',
  became: 'become',
  built: 'build',
  led: 'lead',
  took: 'take',
  flew: 'fly',
  has: 'have',
  had: 'have',
  does: 'do',
  died: 'die',
  held: 'hold',
  received: 'receive',
}

/** The base form of a verb in the third person or a common irregular past tense ("contains", "won"); `undefined` if unsure. */
export function baseVerb(verb: string): string | undefined {
  const lower = verb.toLowerCase()
  if (Object.hasOwn(baseForms, lower)) return baseForms[lower]
  if (!/[^s]s$/.test(lower) || /^(?:is|was|this|his|its)$/.test(lower)) return undefined
  return /(?:ch|sh|ss|x|z)es$/.test(lower) ? lower.slice(0, -2) : lower.slice(0, -1)
}

/** The verb for an event that a noun names: "discovery" gives "discovered". */
const eventVerbs: Readonly<Record<string, string>> = {
  discovery: 'discovered',
  invention: 'invented',
  isolation: 'isolated',
  publication: 'published',
  foundation: 'founded',
  founding: 'founded',
  introduction: 'introduced',
  approval: 'approved',
  creation: 'created',
  birth: 'born',
  construction: 'built',
  opening: 'opened',
  launch: 'launched',
  release: 'released',
  death: 'die',
  start: 'start',
  beginning: 'begin',
  end: 'end',
}
const eventPattern = new RegExp(`^(?:the )?(${Object.keys(eventVerbs).join('|')}) of (.+)$`, 'i')

/** Asks when an event happened: "the discovery of X" gives "When was X discovered?". */
export function phraseEventDate(event: string): string {
  const match = eventPattern.exec(event)
  if (match === null) return `When ${formOfBe(event, 'was')} ${event}?`
  const verb = eventVerbs[(match[1] as string).toLowerCase()] as string
  const subject = match[2] as string
  const isActive = /^(?:die|start|begin|end)$/.test(verb)
  return isActive
    ? `When did ${subject} ${verb}?`
    : `When ${formOfBe(subject, 'was')} ${subject} ${verb}?`
}
