// Runs an agent file without a model: Prolog solves a puzzle, Lua checks it; then the run is replayed and forked.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/index.ts'
import { temporaryFolder } from './shared/temporary-folder.ts'

const folder = fileURLToPath(new URL('..', import.meta.url))
const app = createApp({ home: temporaryFolder(), folder })
const file = 'agents/logic-puzzle.yaml'
const { isValid, problems } = await app.validateAgent(file, { isStrict: true })
assert.ok(isValid, JSON.stringify(problems))
assert.match((await app.inspectAgent(file)).mermaid, /prolog/)

const result = await app.runAgent(file, { target: 6, weights: { flour: 5, salt: 2, yeast: 1 } })
console.log(result.output)
assert.match(String(result.output), /flour \+ yeast = 6/)
assert.ok((await app.replay(result.runId)).isIdentical, 'from the record alone')

// Lua finds it, where somebody changes the target after Prolog has searched.
const changes = [{ path: 'target', value: 7 }]
const { answer } = await app.fork(result.runId, { at: 'check[1]', changes })
assert.ok(answer.schema === 'scholium.agent/1')
assert.equal(answer.state.wrong, answer.state.checked)
await app.close()
