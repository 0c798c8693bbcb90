import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import type { RunContext } from '../run/run-context.ts'
import type { ModelBinding } from './model.ts'

/** Records what is special about a model, once in a run, whichever of its parts meets it first. Nothing is waited for. */
export function noticeOfModel(
  context: RunContext,
  { name }: Pick<ModelBinding, 'name'>,
  what: string,
  text: string,
): void {
  const { journal, clock, noticed } = context.services
  const key = `model/${name}/${what}`
  if (noticed.has(key) || journal.decision('notice', key) !== undefined) return
  noticed.add(key)
  const data = { level: 'warning', component: context.path, text: context.redact(text) } as const
  // A log that fails is noticed at the next step.
  void journal.append({ key, type: 'notice', data, ts: clock.now() }).catch(() => undefined)
}

type Warning = LanguageModelV4GenerateResult['warnings'][number]

/** Tells what a provider's package left out of a call, or did another way: each setting once in a run. */
export function tellWarnings(
  context: RunContext,
  binding: Pick<ModelBinding, 'name' | 'reach'>,
  warnings: readonly Warning[],
): void {
  for (const warning of warnings) {
    if (isKnown(binding, warning)) continue
    const { what, text } = describeWarning(warning)
    noticeOfModel(context, binding, what, `${binding.name} ${text}.`)
  }
}

/** Where the table of providers says that no schemas are taken, any JSON is asked for, and the answer is checked. */
function isKnown({ reach }: Pick<ModelBinding, 'reach'>, warning: Warning): boolean {
  return (
    reach?.baseUrl !== undefined &&
    warning.type === 'unsupported' &&
    warning.feature === 'responseFormat'
  )
}

function describeWarning(warning: Warning): { readonly what: string; readonly text: string } {
  switch (warning.type) {
    case 'unsupported':
    case 'compatibility': {
      const { type, feature, details } = warning
      const how =
        type === 'unsupported'
          ? `does not support ${feature}: it was omitted`
          : `supports ${feature} differently`
      return {
        what: feature,
        text: details === undefined ? how : `${how} (${withoutStop(details)})`,
      }
    }
    case 'deprecated':
      return { what: warning.setting, text: `${warning.setting}: ${withoutStop(warning.message)}` }
    case 'other':
      return { what: warning.message, text: `says: ${withoutStop(warning.message)}` }
  }
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}
