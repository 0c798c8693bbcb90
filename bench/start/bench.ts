import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Bench, BenchSize } from '../bench.ts'
import { median, timeInTurns } from '../timing.ts'

const command = fileURLToPath(new URL('../../bin/scholium.js', import.meta.url))
const rounds: Readonly<Record<BenchSize, number>> = { smoke: 1, quick: 7, full: 15 }

/** Each command with the multiple of a bare Node's start that it may take. */
const commands: readonly (readonly [args: readonly string[], atMost: number])[] = [
  [['--version'], 1.5],
  [['--help'], 3],
  [['runs', 'list'], 6],
  [['ask', 'What is 2 + 2?'], 15],
  [['ask', 'Who discovered penicillin?'], 15],
]

/** How long a command takes from its start to its end, next to a Node that does nothing; each in a new process, with Node's compile cache. */
export const bench: Bench = {
  title: 'Starting',
  async run({ size, folder }) {
    const env = { ...process.env, SCHOLIUM_HOME: folder }
    const start = (args: readonly string[]) => () =>
      execFileSync(process.execPath, args, { stdio: 'ignore', env })
    const ways = Object.fromEntries(
      commands.map(([args]) => [args.join(' '), start([command, ...args])]),
    )
    const warmUpRounds = size === 'smoke' ? 0 : 1
    const times = await timeInTurns(
      { bare: start(['-e', '0']), ...ways },
      rounds[size],
      warmUpRounds,
    )
    const yardstick = { what: 'node -e 0', value: median(times.bare) }
    return commands.map(([args, atMost]) => ({
      what: `\`scholium ${args.join(' ')}\``,
      value: median((times as Record<string, readonly number[]>)[args.join(' ')] ?? []),
      unit: 'ms',
      yardstick,
      target: { atMost },
    }))
  },
}
