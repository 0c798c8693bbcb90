import { bytesPerMb, defaultMaxLogBytes } from '../../kernel/limits/log-limit.ts'
import type { Price } from '../../kernel/model/model.ts'
import { pricesByName } from '../../models/prices.ts'
import { defaultSandboxLimits } from '../../tools/sandbox/sandbox-limits.ts'
import { isOfProject, type Problem, type Setting, type Settings } from './origin.ts'

/** Merged settings of all origins. */
export interface Merged {
  readonly settings: Settings
  /** The operator's settings, including those that a project's file has replaced. */
  readonly operators: Settings
  /** What a project's file requested and was refused. */
  readonly notes: readonly Problem[]
}

/** Merges settings; `layers` go from the weakest to the strongest. */
export function mergeSettings(layers: readonly Settings[]): Merged {
  const merged = new Map<string, Setting>()
  // The operator's value remains the bound, even if a project's file has replaced it.
  const operators = new Map<string, Setting>()
  const notes: Problem[] = []
  for (const layer of layers) {
    // Naming the model of all roles overrides weaker settings of each role, except the model for vectors.
    if (layer.has('models.default')) {
      for (const key of [...merged.keys()])
        if (key.startsWith('models.') && key !== 'models.embedding') merged.delete(key)
    }
    for (const [key, setting] of layer) {
      const isProjects = isOfProject(setting.origin)
      const objection = isProjects ? objectionTo(key, setting, operators) : undefined
      if (objection === undefined) merged.set(key, setting)
      else notes.push({ place: setting.origin.text, message: `${key} is ignored: ${objection}` })
      if (!isProjects) operators.set(key, setting)
    }
  }
  return { settings: merged, operators, notes }
}

/** The defaults, which are also the maximum for a project. */
const bounds: Readonly<Record<string, number>> = {
  'limits.maxLogMb': defaultMaxLogBytes / bytesPerMb,
  'python.timeoutSeconds': defaultSandboxLimits.wallMs / 1_000,
  'python.memoryMb': defaultSandboxLimits.memoryMb,
}

/**
 * What a project may not do: raise a limit, claim that a model is cheaper than it is known to be, or use the web
 * unasked.
 */
function objectionTo(key: string, { value }: Setting, operators: Settings): string | undefined {
  const current = operators.get(key)
  if (key.startsWith('limits.') && current !== undefined) {
    return Number(value) > Number(current.value)
      ? `${current.origin.text} allows ${current.value}, and a project can only lower it`
      : undefined
  }
  if (key === 'web' && value === true && operators.get(key)?.value !== true)
    return 'a project cannot enable the web; give --web, or set it in your own configuration file'
  if (key === 'trustedHomes')
    return 'a project cannot declare homes trusted; set it in your own configuration file'
  if (key.startsWith('mcp.') && value !== false)
    return 'a project cannot start programs; give --mcp, or set it in your own configuration file'
  if (Object.hasOwn(bounds, key)) {
    const most = operators.get(key)?.value ?? bounds[key]
    return Number(value) > Number(most) ? `a project can set at most ${most}` : undefined
  }
  if (!key.startsWith('prices.')) return undefined
  return objectionToPrice(key.slice('prices.'.length), value as Price, operators)
}

/** A price of 0 would disable a dollar limit, so a project can only raise the known price of a model. */
function objectionToPrice(name: string, price: Price, operators: Settings): string | undefined {
  const known = knownPrices(operators)
  const higher = known.find((one) => meet(one.name, name) && isBelow(price, one.price))
  if (higher !== undefined)
    return `${higher.where} has a higher price, and a project can only raise it`
  return known.some((one) => one.name === name || covers(one.name, name))
    ? undefined
    : 'a project cannot set the price of a model that has none; set it in your own configuration file'
}

interface NamedPrice {
  readonly name: string
  readonly price: Price
  /** Its origin. */
  readonly where: string
}

function knownPrices(operators: Settings): readonly NamedPrice[] {
  const own = [...operators].flatMap(([key, { value, origin }]) =>
    key.startsWith('prices.')
      ? [{ name: key.slice('prices.'.length), price: value as Price, where: origin.text }]
      : [],
  )
  const listed = [...pricesByName].map(([name, price]) => ({
    name,
    price,
    where: 'the built-in table',
  }))
  return [...own, ...listed]
}

/** Whether a model can match both names. */
function meet(one: string, other: string): boolean {
  return one === other || covers(one, other) || covers(other, one)
}

function covers(pattern: string, name: string): boolean {
  return pattern.endsWith('*') && name.startsWith(pattern.slice(0, -1))
}

const rates = [
  'inputUsdPerMTok',
  'outputUsdPerMTok',
  'cachedInputUsdPerMTok',
  'cacheWriteUsdPerMTok',
] as const

/** Whether one price is lower than the other for any kind of token, including those of long prompts. */
function isBelow(price: Price, { longPrompt, ...known }: Price): boolean {
  const rateOf = (of: Omit<Price, 'longPrompt'>, rate: (typeof rates)[number]) =>
    of[rate] ?? of.inputUsdPerMTok
  return [known, longPrompt ?? known].some((other) =>
    rates.some((rate) => rateOf(price, rate) < rateOf(other, rate)),
  )
}
