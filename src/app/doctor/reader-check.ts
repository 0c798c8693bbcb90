import { createDocumentReader } from '../../sources/files/worker/document-reader.ts'
import { readBytesDocument } from '../../sources/read-bytes.ts'
import type { Check } from './finding.ts'
import { sampleFiles, sampleWord } from './sample-files.ts'

/** Time limit for reading one small file, including loading the library. */
const readTimeoutMs = 20_000

/** Checks the file readers: each reads a small file of its kind. */
export function readerCheck(): Check {
  return {
    name: 'the readers of files',
    area: 'readers',
    async run(signal, tell) {
      const documentReader = createDocumentReader()
      const works: string[] = []
      try {
        for (const { name, file, bytes } of await sampleFiles()) {
          const outcome = await readBytesDocument(bytes, file, {
            reader: documentReader,
            signal,
            timeoutMs: readTimeoutMs,
          })
          if (outcome.ok && outcome.document.text.includes(sampleWord)) {
            works.push(name)
            continue
          }
          const why = outcome.ok ? 'its text was not found' : outcome.unreadable.detail
          tell({
            area: 'readers',
            status: 'problem',
            text: `${name} cannot be read: ${why}`,
            hint: 'Reinstall Scholium: a required package may be broken or missing.',
          })
        }
      } finally {
        await documentReader.close()
      }
      if (works.length > 0)
        tell({ area: 'readers', status: 'ok', text: `working: ${works.join(', ')}` })
    },
  }
}
