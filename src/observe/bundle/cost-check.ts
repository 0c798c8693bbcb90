import { isJsonObject, type Json, type JsonObject } from '../../kernel/json.ts'
import { isOfStep, type Usage } from '../../kernel/run/event.ts'
import { type Check, concluded, Faults, undecided } from './check.ts'
import { count, faultIn, shown } from './fault.ts'
import { type BundledEvent, memberNames } from './form.ts'

/** Tolerated relative rounding error. */
const tolerance = 1e-9

/** Checks that the cost of each step is possible for its tokens at the recorded prices; cached tokens are cheaper. */
export class CostCheck {
  private readonly faults = new Faults()
  private readonly roles = new Map<string, string>()
  private prices: JsonObject | undefined
  private priced = 0
  private unpriced = 0

  record(event: BundledEvent): void {
    const { type, key, output } = event
    if (!isOfStep(event)) {
      const { prices } = event.data
      if (type.startsWith('run.') && isJsonObject(prices)) this.prices = prices
      return
    }
    const { usage, input } = event.data
    const given = type === 'step.started' ? output : input
    if (isJsonObject(given) && typeof given.role === 'string') this.roles.set(key, given.role)
    if (type === 'step.started') return
    const role = this.roles.get(key)
    this.roles.delete(key)
    if (usage !== undefined) this.checkUsage(event, usage, role)
  }

  conclude(): Check {
    if (this.prices === undefined && this.unpriced > 0)
      return undecided('costs', 'The log of this run does not contain prices.')
    const open = this.unpriced === 0 ? '' : `; the price of ${count(this.unpriced)} is unknown`
    return concluded(
      'costs',
      this.faults,
      `the costs of ${count(this.priced)} steps match their prices${open}`,
    )
  }

  private checkUsage(event: BundledEvent, usage: Usage, role: string | undefined): void {
    const prices = this.prices ?? {}
    const price = role !== undefined && Object.hasOwn(prices, role) ? prices[role] : undefined
    const { inputTokens, outputTokens, costUsd } = usage
    if (price === null && costUsd !== null && costUsd > 0)
      this.add(event, `it has a cost of $${costUsd}, although its price is unknown.`)
    if (!isJsonObject(price)) {
      this.unpriced++
      return
    }
    this.priced++
    const [least, most] = costBounds(price, inputTokens, outputTokens)
    if (costUsd !== null && costUsd >= least * (1 - tolerance) && costUsd <= most * (1 + tolerance))
      return
    this.add(
      event,
      `it has a cost of ${costUsd === null ? 'null' : `$${costUsd}`}, but its tokens cost $${least} to $${most}.`,
    )
  }

  private add({ seq, key }: BundledEvent, text: string): void {
    this.faults.add(faultIn(memberNames.log, `event ${count(seq)}, "${shown(key)}": ${text}`))
  }
}

/** The minimum and maximum cost of tokens, however many were cached and however many calls there were. */
function costBounds(
  price: JsonObject,
  inputTokens: number,
  outputTokens: number,
): readonly [least: number, most: number] {
  const rates = [price, ...(isJsonObject(price.longPrompt) ? [price.longPrompt] : [])]
  const all = (names: readonly string[]) =>
    rates.flatMap((rate) => names.flatMap((name) => readNumber(rate[name])))
  const inputs = all(['inputUsdPerMTok', 'cachedInputUsdPerMTok', 'cacheWriteUsdPerMTok'])
  const outputs = all(['outputUsdPerMTok'])
  const cost = (pick: (...rates: number[]) => number) =>
    (inputTokens * pick(...inputs) + outputTokens * pick(...outputs)) / 1e6
  return [cost(Math.min), cost(Math.max)]
}

function readNumber(value: Json | undefined): readonly number[] {
  return typeof value === 'number' ? [value] : []
}
