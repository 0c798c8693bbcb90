/** Work that takes long, or for ever. */
export function matches(source: string, text: string): boolean {
  return new RegExp(source).test(text)
}

export function loop(): void {
  for (;;);
}

export function busy(forMs: number): { readonly kept: readonly unknown[] } {
  const end = performance.now() + forMs
  while (performance.now() < end);
  return { kept: [1, 'a'] }
}

export function fails(forMs: number): unknown {
  busy(forMs)
  return JSON.parse('{')
}
