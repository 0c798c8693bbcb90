import type { CallBlock } from './tool-call-block.ts'

/** How many characters around a call are examined. */
const windowLength = 400

/** A group of calls: its position including tokens, and its first and last block. */
interface CallPosition {
  readonly start: number
  readonly end: number
  readonly first: CallBlock & { readonly isFenced: boolean }
  readonly last: CallBlock
}

/** Whether calls at this position are intended as calls rather than mentioned. */
export function isIntended(text: string, { start, end, first, last }: CallPosition): boolean {
  const before = text.slice(Math.max(0, start - windowLength), start)
  const after = text.slice(end, end + windowLength)
  if (isInQuotes(before, after)) return false
  if (first.format === 'pythonic' && !first.isFenced) {
    const isAlone = lineBefore(before).trim() === ''
    if (!isAlone || isSurelyCode.test(before) || isSurelyCode.test(after)) return false
  }
  const isShape = last.format === 'json' || last.format === 'pythonic'
  // A call recognised only by its shape must be alone on its lines.
  if (isShape && after.trim() !== '' && !text.slice(last.end, end).includes('\n')) return false
  const isThought = first.format === 'labelled' && /^[ \t]*(?:\*\*)?Thought\b/im.test(before)
  const names = new Set(first.calls.map(({ toolName }) => toolName))
  return (isThought || leadsToCall(before, names)) && keepsCallValid(after)
}

/**
 * Whether the call is in straight quotation marks, as text under discussion is: directly at the call, or around more text if the
 * marks are double and in opening and closing positions.
 */
