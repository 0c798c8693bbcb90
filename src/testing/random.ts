/**
 * Random numbers in [0, 1), the same for the same seed, for reproducible orders and places in tests.
 * @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c (Mulberry32)
 */
export function createRandom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
