import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../bibliography/csl-item.ts'
import type { SourceId } from '../../citations/source.ts'
import { writeWhole } from '../../files/write-whole.ts'
import { hashJson, type Json } from '../../kernel/json.ts'
import { readJson } from '../download/file-store.ts'

/** Caches results computed from sources. */
export interface WorkCache {
  /**
   * The result of `work`, or its cached result if the same work was done with the same dependencies.
   * @param madeOf everything the result depends on, including the version of the algorithm
   */
  getOrCompute<Result>(
    kind: string,
    sourceId: SourceId,
    madeOf: Json,
    work: () => Result | Promise<Result>,
  ): Promise<Result>
}

/** Caches nothing. */
export const noCache: WorkCache = {
  getOrCompute: async (_kind, _sourceId, _madeOf, work) => work(),
}

/**
 * Caches results in a folder: the last one for each kind and source. Damaged or outdated files are replaced. Results
 * must be JSON; if the folder is not writable, results are computed each time.
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
        writeWhole(path, text)
      } catch {
        // The only cost is computing it again.
      }
      return result
    },
  }
}

/** Detects a damaged result. */
function checksum(of: string, result: unknown): string {
  return hashJson([of, result ?? null])
}
