import { join } from 'node:path'
import { cacheFolder } from '../../src/files/cache-folder.ts'

const cache = cacheFolder(process.env)

/**
 * The environment of a process that is to start fast: what it compiles is kept where the command line keeps it, too. A process
 * that is killed leaves nothing there; one that ends does.
 */
export const quickStart: NodeJS.ProcessEnv = {
  ...process.env,
  ...(cache === undefined ? {} : { NODE_COMPILE_CACHE: join(cache, 'compiled') }),
}
