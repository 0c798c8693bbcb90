import type { Json, JsonObject } from '../../src/kernel/json.ts'

/** A call that is to be printed. */
export interface Call {
  readonly toolName: string
  readonly input: JsonObject
}

/** A form in which one call can stand within a sentence. */
export type CallForm = 'json' | 'pythonic' | 'tag'

/** Prints calls in one form, `undefined` if the form cannot show them; `variant` (≥ 0) picks among its spellings. */
export type Printer = (
  calls: readonly Call[],
  leadIn: string,
  variant: number,
) => string | undefined

const inputKeys = ['arguments', 'parameters', 'arguments', 'input', 'args'] as const

/** One call in a form that fits into a sentence. */
export function printCall(call: Call, form: CallForm): string | undefined {
  if (form === 'pythonic') return pythonicCall(call)
  const printed = JSON.stringify({ name: call.toolName, arguments: call.input })
  return form === 'json' ? printed : `<tool_call>\n${printed}\n</tool_call>`
}

/** The five forms that the targets are held against. */
export const mainPrinters: Readonly<Record<string, Printer>> = {
  'bare JSON': (calls, _leadIn, variant) => bareJson(calls, variant),
  'fenced JSON after a sentence': (calls, leadIn, variant) =>
    `${leadIn}\n\n\`\`\`${variant % 3 === 0 ? '' : 'json'}\n${bareJson(calls, variant)}\n\`\`\``,
  '<tool_call>': (calls) =>
    calls.map((call) => `<tool_call>\n${named(call, 'arguments')}\n</tool_call>`).join('\n'),
  '<function=…>': (calls) =>
    calls
      .map(({ toolName, input }) => `<function=${toolName}>${JSON.stringify(input)}</function>`)
      .join('\n'),
  pythonic: (calls) => {
    const printed = calls.map(pythonicCall)
    return printed.includes(undefined) ? undefined : `[${printed.join(', ')}]`
  },
}

