import type { ImagePart } from '../kernel/agent/message.ts'
import type { Hash } from '../kernel/json.ts'
import type { FoundPassage } from '../tools/library/library-tools.ts'

/** The roles that are shown pictures, where their models take them. */
export const pictureRoles = ['researcher', 'expert', 'critic'] as const
/** One of them. */
export type PictureRole = (typeof pictureRoles)[number]

/** A picture among the sources, as models are shown it. */
export type Picture = ImagePart & {
  readonly title: string
  /** What its file says of it: the place that a citation leads to. */
  readonly passage: FoundPassage
}

/** The pictures among the sources, and those that cannot be shown. */
export type PicturesRead = {
  readonly pictures: readonly Picture[]
  readonly left: readonly { readonly title: string; readonly why: string }[]
}

/** Which pictures models were shown. */
export type ShownPictures = {
  /** The message with them. */
  readonly message: Hash
  /** Their citation numbers. */
  readonly numbers: readonly number[]
  readonly roles: readonly PictureRole[]
}
