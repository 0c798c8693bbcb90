import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../src/testing/memory-store.ts'
import { useRuns } from '../kernel/runs.ts'
import { expectedOf } from './expected.ts'
import { text } from './raw-json.ts'
import { bindingOf } from './real-providers.ts'
import { type Recording, readRecordings } from './recordings.ts'
import { framesOf, type ReplayServer, startReplayServer } from './replay-server.ts'
import { replay } from './replayed.ts'

const dataFolder = process.env.SCHOLIUM_DATA
const streams = (dataFolder === undefined ? [] : readRecordings(dataFolder).replayed).filter(
  (recording) => recording.isStream && !holdsSeveral(recording),
)

/** Some hold several answers one after the other, where half of them is one answer. */
function holdsSeveral({ chunks }: Recording): boolean {
  const begun = chunks.filter((chunk) =>
    /^(?:message_start|response\.created)$/.test(text(chunk, 'type')),
  )
  return begun.length > 1
}

/** The whole events, and the bytes, that are sent of a stream. */
interface CutPoint {
  readonly events: number
  readonly sizeBytes: number
}

/** After each of some events, and in the middle of the next one. */
function cutPoints(recording: Recording): readonly CutPoint[] {
  const frames = framesOf(recording)
  const places = [0, 0.25, 0.5, 0.75, 1].map((part) => Math.floor(part * (frames.length - 1)))
  return [...new Set(places)].flatMap((events) => {
    const before = frames.slice(0, events).reduce((sum, { length }) => sum + length, 0)
    return [before, before + Math.floor((frames[events]?.length ?? 0) / 2)].map((sizeBytes) => ({
      events,
      sizeBytes,
    }))
  })
}

/** What a recording says up to an event. Events of the recording's text may be comments, which are no chunks. */
function expectedUpTo({ wire, chunks, rawEvents }: Recording, events: number) {
  const count = rawEvents?.slice(0, events).filter((event) => /^data: ?\{/m.test(event)).length
  return expectedOf(wire, true, chunks.slice(0, count ?? events))
}

describe.skipIf(!dataFolder)('half of a recorded stream (needs SCHOLIUM_DATA)', () => {
  const current = useRuns()
  let server: ReplayServer
  let cuts = 0
  let whole = 0
  beforeAll(async () => {
    server = await startReplayServer()
  })
  afterAll(async () => {
    await server.close()
    process.stdout.write(`${cuts} cuts, ${whole} of them after the answer was whole\n`)
  })

  it.each(streams.map((recording) => [recording.name, recording] as const))(
    '%s is no answer before it says how it ended',
    async (_name, recording) => {
      for (const [index, { events, sizeBytes }] of cutPoints(recording).entries()) {
        const by = index % 2 === 0 ? 'end' : 'reset'
        server.play(recording, { cut: { sizeBytes, by } })
        await current().close()
        await current().open(createMemoryStore())
        const found = await replay(
          current(),
          bindingOf(recording.wire, server.url, true),
          expectedOf(recording.wire, true, recording.chunks).toolCalls.map(({ name }) => name),
        )
        cuts++
        const said = expectedUpTo(recording, events)
        if (found.failure === undefined) {
          whole++
          expect(said.finish, `cut after event ${events}`).toBeDefined()
          expect(found.text).toBe(said.text)
          expect(found.toolCalls).toEqual(said.toolCalls)
        } else
          expect(['model_unavailable', 'model_failed', 'model_output_malformed']).toContain(
            found.failure.code,
          )
      }
    },
  )
})
