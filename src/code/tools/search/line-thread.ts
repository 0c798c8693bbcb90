import { serveWork } from '../../../tools/bounded/serve-work.ts'
import { fittingLines } from './line-pattern.ts'

serveWork({ fittingLines })