function isInQuotes(before: string, after: string): boolean {
  const quote = /["'`]$/.exec(before)?.[0]
  if (quote !== undefined && after.startsWith(quote)) return true
  return /(?:^|[\s(:])"(?=\S|$|\n)[^"]*$/.test(before) && /^[^"]*"(?=[\s.,;:!?)]|$)/.test(after)
}

/** What others do or could do, what is not done, what is only assumed. */
const narration = [
  /\b(?:you|one|users?|someone|people|they|models?|assistants?|agents?|scripts?|it|he|she) (?:could|would|might|can|may|should|must|need to|have to|will)\b/i,
  /\b(?:I|we) (?:could|would|might|was|were|did|had)\b/i,
  /\b(?:could|would|might|may) (?:be|have|look)\b/i,
  /^[^\w<{]*(?:suppose|imagine|assume|assuming|if|perhaps|maybe|whenever|had)\b/i,
  /^\W*to (?:call|use|invoke|run|search|query)\b/i,
  /\b(?:not|never|cannot|can't|don't|won't|shouldn't|without|avoid|instead of|rather than|no need|no reason)\b(?!.*\b(?:so|but|let me|let's)\b)(?=.*\b(?:call|us|invok|run|execut|writ|emit|send|print|search|made|mak|need))/i,
  /\b(?:wrong|incorrect|invalid|mistake|mistaken|naive|tempting|injected|malicious|suspicious|warning|beware)\b/i,
  /\b(?:not|never) (?:going to|about to|meant to|to be|yet)\b/i,
  // Announcing an explanation is not announcing a call.
  /\b(?:let me|let's|I'll|I will|I can|I want to|I need to|I must|I should|we will|we'll|I am going to|I'm going to) (?:\w+ )?(?:show|explain|demonstrate|illustrate|describe|quote|cite|repeat|recall|remind|summari[sz]e|translate|discuss|analy[sz]e|walk|go through|point out)\b/i,
  /\b(?:quoting|explaining|showing|describing|citing|repeating|asked to|told to)\b/i,
  /\b(?:an?|this|the|another|one|following) (?:\w+ )?example\b/i,
]
/** Asking for permission: the answer is still open. */
const permission =
  /\b(?:should|shall|may|can|could) (?:I|we)\b|\b(?:do|would) you (?:want|like)\b|\b(?:agree|approve|confirm|proceed|go ahead|ok with you)\b[^.!]*\?$|\b(?:confirmation|approval|permission|consent|go-ahead)\b|\b(?:once|when|if|unless|until) you (?:are|say|agree|confirm|approve|want|tell|allow)\b/i
const advice =
  /^\W*(?:please\b|next time\b|(?:undo|cancel|ignore|delete|remove|revert|stop|skip)\b|(?:copy|paste|add|try|use|send|run|type|enter|put|insert|save|replace|change|compare|consider|remember|wait|explain)\b.*\b(?:this|these|the following|instead|yours?|yourself|line|with)\b)|\byour (?:own|machine|code|prompt|script|console|terminal|client|assistant|app|file)\b|\byourself\b/i
const examples =
  /\b(?:examples?|e\.g\.|for instance|such as|samples?|templates?|format|syntax|schema|signature|usage|typical|typically|snippet|looks? (?:like|as)|like (?:this|so)|how (?:to|you|it|one)|instructions?|documentation|docs|manual|beispiele?|exemples?|ejemplos?|esempi?o?|exemplo|例)\b/i
const report =
  /\b(?:called|used|ran|sent|wrote|written|printed|emitted|issued|produced|returned|received|found|saw|reads?|contains?|says?|said|shows?|shown|states?|logged|replied|answered|quotes?|quoted|according|defined|means|represents|log|output|results?|response|observation|reply|already|previously|earlier|yesterday|ago|gave|turned up|showed|yielded|revealed|posted|suggested|appeared)\b|\bdefinition\b/i
/** References to a piece of text. */
const artefact =
  /\b(?:passage|document|page|text|file|message|prompt|request|json|snippet|payload|command|code|line|instruction|config(?:uration)?|excerpt|string|object|entry|log|article|post|email|body|fixture|test|draft)s?\b|\b(?:the|an?|this|that|its|another|one|of) (?:\w+ ){0,2}calls?\b/i
const decision =
  /\b(?:let me|let's|let us|I'll|I will|I am going to|I'm going to|I need to|I need|I must|I should|I have to|I want to|I can|we need to|we need|we'll|we will|we should|we must|we can)\b|\b(?:calling|invoking|executing|making the call)\b|\b(?:is|are) (?:needed|required|necessary)\b|\bnext step is to\b/i
const toolVerb =
  '(?:search|look up|fetch|check|run|execute|query|retrieve|get|compute|calculate|find|gather|read|load|ask|determine|call|invoke|use)'
/** Announcements of a call, or labels for one. */
const announcements = [
  /\bhere(?:'s| is| are)\b.*\b(?:call|calls|tool|tools|function|functions|action|search|query)\b/i,
  /^\W*(?:[\w'’.:-]+ ){0,3}(?:actions?|calls?|tools?|functions?|steps? \d+|search|query|tool_calls?|function_calls?|tool use)\W*$/i,
  /\bhere (?:goes|we go|you go)\b/i,
  /\b(?:needs?|takes?|requires?) (?:one|two|three|an?|another|some)\b.*\b(?:calls?|tools?|lookups?|search|searches|query)\W*$/i,
  /\b(?:call|lookup|search|query) should (?:be enough|do|help|suffice)\W*$/i,
  new RegExp(
    `^\\W*(?:request|goal|task|plan|intent|objective|step \\d+|next): ${toolVerb}\\b`,
    'i',
  ),
  /^\W*for (?!.*\b(?:example|instance|reference|tests?|testing|record|comparison|illustration|completeness|debugging|you|your)\b)[\w'’ ,.-]{1,40}:$/i,
  /^\W*(?:ok|okay|sure|right|alright|yes|got it|great|hmm+|well|fine)\W*$/i,
]
/** Words for the speaker's own actions. */
const doing = [
  /\b(?:I|we) (?:am|are|now|shall|call|use|run|search|try|start|begin|ask|get|take|turn|fetch|check|make|do|first|then)\b|\b(?:I'm|we're)\b/i,
  /^\W*(?:next|first|then|now|so|once more|again),/i,
  /(?:^|[;,:—–-])\W*(?:search|look|fetch|check|us|runn|execut|query|retriev|gett|comput|calculat|find|gather|read|load|ask|request|start|try|proceed|perform|send|open|mak|creat|answer)ing\b/i,
  new RegExp(`(?:^|: )\\W*${toolVerb}\\b`, 'i'),
]
const pointsAhead =
  /\b(?:below|following|as follows|this is|here is|here's|here are)\b|\b(?:here|this|these|you)\b.*\?/i
const isCodeLine =
  /^\s*(?:import|from|def|class|return|for|while|if|else|elif|try|with|const|let \w+ =|var|print|assert|await|async|function|export|#include|\/\/|@\w|>>>|\.\.\.|\$ )(?:\b|\s|$|\()|[;{}[\\|]\s*$|^[^\s=]+(?:\.\w+)* = \S|\)\s*$|\):\s*$/
/** A line that cannot be prose. */
const isSurelyCode =
  /^\s*(?:import \w+$|from [\w.]+ import|(?:async )?def \w+\(|class \w+|@\w+|>>> |return\b|(?:const|let|var) \w+ =|\w+(?:\.\w+)* = |"""|#!)/m
const otherSpeaker =
  /^[ \t]*(?:\*\*)?(?:(?:user|human|customer|question|q|tool|system)(?:\*\*)?(?: ?\([^)\n]{0,20}\))?|assistant ?\([^)\n]{0,20}\)|question \d+)[ \t]?:(?!\W*tool\W*$)/im
const ownLabel = /^(?:assistant|ai|thought|thoughts|plan|reasoning)(?: \d+)?[ \t]?:\s*/i
/**
 * Words that occur only in English sentences, and words that occur only in German, French, Spanish, Italian, Portuguese or Dutch
 * ones.
 */
const englishWords =
  /\b(?:the|an|is|are|was|to|of|and|it|this|that|with|for|I|you|we|he|she|they|be|will|has|had)\b/i
const foreignWords =
  /\b(?:ich|wir|der|das|und|nach|les|je|nous|pour|voici|une|el|los|las|yo|voy|para|aquí|esto|eu|vou|ecco|il|ik|het|een)\b/i

/**
 * Whether the words before a call lead up to it rather than talk about it. A complete sentence does unless it is about a piece of
 * text; words that run into the call must name an action of the speaker. Other languages than English are barely judged.
 */
function leadsToCall(before: string, names: ReadonlySet<string>): boolean {
  // A tool's name may consist of words with another meaning here.
  const words = before.replace(/[\w-]+(?:\.[\w-]+)*/g, (word) => (names.has(word) ? 'tool' : word))
  const sentence = lastSentence(words)
  if (sentence === '') return true
  if (otherSpeaker.test(words) || permission.test(sentence)) return false
  if (narration.some((pattern) => pattern.test(sentence)) || advice.test(sentence)) return false
  const isDecision = decision.test(sentence)
  const isAnnounced = announcements.some((pattern) => pattern.test(sentence))
  const isDoing = doing.some((pattern) => pattern.test(sentence)) && !pointsAhead.test(sentence)
  if (/\p{L}[^\n]*[.!?…]["')*_]*$/u.test(sentence)) {
    const isTold = pointsAhead.test(sentence) && (examples.test(sentence) || report.test(sentence))
    return isDecision || isDoing || isAnnounced || !(isTold || isAboutText(sentence))
  }
  if (examples.test(sentence)) return false
  if (isDecision) return true
  if (isCodeLine.test(sentence) || report.test(sentence)) return false
  return isAnnounced || (isDoing && !artefact.test(sentence)) || isForeignLead(sentence)
}

/** Whether a complete sentence is about a piece of text, or points to something other than its subject. */
function isAboutText(sentence: string): boolean {
  return (
    artefact.test(sentence) ||
    /\b(?:here|this|these|you)\b.*\?/i.test(sentence) ||
    /\w.*\b(?:this|these)(?:\W*$| (?:on|in|to|at|from|as|into)\b)/i.test(sentence)
  )
}

/** Words with which German, French, Spanish, Italian, Portuguese, Dutch and Russian sentences talk about a text or an example. */
const foreignReport =
  /(?<!\p{L})(?:steht|stand|lautet|lautete|sagt|sagte|schreibt|schrieb|enthält|enthielt|zeigt|zeigte|heißt|hieß|laut|dit|disait|indique|affiche|contient|écrit|montre|selon|dice|decía|dijo|pone|indica|muestra|contiene|según|riporta|diceva|mostra|scrive|secondo|diz|dizia|disse|contém|segundo|staat|stond|zegt|zei|luidt|bevat|toont|volgens|написан[оаы]?|говорит|говорится|сказано|сказал[аои]?|указано|содержит|пишет|гласит|показывает|например|согласно|beispiel|exemple|ejemplo|esempio|exemplo|voorbeeld|пример)(?!\p{L})/iu
/** The same for Chinese and Japanese, which do not separate words by spaces. */
const eastAsianReport =
  /写着|寫著|写道|写明|显示|顯示|提到|指出|内容|包含|说[：:]|說[：:]|例如|比如|示例|书か|書か|書い|表示され|によると|例えば|とあり/

/** Whether words in another language, which are barely judged here, may lead up to a call: they do not talk about a text. */
function isForeignLead(sentence: string): boolean {
  if (!isForeign(sentence)) return false
  const isWhole = /[。！？]["'”’»]*$/.test(sentence)
  return isWhole || !(foreignReport.test(sentence) || eastAsianReport.test(sentence))
}

/** Whether a sentence is in another language and cannot be judged here. */
function isForeign(sentence: string): boolean {
  const letters = sentence.replace(/\P{L}/gu, '')
  const isMarked = /[^\p{ASCII}]/u.test(letters) || foreignWords.test(sentence)
  return letters !== '' && isMarked && !englishWords.test(sentence)
}

const aboutCall = [
  /^\W*(?:this|that|these|those|the above|above|here|in this|in the above|where|which|it|note|as you can see|as shown|you|replace|end of)\b/i,
  /^\W*the (?:call|tool|function|json|object|request|snippet|command|code|output|response|arguments?|parameters?|query|example)\b/i,
  /^\W*(?:returns|prints|gives|asks|sends|shows|means|explanation|results? (?:was|were))\b|^the results? (?:was|were)\b/i,
  /\b(?:examples?|syntax|format|snippet|json|arguments?|parameters?|(?:tool|function) calls?|the call|ignored)\b/i,
]
/** Words that withdraw a call or attribute it to someone else. */
const disowned = [
  /\b(?:I|we)(?:'ll| will| would| do| did| am|'m| can| shall| should| must| have| was|'ve)? ?(?:not|never|n't|cannot)\b(?=.* (?:this|that|it|these|those|so|the (?:call|instruction|request|command|line|tool)s?)\b)/i,
  /\b(?:I|we) (?:won't|don't|didn't|can't|cannot|shouldn't|wouldn't|refuse|refused|decline|declined|ignore|ignored|reject|rejected)\b(?=.* (?:this|that|it|these|those|so|the (?:call|instruction|request|command|line|tool)s?)\b)/i,
  /\b(?:I am|I'm|we are|we're) (?:refusing|declining|ignoring|rejecting|quoting)\b/i,
  /\b(?:above|preceding|previous)\b.* (?:is|was|are|were|comes|came|stands|stood|reads|tells|told|says|said|asks|asked)\b/i,
  /\b(?:web ?page|page|document|passage|file|source|article|email|text|attacker|injection)\b.* (?:wants?|wanted|tries|tried|asks?|asked|tells?|told|says?|said|orders?|ordered|contains?|contained|instructs?|instructed)\b/i,
]
const waiting =
  /^(?:I(?:'ll| will| am|'m)|let me|let's|waiting|please wait|once|after|when|then|now)\b(?!.*\b(?:would|could|example|ignore|ignored)\b)/i

/** Whether the text after a call leaves it valid: there is none, or it does not talk about the call. */
function keepsCallValid(after: string): boolean {
  const line = after.trim().split('\n', 1)[0] ?? ''
  const sentence = line.split(/(?<=[.!?])\s/, 1)[0] ?? ''
  if (sentence === '') return true
  if (permission.test(line) || disowned.some((pattern) => pattern.test(line))) return false
  if (waiting.test(sentence)) return true
  if (/^[a-z,;.)|]/.test(sentence) || isCodeLine.test(line) || otherSpeaker.test(line)) return false
  return !aboutCall.some((pattern) => pattern.test(sentence))
}

/** Text before such a tag, such as thoughts or a result, says nothing about what follows. */
const tagEnd = /<\/[\w-]{1,40}>|\[\/[A-Z_]{1,40}\]|<\|[^<>|\s]{1,40}\|>/

function lineBefore(before: string): string {
  return before.slice(before.lastIndexOf('\n') + 1)
}

function lastSentence(before: string): string {
  const text = before.split(tagEnd).at(-1) ?? ''
  const sentences = text.trim().split(/(?<=[.!?…])\s+|\n+/)
  const last = sentences.at(-1)?.trim() ?? ''
  return /^\d+[.)]$/.test(last) ? last : last.replace(/^[\s*_#]+/, '').replace(ownLabel, '')
}
