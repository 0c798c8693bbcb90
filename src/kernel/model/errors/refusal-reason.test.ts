import { describe, expect, it } from 'vitest'
import {
  anthropicError,
  googleError,
  openaiError,
  type Refusing,
  refused,
  told,
} from '../../../../test/kernel/refusals.ts'

describe('a refusal by each provider, as its documentation has it', () => {
  it.each<[string, Refusing, string, string, boolean]>([
    [
      'OpenAI, wrong key',
      {
        status: 401,
        body: openaiError('Incorrect API key provided: sk-1***9.', 'invalid_api_key'),
      },
      'key_refused',
      'model_failed',
      true,
    ],
    [
      'Anthropic, wrong key',
      { status: 401, body: anthropicError('authentication_error', 'invalid x-api-key') },
      'key_refused',
      'model_failed',
      true,
    ],
    [
      'Google, wrong key',
      {
        status: 400,
        body: googleError(
          400,
          'INVALID_ARGUMENT',
          'API key not valid. Please pass a valid API key.',
          [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
        ),
      },
      'key_refused',
      'model_failed',
      true,
    ],
    [
      'Mistral, wrong key',
      { status: 401, body: { detail: 'Unauthorized' } },
      'key_refused',
      'model_failed',
      true,
    ],
    [
      'OpenAI, country',
      {
        status: 403,
        body: openaiError(
          'Country, region, or territory not supported',
          'unsupported_country_region_territory',
        ),
      },
      'not_allowed',
      'model_failed',
      true,
    ],
    [
      'OpenAI, no credit',
      {
        status: 429,
        body: openaiError(
          'You exceeded your current quota, please check your plan and billing details.',
          'insufficient_quota',
          'insufficient_quota',
        ),
      },
      'no_credit',
      'model_failed',
      true,
    ],
    [
      'Anthropic, no credit',
      {
        status: 400,
        body: anthropicError(
          'invalid_request_error',
          'Your credit balance is too low to access the Anthropic API.',
        ),
      },
      'no_credit',
      'model_failed',
      true,
    ],
    [
      'DeepSeek, no credit',
      { status: 402, body: openaiError('Insufficient Balance', 'invalid_request_error') },
      'no_credit',
      'model_failed',
      true,
    ],
    [
      'OpenRouter, no credit',
      {
        status: 402,
        body: {
          error: { code: 402, message: 'This request requires more credits, or fewer max_tokens.' },
        },
      },
      'no_credit',
      'model_failed',
      true,
    ],
    [
      'OpenAI, no such model',
      {
        status: 404,
        body: openaiError(
          'The model `gpt-9` does not exist or you do not have access to it.',
          'model_not_found',
        ),
      },
      'model_not_found',
      'model_failed',
      true,
    ],
    [
      'Anthropic, no such model',
      { status: 404, body: anthropicError('not_found_error', 'model: claude-9') },
      'model_not_found',
      'model_failed',
      true,
    ],
    [
      'Google, no such model',
      {
        status: 404,
        body: googleError(404, 'NOT_FOUND', 'models/gemini-9 is not found for API version v1beta'),
      },
      'model_not_found',
      'model_failed',
      true,
    ],
    [
      'OpenRouter, no such model',
      { status: 400, body: { error: { code: 400, message: 'x/y is not a valid model ID' } } },
      'model_not_found',
      'model_failed',
      true,
    ],
    [
      'Azure, no such deployment',
      {
        status: 404,
        body: {
          error: {
            code: 'DeploymentNotFound',
            message: 'The API deployment for this resource does not exist.',
          },
        },
      },
      'model_not_found',
      'model_failed',
      true,
    ],
    [
      'OpenAI, limit',
      {
        status: 429,
        body: openaiError(
          'Rate limit reached for gpt-4o. Please try again in 1.5s.',
          'rate_limit_exceeded',
          'requests',
        ),
      },
      'rate_limited',
      'model_unavailable',
      true,
    ],
    [
      'Google, limit',
      {
        status: 429,
        body: googleError(
          429,
          'RESOURCE_EXHAUSTED',
          'You exceeded your current quota, please check your plan and billing details.',
        ),
      },
      'rate_limited',
      'model_unavailable',
      true,
    ],
    [
      'Anthropic, overloaded',
      { status: 529, body: anthropicError('overloaded_error', 'Overloaded') },
      'overloaded',
      'model_unavailable',
      true,
    ],
    [
      'Google, overloaded',
      {
        status: 503,
        body: googleError(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
      },
      'overloaded',
      'model_unavailable',
      true,
    ],
    [
      'OpenAI, 500',
      { status: 500, body: openaiError('The server had an error', null, 'server_error') },
      'service_failed',
      'model_unavailable',
      true,
    ],
    [
      'a gateway',
      { status: 502, body: '<html><body>Bad gateway</body></html>' },
      'service_failed',
      'model_unavailable',
      true,
    ],
    [
      'a login page',
      { status: 200, body: '<!DOCTYPE html><title>Log in</title>' },
      'not_the_interface',
      'model_failed',
      true,
    ],
    [
      'a web server, limit',
      { status: 429, body: '<html><h1>Too many requests</h1></html>' },
      'rate_limited',
      'model_unavailable',
      true,
    ],
    [
      'a web server without the path',
      { status: 404, body: '<html><h1>Not found</h1></html>' },
      'not_the_interface',
      'model_failed',
      true,
    ],
    [
      'Ollama, memory',
      {
        status: 500,
        body: openaiError(
          'model requires more system memory (8.0 GiB) than is available (5.1 GiB)',
          null,
          'api_error',
        ),
      },
      'no_memory',
      'model_failed',
      true,
    ],
    [
      'OpenAI, content',
      {
        status: 400,
        body: openaiError(
          'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
          'invalid_prompt',
        ),
      },
      'content_refused',
      'model_failed',
      false,
    ],
    [
      'Azure, content',
      {
        status: 400,
        body: {
          error: {
            message:
              "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
            code: 'content_filter',
            status: 400,
            innererror: { code: 'ResponsibleAIPolicyViolation' },
          },
        },
      },
      'content_refused',
      'model_failed',
      false,
    ],
    [
      'OpenAI, a wrong parameter',
      {
        status: 400,
        body: openaiError(
          "Unsupported value: 'temperature' does not support 0.",
          'unsupported_value',
        ),
      },
      'request_refused',
      'model_failed',
      false,
    ],
  ])('%s', (_who, answer, reason, code, retryable) => {
    expect(told(refused(answer))).toMatchObject({ code, retryable, details: { reason } })
  })

  it('is told with what the service says', () => {
    const body = openaiError('Incorrect API key provided: sk-1***9.', 'invalid_api_key')
    expect(told(refused({ status: 401, body }))).toMatchObject({
      message: 'openai:big refused the key (401): Incorrect API key provided: sk-1***9.',
      hint: 'Check the key in OPENAI_API_KEY: it is wrong, no longer valid, or belongs to another provider. Then resume the run.',
    })
  })

  it('says of a web page where it came from, and not what stands in it', () => {
    const error = told(refused({ status: 200, body: '<!DOCTYPE html><p>secret page</p>' }))
    expect(error.message).toContain('https://api.openai.com/v1 returned a web page')
    expect(error.message).not.toContain('secret page')
  })

  it.each([
    ['ollama', 'Download it with: ollama pull llama3.2:3b'],
    ['azure', 'the name of your deployment'],
    ['groq', 'scholium models groq'],
  ])('says for %s how a model is got', (provider, hint) => {
    const reach = { provider, baseUrl: 'http://127.0.0.1:1/v1' }
    const body = openaiError('model "llama3.2:3b" not found', null, 'not_found_error')
    const error = told(refused({ status: 404, body }), reach, 'llama3.2:3b')
    expect(error.hint).toContain(hint)
  })
})

describe('a prompt that is too long', () => {
  const rows: [string, number, unknown, (number | undefined)?, number?][] = [
    [
      'OpenAI',
      400,
      openaiError(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens.",
        'context_length_exceeded',
      ),
      130_512,
      128_000,
    ],
    [
      'OpenAI responses',
      400,
      openaiError(
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
        'context_length_exceeded',
      ),
    ],
    [
      'Anthropic',
      400,
      anthropicError('invalid_request_error', 'prompt is too long: 208310 tokens > 200000 maximum'),
      208_310,
      200_000,
    ],
    [
      'Anthropic with the answer',
      400,
      anthropicError(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length',
      ),
      210_000,
      200_000,
    ],
    [
      'Anthropic, bytes',
      413,
      anthropicError('request_too_large', 'Request exceeds the maximum size'),
    ],
    [
      'Google',
      400,
      googleError(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      ),
      1_200_000,
      1_048_576,
    ],
    [
      'xAI',
      400,
      {
        code: 'Client specified an invalid argument',
        error:
          "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
      537_812,
      131_072,
    ],
    [
      'Mistral',
      400,
      {
        object: 'error',
        message:
          'Prompt contains 40960 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_prompt',
        code: '3051',
      },
      40_960,
      32_768,
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5012 tokens (4000 in the messages, 1012 in the completion).",
        type: 'BadRequestError',
        code: 400,
      },
      5_012,
      4_096,
    ],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message:
            'request (9012 tokens) exceeds the available context size (4096 tokens), try increasing it',
          type: 'exceed_context_size_error',
        },
      },
      9_012,
      4_096,
    ],
    [
      'LM Studio',
      400,
      {
        error:
          'Trying to keep the first 5012 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      },
      undefined,
      4_096,
    ],
    [
      'Groq',
      413,
      openaiError(
        'Request too large for model `llama` on tokens per minute (TPM): Limit 6000, Requested 7012, please reduce your message size',
        'rate_limit_exceeded',
        'tokens',
      ),
      7_012,
      6_000,
    ],
  ]
  it.each(rows)(
    'is one thing, whoever says it: %s',
    (_who, status, body, askedTokens, allowedTokens) => {
      const error = told(refused({ status, body }))
      expect(error).toMatchObject({
        code: 'model_failed',
        retryable: false,
        hint: expect.stringContaining('fewer or shorter sources'),
        details: { reason: 'context_too_long' },
      })
      expect(error.details.askedTokens).toBe(askedTokens)
      expect(error.details.allowedTokens).toBe(allowedTokens)
    },
  )

  it('is told with the tokens', () => {
    const body = anthropicError(
      'invalid_request_error',
      'prompt is too long: 208310 tokens > 200000 maximum',
    )
    expect(told(refused({ status: 400, body })).message).toContain(
      '(208310 tokens requested, 200000 allowed)',
    )
  })

  it('of Ollama names the variable that makes its window larger', () => {
    const reach = { provider: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' }
    const body = openaiError('prompt too long; exceeded max context length by 12 tokens', null)
    expect(told(refused({ status: 400, body }), reach).hint).toContain('OLLAMA_CONTEXT_LENGTH')
  })
})
