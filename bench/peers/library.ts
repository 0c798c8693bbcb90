import * as z from 'zod'

/** How a library is set up in a process of its own. */
export interface Setup {
  /** Address of the model server, as OpenAI-compatible clients take it. */
  readonly url: string
  /** A folder for what the library stores. */
  readonly folder: string
  /** Whether it uses its persistence. */
  readonly isStored: boolean
}

/** Asks the question in a new conversation. Resolves when the answer is there and stored. */
export type Ask = (isStreamed: boolean) => Promise<void>

/** What each file in `libraries/` exports as `open`. */
export type OpenLibrary = (setup: Setup) => Promise<Ask>

/** The tool's input where a library takes a Zod schema. */
export const lookInput = z.object({ at: z.string() })

/** Higher than the number of steps, since each library stops after fewer by default. */
export const maxTurns = 100

/** Reads a stream to its end, as an interface does that shows the text. */
export async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _part of stream);
}
