import { bytesPerMb, defaultMaxLogBytes } from '../../kernel/limits/log-limit.ts'
import type { Price } from '../../kernel/model/model.ts'
import { pricesByName } from '../../models/prices.ts'
import { defaultSandboxLimits } from '../../tools/sandbox/sandbox-limits.ts'
import { isOfProject, type Problem, type Setting, type Settings } from './origin.ts'

/** Settings out of several hands, and what was passed over. */
export interface Merged {
  readonly settings: Settings
  /** What the operator said, also where one of the project's files has replaced it. */
  readonly operators: Settings
  /** What a project's file asked for and did not get. */
  readonly notes: readonly Problem[]
}

/** Puts settings together; `layers` go from the weakest to the strongest. */
export function mergeSettings(layers: readonly Settings[]): Merged {
  const merged = new Map<string, Setting>()
  // What the operator said stays the measure, also where one of the project's files has replaced it.
  const operators = new Map<string, Setting>()
  const notes: Problem[] = []
  for (const layer of layers) {
    // A hand that names the model of all roles means all of them; none of these makes vectors.
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

/** What holds where nobody says otherwise, and is the most that a project may say. */
const bounds: Readonly<Record<string, number>> = {
  'limits.maxLogMb': defaultMaxLogBytes / bytesPerMb,
  'python.timeoutSeconds': defaultSandboxLimits.wallMs / 1_000,
  'python.memoryMb': defaultSandboxLimits.memoryMb,
}

/** What a project may not do: raise a limit, say that a model is cheaper than it is known to be, or go to the web unasked. */
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

/** A price of 0 would switch a dollar limit off, so a project can only say that a model whose price is known costs more. */
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
  /** Who says so. */
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

/** Whether there are models that both names stand for. */
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

/** Whether any kind of token is cheaper by one price than by the other, that of long prompts included. */
function isBelow(price: Price, { longPrompt, ...known }: Price): boolean {
  const rateOf = (of: Omit<Price, 'longPrompt'>, rate: (typeof rates)[number]) =>
    of[rate] ?? of.inputUsdPerMTok
  return [known, longPrompt ?? known].some((other) =>
    rates.some((rate) => rateOf(price, rate) < rateOf(other, rate)),
  )
}
