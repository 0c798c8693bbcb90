import { isBlank, isObject, placesWhere, type Rule, wholeCharacters } from './rule.ts'

/** The body of a request to generate content, as far as it is judged. */
export interface GeminiBody {
  readonly systemInstruction?: { readonly parts: readonly GeminiPart[] }
  readonly contents: readonly GeminiContent[]
}

/** One turn. */
export interface GeminiContent {
  readonly role: string
  readonly parts: readonly GeminiPart[]
}

/** A part of a turn. */
export interface GeminiPart {
  readonly text?: string
  readonly thought?: boolean
  readonly thoughtSignature?: string
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: unknown }
  readonly functionResponse?: {
    readonly id?: string
    readonly name: string
    readonly response?: unknown
  }
}

const reference = 'https://ai.google.dev/api/caching#Content'
const guide = 'https://ai.google.dev/gemini-api/docs/function-calling'
const signatures = 'https://ai.google.dev/gemini-api/docs/thought-signatures'

function callsOf(content: GeminiContent | undefined) {
  return content?.parts.flatMap(({ functionCall }) => functionCall ?? []) ?? []
}

function resultsOf(content: GeminiContent | undefined) {
  return content?.parts.flatMap(({ functionResponse }) => functionResponse ?? []) ?? []
}

/** What Google asks of the contents of a request. */
export const geminiRules: readonly Rule<GeminiBody>[] = [
  wholeCharacters(),
  {
    // "GenerateContentRequest.contents: contents is not specified"
    name: 'has contents',
    source: reference,
    broken: ({ contents }) => (contents.length === 0 ? ['contents'] : []),
  },
  {
    // "Please use a valid role: user, model."
    name: 'roles',
    source: reference,
    broken: ({ contents }) =>
      placesWhere('contents', contents, ({ role }) => !['user', 'model'].includes(role)),
  },
  {
    name: 'user begins',
    source: guide,
    broken: ({ contents: [first] }) => (first?.role === 'model' ? ['contents[0]'] : []),
  },
  {
    // "GenerateContentRequest.contents[1].parts: contents.parts must not be empty"
    name: 'parts',
    source: reference,
    broken: ({ contents }) => placesWhere('contents', contents, ({ parts }) => parts.length === 0),
  },
  {
    // A signature may come, and goes back, with an empty text.
    // "parts[0].data: required oneof field 'data' must have one initialized field", "... has an empty text parameter"
    name: 'no empty parts',
    source: reference,
    broken: ({ contents, systemInstruction }) =>
      placesWhere(
        'contents',
        [{ role: 'system', parts: systemInstruction?.parts ?? [] }, ...contents],
        ({ parts }) =>
          parts.some(
            (part) =>
              isBlank(part.text) &&
              !part.functionCall &&
              !part.functionResponse &&
              isBlank(part.thoughtSignature),
          ),
      ),
  },
  {
    // "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
    name: 'calls after the user or results',
    source: guide,
    broken: ({ contents }) =>
      placesWhere(
        'contents',
        contents,
        (content, index) => callsOf(content).length > 0 && contents[index - 1]?.role !== 'user',
      ),
  },
  {
    // "Please ensure that the number of function response parts is equal to the number of function call parts …"
    name: 'as many results as calls',
    source: guide,
    broken: ({ contents }) =>
      placesWhere('contents', contents, (content, index) => {
        const calls = callsOf(content)
        return calls.length > 0 && resultsOf(contents[index + 1]).length !== calls.length
      }),
  },
  {
    // "Please ensure that function response turn comes immediately after a function call turn."
    name: 'results after calls',
    source: guide,
    broken: ({ contents }) =>
      placesWhere(
        'contents',
        contents,
        (content, index) =>
          resultsOf(content).length > 0 && callsOf(contents[index - 1]).length === 0,
      ),
  },
  {
    // Names and ids of responses are those of the calls.
    name: 'results of the same functions',
    source: guide,
    broken: ({ contents }) =>
      placesWhere('contents', contents, (content, index) => {
        const calls = callsOf(contents[index - 1])
        const keys = calls.map(({ name, id }) => `${name} ${id}`).toSorted()
        const given = resultsOf(content)
          .map(({ name, id }) => `${name} ${id}`)
          .toSorted()
        const isComparable = calls.length > 0 && given.length === calls.length
        return isComparable && keys.join() !== given.join()
      }),
  },
  {
    // A letter or underscore, then letters, digits, underscores, dots, colons and dashes; 64 at most.
    name: 'names of functions',
    source: 'https://ai.google.dev/api/caching#FunctionDeclaration',
    broken: ({ contents }) =>
      placesWhere('contents', contents, (content) =>
        callsOf(content).some(({ name }) => !/^[a-zA-Z_][\w.:-]{0,63}$/.test(name)),
      ),
  },
  {
    name: 'arguments and responses are objects',
    source: 'https://ai.google.dev/api/caching#FunctionCall',
    broken: ({ contents }) =>
      placesWhere(
        'contents',
        contents,
        (content) =>
          callsOf(content).some(({ args }) => args !== undefined && !isObject(args)) ||
          resultsOf(content).some(({ response }) => !isObject(response)),
      ),
  },
  {
    // Once: "Please ensure that multiturn requests alternate between user and model."
    name: 'no two turns of the model',
    source: guide,
    broken: ({ contents }) =>
      placesWhere(
        'contents',
        contents,
        ({ role }, index) => role === 'model' && contents[index - 1]?.role === 'model',
      ),
  },
  {
    // "Please ensure that multiturn requests end with a user role or a function response."
    name: 'user ends',
    source: guide,
    broken: ({ contents }) => (contents.at(-1)?.role === 'model' ? ['contents'] : []),
  },
]

/** What Gemini 3 requires in addition: it checks the signatures of its calls. */
export const gemini3Rules: readonly Rule<GeminiBody>[] = [
  ...geminiRules,
  {
    // "Function call is missing a thought_signature in functionCall parts": the first of each turn.
    name: 'calls are signed',
    source: signatures,
    broken: ({ contents }) =>
      placesWhere('contents', contents, ({ parts }) => {
        const first = parts.find(({ functionCall }) => functionCall !== undefined)
        return first !== undefined && isBlank(first.thoughtSignature)
      }),
  },
]
