import type { Bench } from './bench.ts'

/** All benches, in the order of the document. Each is a folder here with a `bench.ts`. */
export const benchNames: readonly string[] = ['start', 'log', 'model-call']

export async function loadBench(name: string): Promise<Bench> {
  const { bench } = (await import(`./${name}/bench.ts`)) as { readonly bench: Bench }
  return bench
}
