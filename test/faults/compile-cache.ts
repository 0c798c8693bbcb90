import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The environment of a process that is to start fast: what it compiles is kept where the command line keeps it, too. A process
 * that is killed leaves nothing there; one that ends does.
 */
export const quickStart: NodeJS.ProcessEnv = {
  ...process.env,
  NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
}