/** Forms of single families of models and of prompts that people use. */
export const otherPrinters: Readonly<Record<string, Printer>> = {
  'bare JSON after a sentence': (calls, leadIn, variant) =>
    `${leadIn}\n\n${bareJson(calls, variant)}`,
  'Python dicts': (calls) => {
    const values = calls.map(({ toolName, input }) => ({ name: toolName, arguments: input }))
    return values.map(pythonLiteral).join('\n')
  },
  'OpenAI’s objects': (calls) =>
    JSON.stringify({
      tool_calls: calls.map(({ toolName, input }, index) => ({
        id: `call_${index}`,
        type: 'function',
        function: { name: toolName, arguments: JSON.stringify(input) },
      })),
    }),
  'action and action_input': (calls, leadIn) =>
    only(
      calls,
      ({ toolName, input }) =>
        `Thought: ${leadIn}\nAction:\n\`\`\`json\n${JSON.stringify({ action: toolName, action_input: input }, null, 2)}\n\`\`\``,
    ),
  ReAct: (calls, leadIn) =>
    only(
      calls,
      ({ toolName, input }) =>
        `Thought: ${leadIn}\nAction: ${toolName}\nAction Input: ${JSON.stringify(input)}`,
    ),
  'pythonic line after a sentence': (calls, leadIn) =>
    only(calls, (call) => {
      const printed = pythonicCall(call)
      return printed === undefined || Object.keys(call.input).length === 0
        ? undefined
        : `${leadIn}\n${printed}`
    }),
  'Llama 3': (calls) =>
    `<|python_tag|>${calls.map((call) => named(call, 'parameters')).join('; ')}<|eom_id|>`,
  'Llama 3, header left over': (calls) =>
    `<|start_header_id|>assistant<|end_header_id|>\n\n${calls.map((call) => named(call, 'parameters')).join('\n')}<|eot_id|>`,
  'Mistral, list': (calls) =>
    `[TOOL_CALLS] [${calls.map((call) => named(call, 'arguments')).join(', ')}]</s>`,
  'Mistral, [ARGS]': (calls) =>
    calls
      .map(({ toolName, input }) => `[TOOL_CALLS]${toolName}[ARGS]${JSON.stringify(input)}`)
      .join(''),
  'Qwen3-Coder': (calls) =>
    calls
      .map(
        ({ toolName, input }) =>
          `<tool_call>\n<function=${toolName}>\n${elements(input, (key, value) => `<parameter=${key}>\n${value}\n</parameter>`)}\n</function>\n</tool_call>`,
      )
      .join('\n'),
  'GLM 4.5': (calls) =>
    calls
      .map(
        ({ toolName, input }) =>
          `<tool_call>${toolName}\n${elements(input, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`)}\n</tool_call>`,
      )
      .join('\n'),
  '<invoke>': (calls, leadIn) =>
    `${leadIn}\n\n<function_calls>\n${calls.map(({ toolName, input }) => `<invoke name="${toolName}">\n${elements(input, (key, value) => `<parameter name="${key}">${value}</parameter>`)}\n</invoke>`).join('\n')}\n</function_calls>`,
  'DeepSeek V3': (calls) =>
    `<｜tool▁calls▁begin｜>${calls.map(({ toolName, input }) => `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${toolName}\n\`\`\`json\n${JSON.stringify(input)}\n\`\`\`<｜tool▁call▁end｜>`).join('\n')}<｜tool▁calls▁end｜><｜end▁of▁sentence｜>`,
  'DeepSeek V3.1': (calls) =>
    `<｜tool▁calls▁begin｜>${calls.map(({ toolName, input }) => `<｜tool▁call▁begin｜>${toolName}<｜tool▁sep｜>${JSON.stringify(input)}<｜tool▁call▁end｜>`).join('')}<｜tool▁calls▁end｜>`,
  'Kimi K2': (calls) =>
    `<|tool_calls_section_begin|>${calls.map(({ toolName, input }, index) => `<|tool_call_begin|>functions.${toolName}:${index}<|tool_call_argument_begin|>${JSON.stringify(input)}<|tool_call_end|>`).join('')}<|tool_calls_section_end|>`,
  'gpt-oss': (calls) =>
    `<|channel|>analysis<|message|>We need the tool.<|end|>${calls.map(({ toolName, input }) => `<|start|>assistant<|channel|>commentary to=functions.${toolName} <|constrain|>json<|message|>${JSON.stringify(input)}<|call|>`).join('')}`,
  FunctionGemma: (calls) =>
    calls
      .map(
        ({ toolName, input }) =>
          `<start_function_call>call:${toolName}{${Object.entries(input)
            .map(([key, value]) => `${key}:${gemmaLiteral(value as Json)}`)
            .join(',')}}<end_function_call>`,
      )
      .join(''),
  'Gemma 3, tool_code': (calls) => {
    const printed = calls.map(pythonicCall)
    return printed.includes(undefined)
      ? undefined
      : `\`\`\`tool_code\n${printed.map((call) => `print(${call})`).join('\n')}\n\`\`\``
  },
  'Command R': (calls) =>
    `<|START_ACTION|>[\n${calls.map(({ toolName, input }, index) => JSON.stringify({ tool_call_id: String(index), tool_name: toolName, parameters: input })).join(',\n')}\n]<|END_ACTION|><|END_OF_TURN_TOKEN|>`,
  Granite: (calls) => `<|tool_call|>[${calls.map((call) => named(call, 'arguments')).join(', ')}]`,
  LFM2: (calls) => {
    const printed = calls.map(pythonicCall)
    return printed.includes(undefined)
      ? undefined
      : `<|tool_call_start|>[${printed.join(', ')}]<|tool_call_end|>`
  },
  'Gemma 4': (calls) =>
    calls
      .map(
        ({ toolName, input }) =>
          `<|tool_call>call:${toolName}{${Object.entries(input)
            .map(([key, value]) => `${key}:${gemmaLiteral(value as Json, '<|"|>')}`)
            .join(',')}}<tool_call|>`,
      )
      .join(''),
  'a thought, then a call, as JSON': (calls, leadIn, variant) => {
    const between = ['\n', '', '\n\n', ', '][variant % 4] as string
    const printed = `${JSON.stringify({ thought: leadIn })}${between}${bareJson(calls, variant)}`
    return variant % 3 === 0 ? `\`\`\`json\n${printed}\n\`\`\`` : printed
  },
  'calls with words between': (calls, leadIn, variant) => {
    const between = ['\n\nThen the next one:\n', ' and ', '\nNow the other.\n'][
      variant % 3
    ] as string
    const printed = calls.map((call) => named(call, 'arguments')).join(between)
    return calls.length < 2 ? undefined : `${leadIn}\n${printed}`
  },
  'a stray brace': (calls, _leadIn, variant) =>
    only(
      calls,
      (call) =>
        `{${variant % 2 === 0 ? '' : '\n'}${named(call, 'arguments')}${variant % 3 === 0 ? '}' : ''}`,
    ),
  'the only argument alone': (calls) =>
    only(calls, ({ toolName, input }) => {
      const [value, ...others] = Object.values(input)
      const isPlain = typeof value === 'number'
      return others.length > 0 || !isPlain
        ? undefined
        : JSON.stringify({ name: toolName, arguments: value })
    }),
  'LM Studio': (calls) =>
    calls.map((call) => `[TOOL_REQUEST]${named(call, 'arguments')}[END_TOOL_REQUEST]`).join('\n'),
}

