import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Homes that tests make are registered as theirs in a configuration folder that is thrown away. */
if (process.env.SCHOLIUM_TEST_CONFIGURATION === undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'scholium-configuration-'))
  process.env.SCHOLIUM_TEST_CONFIGURATION = folder
  process.env.XDG_CONFIG_HOME = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}
