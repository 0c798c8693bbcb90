// Shows which texts of the half that may be looked at are read wrongly: SCHOLIUM_DATA=… node bench/tool-text/show-misses.ts
import { join } from 'node:path'
import { labelledSet } from './labelled-set.ts'
import { parseOwn } from './parsers.ts'
import { tally } from './score.ts'

const items = labelledSet(join(process.env.SCHOLIUM_DATA ?? '', '05-llm-output'))
const dev = items.filter(({ half }) => half === 'dev')
tally(dev, parseOwn, ({ kind, id, text, calls }, outcome) => {
  const expected =
    calls.length === 0 ? '' : `\n    expected: ${JSON.stringify(calls).slice(0, 300)}`
  const shown = text.slice(0, 600).replaceAll('\n', '\n    ')
  console.log(`${outcome}, ${kind} (${id}):\n    ${shown}${expected}`)
})
