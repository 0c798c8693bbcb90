import { splitName } from './model-name.ts'

/** Models of these providers that take pictures, by the beginning of their names. Read in the providers' lists of models in 2026-11. */
const byProvider: Readonly<Record<string, RegExp>> = {
  openai:
    /^(?:chatgpt-4o|gpt-4o(?!-(?:audio|transcribe|mini-(?:audio|transcribe)))|gpt-4\.1|gpt-4-turbo|gpt-[5-9]|o1(?!-mini)|o3(?!-mini)|o4)/,
  anthropic: /^claude-(?!2|instant)/,
  google: /^gemini-(?!embedding)/,
  xai: /^grok-(?:[4-9]|\d*-?vision)/,
  mistral: /^pixtral/,
}

/** What names of open models that take pictures have in them, wherever they run. */
const openModels =
  /llava|moondream|minicpm-v|pixtral|internvl|vision|(?:^|[-\d.])vl(?:[-:]|$)|gemma-?3(?!n?[:-](?:1b|270m))|llama-?4/i

/** Whether a model is known to take pictures, by its name: `provider:model`. One that is not known takes none. */
export function takesImages(name: string): boolean {
  const { provider, model } = splitName(name)
  const known = Object.hasOwn(byProvider, provider) ? byProvider[provider] : undefined
  const plain = model.slice(model.lastIndexOf('/') + 1)
  if (known !== undefined) return known.test(model)
  return openModels.test(plain) || Object.values(byProvider).some((own) => own.test(plain))
}
