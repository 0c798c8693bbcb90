import { serveWork } from '../../../tools/bounded/serve-work.ts'
import { checkInput } from './input-schema.ts'
import { transformJson } from './json-actions.ts'
import { schemaOutcome } from './json-schema/check-schema.ts'

serveWork({ checkInput, schemaOutcome, transformJson })
