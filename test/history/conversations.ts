import type { Message, Origin, Part, Role } from '../../src/kernel/agent/message.ts'
import type { Json } from '../../src/kernel/json.ts'

/** A conversation as it was before anything happened to it. */
export interface Conversation {
  readonly name: string
  readonly messages: readonly Message[]
}

/** The text of a part. */
export const text = (words: string): Part => ({ type: 'text', text: words })

const thought = (words: string): Part => ({ type: 'reasoning', text: words })

/** A call of the tool `search` unless it is said which. */
export const call = (
  toolCallId: string,
  toolName = 'search',
  input: Json = { query: 'größe 😀 of it' },
): Part => ({ type: 'tool-call', toolCallId, toolName, input })

/** What a tool gave back: `#mark#` is in no other result. */
export const result = (toolCallId: string, mark: string, toolName = 'search'): Part => ({
  type: 'tool-result',
  toolCallId,
  toolName,
  output: { passages: [{ n: 1, text: `#${mark}# is 3 m` }] },
})

const failure = (toolCallId: string, mark: string): Part => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'search',
  output: { error: `#${mark}# was refused` },
  isError: true,
})

/** A call or a thought of `model`, unless it is said whose it is; without a name it is nobody's. */
function writtenBy(model: string, part: Part): Part {
  if ((part.type !== 'tool-call' && part.type !== 'reasoning') || 'origin' in part) return part
  return model === '' ? part : { ...part, origin: { model } }
}

/** Messages of one conversation, numbered; those of the assistant are of `model`. */
function conversation(
  name: string,
  model: string,
  ...turns: readonly (readonly [role: Role, ...parts: Part[]])[]
): Conversation {
  const messages = turns.map(
    ([role, ...parts], index): Message => ({
      id: `${name.replaceAll(' ', '-')}-${index}`,
      role,
      parts: parts.map((part) => writtenBy(model, part)),
      createdAt: index,
    }),
  )
  return { name, messages }
}

const rules = ['system', text('Use the tools.')] as const
const ask = ['user', text('How big is it?')] as const
const answer = ['assistant', text('It is **3 m** [1].')] as const

/** Signatures as each provider gives them. */
const signatures = {
  anthropic: { anthropic: { signature: 'EqQBCgIYAhIM' } },
  redacted: { anthropic: { redactedData: 'EmwKAhgBEgy' } },
  openai: { openai: { itemId: 'rs_68af', reasoningEncryptedContent: 'gAAAAABo' } },
  openaiItem: { openai: { itemId: 'rs_68af', reasoningEncryptedContent: null } },
  google: { google: { thoughtSignature: 'CiEBjz1rX0il' } },
} as const satisfies Record<string, NonNullable<Origin['metadata']>>

/** Ids as models give them, and as they should not: too long, of other characters, none, half a character. */
const ids = [
  'call_bVJ0OJnuhBNBYBKUvlJ6jNBh',
  'toolu_01T1x1fJ34qAmk2tNTrN7Up6',
  'chatcmpl-tool-3d1b2b7b0f2d4a2fb8f5d7a3c1e9f0aa',
  'fc_0f0e50a1476a6c35006912c58dc9f8819192c25864eb16f07f',
  'functions.search:0',
  'a1B2c3D4e',
  '',
  ' ',
  'ä/b c\ud83d',
]

function idsConversations(): readonly Conversation[] {
  return ids.map((id, index) =>
    conversation(
      `id ${index}`,
      'openai-compatible:other',
      rules,
      ask,
      ['assistant', call(id), call(`${id}2`)],
      ['tool', result(id, `id${index}a`), result(`${id}2`, `id${index}b`)],
      answer,
    ),
  )
}

/** The model of each kind of signature. */
const signers: Readonly<Record<keyof typeof signatures, string>> = {
  anthropic: 'anthropic:claude-sonnet-4-5',
  redacted: 'anthropic:claude-sonnet-4-5',
  openai: 'openai:gpt-5',
  openaiItem: 'openai:gpt-5',
  google: 'google:gemini-3-pro-preview',
}

