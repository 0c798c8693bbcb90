import { baseVerb, beFor, datedEvent } from './wording.ts'

/** A question that sets things against each other. */
export interface Comparison {
  /** The things, as the question names them. */
  readonly things: readonly string[]
  /** One research step a thing. */
  readonly steps: readonly string[]
  /** `earlier` or `later` when times are compared, `span` when the years between are asked for. */
  readonly order: 'earlier' | 'later' | 'span' | null
}

/** What a question compares, or `undefined` when it compares nothing. */
export function readComparison(question: string): Comparison | undefined {
  const text = question.replace(/[\s?.!]+$/, '')
  return spanBetween(text) ?? choice(text) ?? difference(text) ?? comparedList(text)
}

const spanPattern =
  /^how (?:many years|long)\b.{0,40}?\b(?:between|from)\s+(.{1,120}?)\s+(?:and|to)\s+(.{1,120})$/i

/** "How many years between A and B". A distance or a duration ("how long does it take from A to B") is none. */
function spanBetween(text: string): Comparison | undefined {
  const match = spanPattern.exec(text)
  if (match === null || /\b(?:take|need|travel|drive|walk|flight)\b/i.test(text)) return undefined
  const things = [match[1] as string, match[2] as string]
  return { things, steps: things.map(datedEvent), order: 'span' }
}

const choicePattern = /^(which|who|what|whose)\s+(.+?)[,:–—]\s*(.{1,80}?)\s+or\s+(.{1,80}?)$/i

/** "Which is larger, A or B?", "Who won first, A or B?", "Whose X was closer, A's or B's?" */
function choice(text: string): Comparison | undefined {
  const match = choicePattern.exec(text)
  if (match === null) return undefined
  const [, word = '', predicate = '', left = '', right = ''] = match
  const order = orderOf(predicate)
  const step =
    word.toLowerCase() === 'whose' ? whoseStep : order === null ? comparedStep : datedStep
  const things = [left, right]
  if (agePattern.test(predicate)) {
    const age =
      word.toLowerCase() === 'who' || /\S\s+(?:is|was|are|were)\s/i.test(predicate)
        ? bornStep
        : whatStep
    return { things, steps: things.map(age), order }
  }
  return { things, steps: things.map((thing) => step(predicate, thing)), order }
}

/** "is older": of a person the birth tells it, of another thing only what is told of it. */
const agePattern =
  /(?:^|\s)(?:is|was|are|were)\s+(?:the )?(?:older|oldest|younger|youngest|newer|newest)$/i

function bornStep(thing: string): string {
  return `When ${beFor(thing, 'was')} ${thing} born?`
}

function whatStep(thing: string): string {
  return `What ${beFor(thing, 'is')} ${thing}?`
}

function orderOf(predicate: string): 'earlier' | 'later' | null {
  if (/\b(?:first|earlier|older|oldest|before)\b/i.test(predicate)) return 'earlier'
  return /\b(?:later|last|newer|newest|younger|after)\b/i.test(predicate) ? 'later' : null
}

/** "result was closer to the true value", "A's": "How does A's result compare (closer to the true value)?" */
function whoseStep(predicate: string, owner: string): string {
  const [, thing = predicate, quality] =
    /^(.+?)\s+(?:is|was|are|were)\s+(.+)$/i.exec(predicate) ?? []
  return `How does ${owner} ${thing} compare${quality === undefined ? '' : ` (${quality})`}?`
}

/** "tennis player was born first": "When was A born?"; "won the prize first": "When did A win the prize?" */
function datedStep(predicate: string, thing: string): string {
  const event = predicate
    .replaceAll(/\s*\b(?:first|earlier|later|last|before|after)\b/gi, '')
    .trim()
  const passive = /(?:^|\s)(?:is|was|are|were)\s+(.+)$/i.exec(event)
  if (passive !== null) return `When ${beFor(thing, 'was')} ${thing} ${passive[1]}?`
  const [verb = '', ...rest] = event.split(' ')
  const base = baseVerb(verb)
  if (base === undefined) return `When was it that ${thing} ${event}?`
  return `When did ${[thing, base, ...rest].join(' ')}?`
}

const morePattern = /^(\S+)\s+(?:the )?(?:more|most|less|least|fewer|fewest)\s+(\S+)(.*)$/i

/** "contains more caffeine": "How much caffeine does A contain?" */
function comparedStep(predicate: string, thing: string): string {
  const [, verb = '', noun = '', rest = ''] = morePattern.exec(predicate) ?? []
  const base = baseVerb(verb)
  if (base === undefined) {
    return `How does ${thing} compare (${predicate.replace(/^(?:is|are|was|were)\s+/i, '')})?`
  }
  return `How ${/[^su]s$/.test(noun) ? 'many' : 'much'} ${noun} does ${thing} ${base}${rest}?`
}

const pair = '(.{1,80}?)\\s+(?:and|or|versus|vs\\.?)\\s+(.{1,80}?)'
const differencePatterns = [
  new RegExp(
    `^(?:what(?:'s| is| are)|explain|describe) the (?:main |key )?(?:differences?|similarit(?:y|ies)|relationship) between\\s+${pair}$`,
    'i',
  ),
  new RegExp(`^how (?:do|does|are|is)\\s+${pair}\\s+(?:differ|compare|different)$`, 'i'),
  /^how (?:does|do|is|are)\s+(.{1,80}?)\s+(?:differ from|different from|compare (?:to|with))\s+(.{1,80})$/i,
  /^(.{1,80}?)\s+(?:versus|vs\.?)\s+(.{1,80})$/i,
] as const

/** "What is the difference between A and B?", "How do A and B differ?", "A vs B". */
function difference(text: string): Comparison | undefined {
  for (const pattern of differencePatterns) {
    const match = pattern.exec(text)
    if (match !== null) return described([match[1] as string, match[2] as string])
  }
  return undefined
}

const listPattern = new RegExp(
  `^(?:please )?(?:compare|contrast)\\s+(?:(how \\S+|what|when|where|why)\\s+)?${pair}(?:\\s+(\\S+))?$`,
  'i',
)

/** "Compare A and B", "Compare how fast A and B open". */
function comparedList(text: string): Comparison | undefined {
  const match = listPattern.exec(text.replace(/\b(?:with|to|against)\b/i, 'and'))
  if (match === null) return undefined
  const [, word, left = '', right = '', verb = ''] = match
  if (word === undefined) return described([left, `${right} ${verb}`.trim()])
  const things = [left, right]
  const asking = word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())
  const steps = things.map((thing) => `${asking} does ${thing} ${verb === '' ? 'compare' : verb}?`)
  return { things, steps, order: null }
}

/** One "what is" a thing. "class 1 and class 2 systems" share their last word. */
function described([left, right]: readonly [string, string]): Comparison {
  const [first = '', ...others] = left.split(' ')
  const sharesHead = right.startsWith(`${first} `) && right.split(' ').length > others.length + 1
  const tail = sharesHead ? right.split(' ').slice(others.length + 1) : []
  const things = [[left, ...tail].join(' '), right]
  return {
    things,
    steps: things.map(whatStep),
    order: null,
  }
}
