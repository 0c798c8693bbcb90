/** The engine used if no model is named. */
export const builtInEngine = 'extractive'

/** The error that the built-in engine cannot work on code, and how to name a model. */
export const noModel = {
  why: 'The built-in engine is not a language model and cannot work on code.',
  hint: 'Choose a model: scholium code --model ollama:qwen3-coder, or openai:gpt-5.4-mini with OPENAI_API_KEY set; "scholium models" lists providers.',
} as const
