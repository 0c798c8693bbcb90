// Prints what the page of `scholium serve` loads first, in bytes, and fails above the limit: npm run build && node tools/page-size.js
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const maxGzipBytes = 200_000
const folder = join(import.meta.dirname, '..', 'dist', 'web')
const html = readFileSync(join(folder, 'index.html'), 'utf8')
const names = [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].flatMap(([, name]) => name ?? [])
let total = 0
for (const name of ['index.html', ...names]) {
  const content = readFileSync(join(folder, name))
  const size = gzipSync(content, { level: 9 }).length
  total += size
  console.log(`${name}: ${content.length}, gzip ${size}`)
}
console.log(`first load: gzip ${total} of ${maxGzipBytes}`)
if (total > maxGzipBytes) process.exitCode = 1
