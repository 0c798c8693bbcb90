const terminalRedrawMs = 1_000
const plainLineMs = 5_000

/**
 * Says on stderr that `doing` has begun, then how many seconds it has taken: one redrawn line on a terminal, a line
 * now and then elsewhere. The returned function ends it with `outcome` ("done", "failed").
 *
 * @param {string} doing
 * @param {NodeJS.WriteStream} [stream]
 */
export function showProgress(doing, stream = process.stderr) {
  const startedMs = Date.now()
  const isTerminal = stream.isTTY === true
  /** @param {string} state */
  const show = (state) => {
    const seconds = Math.round((Date.now() - startedMs) / 1_000)
    const line = `scholium: ${doing} … ${state}${seconds} s`
    stream.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`)
  }
  show('')
  const timer = setInterval(() => show(''), isTerminal ? terminalRedrawMs : plainLineMs)
  timer.unref()
  /** @param {string} outcome */
  return (outcome) => {
    clearInterval(timer)
    show(`${outcome}, `)
    if (isTerminal) stream.write('\n')
  }
}
