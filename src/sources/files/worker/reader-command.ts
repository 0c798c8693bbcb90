import { existsSync, realpathSync } from 'node:fs'
import { dirname, extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limitedBySystem } from './limited-process.ts'
import { HEAP_MB, MAX_BUSY_MS, MAX_FILE_MS, SEMI_SPACE_MB } from './worker-limits.ts'

/** Twice the time, since other threads compile and collect garbage. */
const CPU_SECONDS = (2 * (MAX_BUSY_MS + MAX_FILE_MS)) / 1_000

/**
 * The command that starts a reading process: Node under its permission model, which may read the program's own code and
 * its packages, and nothing else; it writes no file, starts no process and, from Node 25 on, reaches no network. It
 * evaluates no text as JavaScript.
 * @see https://nodejs.org/api/permissions.html
 */
export function readerCommand(main = readerMain()): readonly [file: string, ...args: string[]] {
  const command = [
    process.execPath,
    '--permission',
    ...codePlaces(dirname(main)).map((place) => `--allow-fs-read=${place}`),
    '--no-warnings',
    '--disallow-code-generation-from-strings',
    `--max-old-space-size=${HEAP_MB}`,
    `--max-semi-space-size=${SEMI_SPACE_MB}`,
    main,
  ] as const
  return limitedBySystem(command, CPU_SECONDS)
}

/** Built, the process is JavaScript next to this file; in the checkout Node strips its types. */
function readerMain(): string {
  return fileURLToPath(new URL(`./read-child${extname(import.meta.url)}`, import.meta.url))
}

/** The code in whose package a file lies, the packages that are installed for it, and the file that says what kind of code it is. */
function codePlaces(folder: string): readonly string[] {
  let root = folder
  while (!existsSync(join(root, 'package.json')) && dirname(root) !== root) root = dirname(root)
  const installed = `${sep}node_modules${sep}`
  const shared = root.indexOf(installed)
  const folders = [
    folder,
    join(root, 'src'),
    join(root, 'dist'),
    join(root, 'node_modules'),
    ...(shared < 0 ? [] : [root.slice(0, shared + installed.length)]),
  ]
  const there = folders.filter((place) => existsSync(place))
  const places = new Set([...there, ...there.map((place) => realpathSync(place))])
  return [...places].map((place) => join(place, sep)).concat(join(root, 'package.json'))
}
