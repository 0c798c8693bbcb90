// One bench in this process, started by benches.ts: NAME SIZE FOLDER OUTPUT. Writes the measures to the file OUTPUT as JSON.
import { writeFileSync } from 'node:fs'
import type { BenchSize } from './bench.ts'
import { loadBench } from './benches.ts'

const [name = '', size = 'quick', folder = '', output = ''] = process.argv.slice(2)
const bench = await loadBench(name)
const dataFolder = process.env.SCHOLIUM_DATA ?? ''
const measures = await bench.run({ size: size as BenchSize, folder, dataFolder })
writeFileSync(output, JSON.stringify(measures))
