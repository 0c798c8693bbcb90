import { serveWork } from '../../../tools/bounded/serve-work.ts'
import { findFittingLines } from './line-pattern.ts'

serveWork({ findFittingLines })
