import { ScholiumError } from '../kernel/errors.ts'
import type { Price } from '../kernel/model/model.ts'
import { isLoopback, isSameOrigin } from './base-url.ts'
import type { ModelSettings, RoleModel } from './model-settings.ts'
import { pricesByName } from './prices.ts'
import { type ResolvedModel, resolveModel } from './resolve-model.ts'

/** A model's price and its origin; if the origin is `unknown`, the price is null. */
export interface KnownPrice {
  readonly price: Price | null
  readonly from: 'override' | 'table' | 'local' | 'unknown'
}

const free: Price = { inputUsdPerMTok: 0, outputUsdPerMTok: 0 }

/**
 * A model's price: from the settings, otherwise 0 for a model on this machine, otherwise from the built-in table if the
 * provider's own address is used.
 * @throws `invalid_configuration` as {@link resolveModel}
 */
export function findPrice(choice: string | RoleModel, settings: ModelSettings): KnownPrice {
  const role = typeof choice === 'string' ? { name: choice } : choice
  const given = findPriceOverride(role.name, settings.prices ?? {})
  if (given !== undefined) return { price: given, from: 'override' }
  if (Object.hasOwn(settings.builtIn, role.name)) return { price: free, from: 'local' }
  const [provider = ''] = role.name.split(':')
  if (Object.hasOwn(settings.providers ?? {}, provider)) return { price: null, from: 'unknown' }
  return priceAt(role.name, resolveModel(role, settings))
}

/** A model's price without the settings' overrides. */
export function priceAt(name: string, { facts, baseUrl, model }: ResolvedModel): KnownPrice {
  // Ollama forwards models with these suffixes to its own paid service.
  const isPassedOn = /[:-]cloud$/.test(model)
  if (facts.isLocal && baseUrl !== '' && isLoopback(baseUrl) && !isPassedOn)
    return { price: free, from: 'local' }
  const listed = pricesByName.get(name)
  const isPublic = baseUrl !== '' && isSameOrigin(baseUrl, facts.baseUrl)
  return listed !== undefined && isPublic
    ? { price: listed, from: 'table' }
    : { price: null, from: 'unknown' }
}

/** The price override for a name: under the name itself, or under its longest prefix followed by `*`. */
export function findPriceOverride(
  name: string,
  prices: Readonly<Record<string, Price>>,
): Price | undefined {
  if (Object.hasOwn(prices, name)) return prices[name]
  const beginnings = Object.keys(prices)
    .filter((key) => key.endsWith('*') && name.startsWith(key.slice(0, -1)))
    .toSorted((one, other) => other.length - one.length)
  return beginnings[0] === undefined ? undefined : prices[beginnings[0]]
}

/**
 *
 * @throws `invalid_configuration` for a price that is not an amount of money
 */
export function checkPrices(prices: Readonly<Record<string, Price>>): void {
  for (const [name, { longPrompt, ...price }] of Object.entries(prices)) {
    const amounts = Object.values({ ...price, ...longPrompt })
    const areAmounts = amounts.every((amount) => Number.isFinite(amount) && amount >= 0)
    const { inputUsdPerMTok, outputUsdPerMTok } = price
    if (areAmounts && inputUsdPerMTok !== undefined && outputUsdPerMTok !== undefined) continue
    throw new ScholiumError('invalid_configuration', `The price of ${name} is not valid.`, {
      hint: 'Give inputUsdPerMTok and outputUsdPerMTok, both 0 or more.',
    })
  }
}
