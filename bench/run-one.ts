// One bench in this process, started by run.ts: NAME SIZE FOLDER OUTPUT. Writes the measures to the file OUTPUT as JSON.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BenchSize } from './bench.ts'
import { loadBench } from './benches.ts'

const [name = '', size = 'quick', parent = '', output = ''] = process.argv.slice(2)
const folder = join(parent, 'work')
mkdirSync(folder)
const bench = await loadBench(name)
const dataFolder = process.env.SCHOLIUM_DATA ?? ''
writeFileSync(
  output,
  JSON.stringify(await bench.run({ size: size as BenchSize, folder, dataFolder })),
)
