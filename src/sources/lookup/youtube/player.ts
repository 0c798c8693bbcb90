import { failure, type LookupFailure } from '../outcome.ts'
import { isRecord, omitUndefined, toCount, toLine } from '../values.ts'
import { type CaptionTrack, parseTracks, readLabel } from './captions.ts'

/** A video, without its captions. */
export interface Video {
  readonly id: string
  readonly title: string
  readonly channel?: string
  readonly channelId?: string
  readonly durationSeconds?: number
  /** The description, cut after 5,000 characters. */
  readonly description?: string
  /** In ISO 8601; missing from some responses. */
  readonly publishedAt?: string
  readonly isLive: boolean
}

/** The player's data about a video. */
export interface Player {
  readonly video: Video
  /** At least one. */
  readonly tracks: readonly CaptionTrack[]
}

type Json = Readonly<Record<string, unknown>>

/** The video and captions in a player's response, or why there are none. `id` is the requested video's. */
export function parsePlayer(
  json: unknown,
  id: string,
): ({ readonly ok: true } & Player) | LookupFailure {
  if (!isRecord(json) || !isRecord(json.playabilityStatus)) {
    return failure('youtube', 'malformed', 'The response does not describe a video.')
  }
  const refusal = findRefusal(json.playabilityStatus)
  if (refusal !== undefined) return refusal
  const video = parseVideo(json)
  if (video === undefined || video.id !== id) {
    return failure('youtube', 'malformed', `The response is not about the video ${id}.`)
  }
  const captions = isRecord(json.captions)
    ? json.captions.playerCaptionsTracklistRenderer
    : undefined
  const tracks = parseTracks(captions)
  if (tracks.length > 0) return { ok: true, video, tracks }
  const detail = `"${video.title}" has no captions: they are disabled or do not exist.`
  return failure('youtube', 'transcripts_disabled', detail)
}

/**
 * Why a video cannot be played, in English as requested.
 * @see https://github.com/yt-dlp/yt-dlp/blob/master/yt_dlp/extractor/youtube/_video.py
 */
function findRefusal(playability: Json): LookupFailure | undefined {
  const { status } = playability
  if (status === 'OK') return undefined
  const said = [toLine(playability.reason), joinErrorScreen(playability)].filter(
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

/** The longer explanation shown in place of the video. */
function joinErrorScreen({ errorScreen }: Json): string | undefined {
  const screen = isRecord(errorScreen) ? errorScreen.playerErrorMessageRenderer : undefined
  return isRecord(screen) ? readLabel(screen.subreason) : undefined
}

function parseVideo(json: Json): Video | undefined {
  const details = isRecord(json.videoDetails) ? json.videoDetails : {}
  const microformat = isRecord(json.microformat) ? json.microformat.playerMicroformatRenderer : {}
  const facts = isRecord(microformat) ? microformat : {}
  const [id, title] = [toLine(details.videoId, 20), toLine(details.title)]
  if (id === undefined || title === undefined) return undefined
  return omitUndefined({
    id,
    title,
    channel: toLine(details.author) ?? toLine(facts.ownerChannelName),
    channelId: toLine(details.channelId, 40),
    durationSeconds: toCount(details.lengthSeconds),
    description: toLine(details.shortDescription, 5_000),
    publishedAt: toLine(facts.publishDate ?? facts.uploadDate, 40),
    isLive: details.isLive === true,
  })
}

/** Maximum number of marks inspected; more would be a trap. */
const maxMarks = 10

/** The JSON object after one of these marks in a page; `undefined` if none can be parsed. */
export function parseJsonObjectAt(page: string, mark: RegExp): unknown {
  for (const found of page.matchAll(mark).take(maxMarks)) {
    const start = found.index + found[0].length
    const end = findObjectEnd(page, start)
    if (end === undefined) continue
    try {
      return JSON.parse(page.slice(start, end))
    } catch {
      // Another mark may precede the real one.
    }
  }
  return undefined
}

/** The end of an object that starts here, by its braces outside strings. */
function findObjectEnd(page: string, start: number): number | undefined {
  if (page[start] !== '{') return undefined
  const marks = /["\\{}]/g
  marks.lastIndex = start
  let depth = 0
  let isText = false
  for (let found = marks.exec(page); found !== null; found = marks.exec(page)) {
    const [mark] = found
    if (mark === '\\') marks.lastIndex += 1
    else if (mark === '"') isText = !isText
    else if (!isText) depth += mark === '{' ? 1 : -1
    if (depth === 0) return found.index + 1
  }
  return undefined
}

/** What a watch page has for programs. */
export interface WatchPage {
  /** The player's data; `undefined` if there is none. */
  readonly player?: unknown
  /** The public key with which pages request more. */
  readonly apiKey?: string
}

/** Parses a watch page, or says that it is another page. */
export function parseWatchPage(html: string): WatchPage | LookupFailure {
  if (/action="https:\/\/consent\.(?:youtube|google)\.com\//.test(html)) {
    const detail = 'YouTube asks for cookie consent before it shows the page.'
    return failure('youtube', 'consent_required', detail)
  }
  if (/class="g-recaptcha"|\/sorry\/index/.test(html)) {
    const detail = 'YouTube asks for proof that the user is human.'
    return failure('youtube', 'blocked', detail)
  }
  const player = parseJsonObjectAt(html, /\bytInitialPlayerResponse\s*=\s*/g)
  const apiKey = /"INNERTUBE_API_KEY":\s*"([\w-]{10,100})"/.exec(html)?.[1]
  if (player === undefined && apiKey === undefined) {
    return failure('youtube', 'malformed', 'The page is not a video page.')
  }
  return { player, ...(apiKey === undefined ? {} : { apiKey }) }
}
