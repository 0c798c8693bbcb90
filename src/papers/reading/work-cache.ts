import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../bibliography/csl-item.ts'
import type { SourceId } from '../../citations/source.ts'
import { hashJson, type Json } from '../../kernel/json.ts'
import { readJson, writeWhole } from '../download/file-store.ts'

/** What was made of sources before, so that it need not be made again. */
export interface WorkCache {
  /**
   * What `work` gives, or gave for the same kind of work on the same source when it was made of the same.
   * @param madeOf all that the result depends on, with the version of what makes it
   */
  getOrCompute<Result>(
    kind: string,
    sourceId: SourceId,
    madeOf: Json,
    work: () => Result | Promise<Result>,
  ): Promise<Result>
}

/** Makes everything again. */
export const noCache: WorkCache = {
  getOrCompute: async (_kind, _sourceId, _madeOf, work) => work(),
}

/**
 * Work that is kept in a folder, the last result for each kind and source. A file that is broken, or was made of something else, is
 * written anew. Results have to be JSON; where the folder cannot be written they are made again each time.
 */
export function createWorkCache(folder: string): WorkCache {
  return {
    async getOrCompute(kind, sourceId, madeOf, work) {
      const path = join(folder, kind, `${sourceId}.json`)
      const of = hashJson(madeOf)
      const kept = await readJson(path)
      if (isRecord(kept) && kept.of === of && kept.check === checksum(of, kept.result))
        return kept.result as Awaited<ReturnType<typeof work>>
      const result = await work()
      const text = JSON.stringify({ of, check: checksum(of, result), result })
      try {
        await mkdir(join(folder, kind), { recursive: true, mode: 0o700 })
        await writeWhole(path, text)
      } catch {
        // It costs the time of making it again, and nothing else.
      }
      return result
    },
  }
}

/** Tells a whole result from a damaged one. */
function checksum(of: string, result: unknown): string {
  return hashJson([of, result ?? null])
}
