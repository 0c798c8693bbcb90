/** `0.6 s`, `12 s`, `3:05`. */
export function formatTime(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
}

/** The same with `12 ms` for what took less than a tenth of a second. */
export function formatSpan(ms: number): string {
  return ms < 100 ? `${Math.round(ms)} ms` : formatTime(ms)
}
