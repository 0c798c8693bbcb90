import { failure, type LookupFailure } from '../outcome.ts'
import { countOf, isRecord, lineOf, present } from '../values.ts'
import { type CaptionTrack, tracksIn } from './caption-tracks.ts'
import { labelOf } from './label.ts'

/** A video, without its captions. */
export interface Video {
  readonly id: string
  readonly title: string
  readonly channel?: string
  readonly channelId?: string
  readonly durationSeconds?: number
  /** What its makers wrote below it, cut after 5,000 characters. */
  readonly description?: string
  /** In ISO 8601; only some answers say it. */
  readonly publishedAt?: string
  readonly isLive: boolean
}

/** What the player is told of a video. */
export interface Player {
  readonly video: Video
  /** At least one. */
  readonly tracks: readonly CaptionTrack[]
}

type Json = Readonly<Record<string, unknown>>

/** The video and its captions in a player's answer, or why it has none. `id` is of the video that was asked for. */
export function playerIn(
  json: unknown,
  id: string,
): ({ readonly ok: true } & Player) | LookupFailure {
  if (!isRecord(json) || !isRecord(json.playabilityStatus)) {
    return failure('youtube', 'malformed', 'The response does not describe a video.')
  }
  const refusal = refusalIn(json.playabilityStatus)
  if (refusal !== undefined) return refusal
  const video = videoIn(json)
  if (video === undefined || video.id !== id) {
    return failure('youtube', 'malformed', `The response is not about the video ${id}.`)
  }
  const captions = isRecord(json.captions)
    ? json.captions.playerCaptionsTracklistRenderer
    : undefined
  const tracks = tracksIn(captions)
  if (tracks.length > 0) return { ok: true, video, tracks }
  const detail = `"${video.title}" has no captions: they are disabled or do not exist.`
  return failure('youtube', 'transcripts_disabled', detail)
}

/**
 * Why a video cannot be played; the reason is in the language that was asked for, which is English.
 * @see https://github.com/yt-dlp/yt-dlp/blob/master/yt_dlp/extractor/youtube/_video.py
 */
function refusalIn(playability: Json): LookupFailure | undefined {
  const { status } = playability
  if (status === 'OK') return undefined
  const said = [lineOf(playability.reason), sentenceOf(playability)].filter(
    (text) => text !== undefined,
  )
  const detail = `YouTube: ${said.join(' ') || String(status)}`
  if (/not a bot|automated queries|unusual traffic/i.test(detail)) {
    return failure('youtube', 'blocked', detail)
  }
  const isForAdults =
    playability.desktopLegacyAgeGateReason !== undefined ||
    /^(?:AGE_|CONTENT_CHECK)/.test(String(status)) ||
    /inappropriate for some|confirm your age|age.restricted/i.test(detail)
  if (isForAdults) return failure('youtube', 'age_restricted', detail)
  return failure('youtube', 'unavailable_video', detail)
}

/** The longer explanation on the screen that stands in place of the video. */
function sentenceOf({ errorScreen }: Json): string | undefined {
  const screen = isRecord(errorScreen) ? errorScreen.playerErrorMessageRenderer : undefined
  return isRecord(screen) ? labelOf(screen.subreason) : undefined
}

function videoIn(json: Json): Video | undefined {
  const details = isRecord(json.videoDetails) ? json.videoDetails : {}
  const microformat = isRecord(json.microformat) ? json.microformat.playerMicroformatRenderer : {}
  const facts = isRecord(microformat) ? microformat : {}
  const [id, title] = [lineOf(details.videoId, 20), lineOf(details.title)]
  if (id === undefined || title === undefined) return undefined
  return present({
    id,
    title,
    channel: lineOf(details.author) ?? lineOf(facts.ownerChannelName),
    channelId: lineOf(details.channelId, 40),
    durationSeconds: countOf(details.lengthSeconds),
    description: lineOf(details.shortDescription, 5_000),
    publishedAt: lineOf(facts.publishDate ?? facts.uploadDate, 40),
    isLive: details.isLive === true,
  })
}
