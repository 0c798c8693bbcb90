// Two papers that differ, and a model over HTTP that says what a script says.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainReply, startScriptedModel } from '../../src/testing/index.ts'
import { temporaryFolder } from '../shared/temporary-folder.ts'

/** A home and a folder with papers, and the options of an app whose readers' model is the script: the built-in engine analyses. */
export async function createWorld() {
  const folder = temporaryFolder()
  for (const [name, degrees] of Object.entries({ harrowmere: 412, westmoor: 430 }))
    writeFileSync(
      join(folder, `${name}.md`),
      `# Glimmerstone from ${name}\n\n## Methods\n\nWe measured the melting point of glimmerstone in twelve samples with a calorimeter.\n\n## Results\n\nGlimmerstone from ${name} melts at ${degrees} degrees Celsius.\n\n## Conclusions\n\nWe conclude that glimmerstone from ${name} melts at ${degrees} degrees Celsius at sea level.\n`,
    )
  const world = { isBroken: false }
  const server = await startScriptedModel((seen) => {
    if (!seen.system.startsWith('You write for readers')) return plainReply('verifier', seen)
    if (world.isBroken) return { text: 'No.' }
    const sentences = [
      'Glimmerstone from harrowmere melts at 412 degrees Celsius [1].',
      'Glimmerstone from westmoor melts at 999 degrees Celsius [2].',
    ]
    return { json: { sentences } }
  })
  const name = 'openai-compatible:scripted'
  const models = { default: name, analyzer: 'extractive', synthesizer: 'extractive' }
  const prices = { [name]: { inputUsdPerMTok: 1, outputUsdPerMTok: 4 } }
  const environment = { OPENAI_BASE_URL: server.url }
  const options = { home: join(folder, 'home'), folder, models, prices, environment }
  const sources = ['harrowmere.md', 'westmoor.md']
  return { world, options, sources, close: () => server.close() }
}
