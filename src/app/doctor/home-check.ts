import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Configuration } from '../config/configuration.ts'
import { findConfiguredHome, findHomeOwner } from '../config/home-setting.ts'
import { refusedHomeText } from '../home.ts'
import { findLog, isOwnHome, trustCommand } from '../trust/own-homes.ts'
import { type Check, type Finding, failure } from './finding.ts'

/** Checks the home: that it is writable, its free space, and that its databases are intact. */
export function homeCheck(configuration: Configuration): Check {
  return {
    name: 'the home',
    area: 'home',
    async run(signal, tell) {
      let home: ReturnType<typeof findConfiguredHome>
      try {
        home = findConfiguredHome(configuration)
      } catch (error) {
        return tell(failure('home', '', error))
      }
      await probe([home.path, home.origin.text], signal, tell)
      if (home.refused !== undefined)
        tell({ area: 'home', status: 'warning', text: refusedHomeText(home) })
      if (existsSync(findLog(home.path)) && !isOwnHome(home.path, findHomeOwner(configuration)))
        tell({
          area: 'home',
          status: 'warning',
          text: `${home.path} is not trusted: its runs can be viewed but not resumed`,
          hint: `If you recorded them yourself: ${trustCommand(home.path)}`,
        })
    },
  }
}

async function probe(
  args: readonly string[],
  signal: AbortSignal,
  tell: (finding: Finding) => void,
): Promise<void> {
  const script = fileURLToPath(new URL(`./home-probe${extname(import.meta.url)}`, import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', script, ...args], {
    signal,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {},
  })
  let trouble = ''
  child.on('error', (error) => (trouble = error.message))
  child.stderr.on('data', (chunk) => (trouble += chunk))
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  for await (const line of createInterface(child.stdout)) tell(JSON.parse(line) as Finding)
  if ((await ended) === 0) return
  const [said = ''] = trouble.split('\n').filter((line) => /Error/.test(line))
  const text = `the home could not be checked: ${said || 'the check ended early'}`
  tell({ area: 'home', status: 'problem', text })
}
