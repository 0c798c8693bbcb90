// Writes schemas/agent.schema.json from the schema of agent files: node tools/agent-schema.ts.
// A test fails when it is not up to date.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { agentJsonSchema } from '../src/agents/document/schema/document-schema.ts'

/** What is generated, by path from the root of the checkout. */
export function generatedFiles(): Readonly<Record<string, string>> {
  return { 'schemas/agent.schema.json': `${JSON.stringify(agentJsonSchema(), null, 2)}\n` }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(generatedFiles())) {
    const target = fileURLToPath(new URL(`../${path}`, import.meta.url))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
    console.log(`${path} written`)
  }
}
