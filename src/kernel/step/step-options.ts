import type { Json } from '../json.ts'
import type { Reservation } from '../limits/limit-reached.ts'

/** What is said of a step beside its name, effect and input. */
export interface StepOptions {
  /** Whether it costs money or tokens: its start is then in the log before it is made, its end on disk before it resolves. */
  readonly isPaid?: boolean
  /** What people and models know it by. Default: its name. */
  readonly label?: string
  /** How long it may take. Default: no bound of its own. */
  readonly timeoutMs?: number
  /** What it can use up at most: reserved before it begins, so that a limit stops it before anything is done. */
  readonly reservation?: Reservation
  /** The input in the form in which the log keeps it, when the hash stands for more. Default: the input. */
  readonly loggedInput?: Json
  /** Whether it waits for a person: a time that is none of work. */
  readonly isPause?: boolean
  /** Looks whether a write that a crash cut off was done: its output, `'undone'`, or `undefined` where that cannot be told. */
  readonly decide?: () => Promise<'undone' | { readonly output: Json } | undefined>
  /** Whether vectors are made of texts: its tokens are counted apart. */
  readonly isEmbedding?: boolean
}