function named({ toolName, input }: Call, key: string): string {
  return JSON.stringify({ name: toolName, [key]: input })
}

function bareJson(calls: readonly Call[], variant: number): string {
  const key = inputKeys[variant % inputKeys.length] as string
  const indent = variant % 2 === 0 ? 0 : 2
  const values = calls.map(({ toolName, input }) => ({ name: toolName, [key]: input }))
  if (variant % 7 < 3 && values.length > 1) {
    return values.map((value) => JSON.stringify(value, null, indent)).join('\n')
  }
  return JSON.stringify(values.length === 1 ? values[0] : values, null, indent)
}

function only(
  calls: readonly Call[],
  print: (call: Call) => string | undefined,
): string | undefined {
  return calls.length === 1 ? print(calls[0] as Call) : undefined
}

/** A call in Python's notation, `undefined` if a name in it is none in Python. */
function pythonicCall({ toolName, input }: Call): string | undefined {
  const keys = Object.keys(input)
  if (![...toolName.split('.'), ...keys].every((name) => /^[A-Za-z_]\w*$/.test(name))) {
    return undefined
  }
  return `${toolName}(${keys.map((key) => `${key}=${pythonLiteral(input[key] as Json)}`).join(', ')})`
}

/** A value as Python's `repr` shows it. */
function pythonLiteral(value: Json): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return pythonString(value)
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`
  const entries = Object.entries(value as JsonObject)
  return `{${entries.map(([key, item]) => `${pythonString(key)}: ${pythonLiteral(item as Json)}`).join(', ')}}`
}

function pythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t')
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote
}

function gemmaLiteral(value: Json, quote = '<escape>'): string {
  if (typeof value === 'string') return `${quote}${value}${quote}`
  if (Array.isArray(value))
    return `[${value.map((item: Json) => gemmaLiteral(item, quote)).join(',')}]`
  if (value === null || typeof value !== 'object') return String(value)
  return `{${Object.entries(value as JsonObject)
    .map(([key, item]) => `${key}:${gemmaLiteral(item as Json, quote)}`)
    .join(',')}}`
}

function elements(input: JsonObject, print: (key: string, value: string) => string): string {
  return Object.entries(input)
    .map(([key, value]) => print(key, typeof value === 'string' ? value : JSON.stringify(value)))
    .join('\n')
}
