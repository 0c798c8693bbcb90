// Behind `npm run docs:api`: writes the reference of all that the package exports to docs/api, and fails where an export has no
// doc comment.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { makeToolReady } from './launch/ready.js'

const folder = await makeToolReady('api-docs', 'fetching TypeDoc')
const typedoc = join(folder, 'node_modules', 'typedoc', 'bin', 'typedoc')
const { status } = spawnSync(process.execPath, [typedoc, ...process.argv.slice(2)], {
  cwd: folder,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
