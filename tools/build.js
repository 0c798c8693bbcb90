// Behind `npm run build`: compiles src/ to dist/, copies what is not code (prompts), and loads what the package exports.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sourceFolder = join(root, 'src')
const builtFolder = join(root, 'dist')

rmSync(builtFolder, { recursive: true, force: true })
if (compile()) {
  copyOtherFiles()
  await loadEntryPoints()
} else {
  process.exitCode = 1
}

function compile() {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [compiler, '--project', join(root, 'tsconfig.build.json')]
  return spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root }).status === 0
}

function copyOtherFiles() {
  for (const path of readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.md')) {
      const target = join(builtFolder, path)
      mkdirSync(dirname(target), { recursive: true })
      copyFileSync(join(sourceFolder, path), target)
    }
  }
}

async function loadEntryPoints() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const targets = Object.values(exports).flatMap((entry) => entry.default ?? [])
  for (const path of [...targets, './dist/surfaces/cli/main.js']) {
    await import(pathToFileURL(join(root, path)).href)
  }
}
