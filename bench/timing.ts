/** The middle value; of an even number, the upper of the two. `NaN` for none. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value below which a share of all values lies (nearest rank), 0 ≤ share ≤ 1. `NaN` for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN
}

/** How long `work` takes, in milliseconds. */
export async function timeMs(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/**
 * Times several ways in turns, round after round, so that other work on the machine affects all of them alike.
 *
 * @param ways - each gets the number of the round, which counts the `warmUpRounds` too; those are not timed.
 * @returns milliseconds of each round by the name of the way.
 */
export async function timeInTurns<Name extends string>(
  ways: Readonly<Record<Name, (round: number) => unknown>>,
  rounds: number,
  warmUpRounds = 1,
): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = Object.keys(ways) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    for (const name of names) {
      const ms = await timeMs(() => ways[name](round))
      if (round >= warmUpRounds) times[name].push(ms)
    }
  }
  return times
}
