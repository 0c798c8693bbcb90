import type { ToolAction } from '../action.ts'
import { academicActions } from './academic-actions.ts'
import { cacheActions } from './cache-actions.ts'
import { codeActions } from './code-actions.ts'
import { csvActions } from './csv-actions.ts'
import { dataActions } from './data-actions.ts'
import { fileActions } from './file-actions.ts'
import { httpActions } from './http-actions.ts'
import { jsonActions } from './json-actions.ts'
import { libraryActions } from './library-actions.ts'
import { memoryActions } from './memory-actions.ts'
import { ragActions } from './rag-actions.ts'
import { textActions } from './text-actions.ts'
import type { ToolActionServices } from './tool-action.ts'
import { validateActions } from './validate-actions.ts'
import { webActions } from './web-actions.ts'

/**
 * Creates the actions that are one step each. All exist whatever the services; one whose service is missing reports
 * that when it is used.
 */
export function createToolActions(services: ToolActionServices): readonly ToolAction[] {
  return [
    ...fileActions(services),
    ...httpActions(services),
    ...webActions(services),
    ...academicActions(services),
    ...jsonActions(),
    ...csvActions(services),
    ...textActions(),
    ...dataActions(services),
    ...validateActions(),
    ...memoryActions(services),
    ...cacheActions(services),
    ...libraryActions(services),
    ...ragActions(services),
    ...codeActions(services),
  ]
}
