// Writes the types of the requests that the page makes to web/src/api/operations.ts, from the server's OpenAPI document:
// node tools/page-api.ts
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { operationsOf, servedDocument } from './page-api/operations.ts'

const path = fileURLToPath(new URL('../web/src/api/operations.ts', import.meta.url))
writeFileSync(path, operationsOf(await servedDocument()))