function reasoningConversation(name: keyof typeof signatures): Conversation {
  const origin = { model: signers[name], metadata: signatures[name] }
  const signed = (part: Part): Part => ({ ...part, origin }) as Part
  return conversation(
    `reasoning ${name}`,
    origin.model,
    rules,
    ask,
    [
      'assistant',
      signed(thought('Earlier.')),
      text('I look.'),
      signed(thought('Half')),
      signed(call('s1')),
    ],
    ['tool', result('s1', `${name}1`)],
    ['assistant', signed(thought('Enough.')), text('It is 3 m.'), signed(thought('Done.'))],
    ['user', text('Sure?')],
    ['assistant', signed(thought('Again.')), signed(call('s2')), call('s3')],
    ['tool', result('s2', `${name}2`), result('s3', `${name}3`)],
    ['assistant', signed(thought('So.')), text('Yes.')],
  )
}

/** A message whose calls were found in its text: the loop makes their ids of the message's. */
const calledInText = conversation(
  'in text',
  '',
  rules,
  ask,
  ['assistant', text('I look.'), call('in-text-2-text-1'), call('in-text-2-text-2')],
  ['tool', result('in-text-2-text-1', 'intext1'), result('in-text-2-text-2', 'intext2')],
  answer,
)

const plain: readonly Conversation[] = [
  conversation(
    'no tools',
    'openai:gpt-4o',
    rules,
    ask,
    answer,
    ['user', text('And wide?')],
    answer,
  ),
  conversation(
    'single',
    'openai:gpt-4o',
    rules,
    ask,
    ['assistant', call('c1')],
    ['tool', result('c1', 'single1')],
    answer,
  ),
  conversation(
    'parallel',
    'anthropic:claude-sonnet-4-5',
    rules,
    ask,
    ['assistant', text('All three: 😀'), call('c1'), call('c2', 'fetch.page'), call('c3')],
    ['tool', result('c1', 'par1'), result('c2', 'par2', 'fetch.page'), failure('c3', 'par3')],
    ['assistant', call('c4'), call('c5')],
    ['tool', result('c4', 'par4')],
    ['tool', result('c5', 'par5')],
    answer,
  ),
  conversation(
    'text after calls',
    'openai:gpt-5',
    rules,
    ask,
    ['assistant', text('First'), call('c1'), text(' then '), call('c2'), text('\n\n')],
    ['tool', result('c2', 'after2'), result('c1', 'after1')],
    ['assistant', text('So'), text(' it is.')],
  ),
  conversation(
    'same ids in every turn',
    'openai-compatible:llama',
    rules,
    ask,
    ['assistant', call('call_0')],
    ['tool', result('call_0', 'same1')],
    ['assistant', call('call_0')],
    ['tool', result('call_0', 'same2')],
    answer,
    ['user', text('And wide?')],
    ['assistant', call('call_0'), call('call_0', 'search', { query: 'two' })],
    ['tool', result('call_0', 'same3'), result('call_0', 'same4')],
    answer,
  ),
  conversation(
    'blank and odd',
    'google:gemini-2.5-flash',
    ['system', text('')],
    rules,
    ['user', text(' ')],
    ask,
    [
      'assistant',
      text('\n\n'),
      call('c1', 'no such tool!', 'not JSON'),
      call('c2', '9lives', ['a', 1]),
    ],
    ['tool', { ...failure('c1', 'odd1'), toolName: 'no such tool!' } as Part],
    ['tool', { ...result('c2', 'odd2'), toolName: '9lives', output: '#odd2#' } as Part],
    ['assistant'],
    ['system', text('Answer now.')],
    ['assistant', text('   ')],
    ['user', text('\ud83d half')],
    ['assistant', text('x '), text('\t')],
  ),
  conversation(
    'interrupted',
    'anthropic:claude-sonnet-4-5',
    rules,
    ask,
    ['assistant', text('I look'), call('c1'), call('c2')],
    ['user', text('Stop. Only the width.')],
    ['tool', result('c2', 'late2')],
    ['assistant', text('Well ')],
    ['assistant', text('then'), call('c3')],
    ['user', text('Hello?')],
    ['tool', result('c1', 'late1'), result('c3', 'late3')],
    answer,
  ),
]

/** Every conversation that is cut. */
export const conversations: readonly Conversation[] = [
  ...plain,
  calledInText,
  ...idsConversations(),
  ...(Object.keys(signatures) as (keyof typeof signatures)[]).map(reasoningConversation),
]
