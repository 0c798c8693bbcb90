import { serveWork } from '../../src/tools/bounded/serve-work.ts'
import * as works from './long-work.ts'

serveWork(works)
