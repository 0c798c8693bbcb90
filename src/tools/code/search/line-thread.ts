import { serveWork } from '../../bounded/serve-work.ts'
import { fittingLines } from './line-pattern.ts'

serveWork({ fittingLines })
