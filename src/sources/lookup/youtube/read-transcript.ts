import type { CslItem } from '../../../citations/source.ts'
import { parseDate } from '../../files/html/page-facts.ts'
import { findBaseUrl, type LookupAccess, type LookupRequest, withAccessDate } from '../access.ts'
import { failure, type Lookup, type LookupFailure } from '../outcome.ts'
import { type Answer, parseJsonAnswer, sendForSuccess } from '../send.ts'
import { type Caption, type CaptionTrack, parseCaptions, pickTrack } from './captions.ts'
import { type Player, parsePlayer, parseWatchPage, type Video, type WatchPage } from './player.ts'
import { parseVideoId } from './video-id.ts'

/** A video's transcript. */
export interface Transcript {
  readonly video: Video
  readonly url: string
  readonly language: string
  readonly isGenerated: boolean
  readonly captions: readonly Caption[]
  /** Lines that start with their time: `[1:05] …`. */
  readonly text: string
  /** All languages with captions, including this one. */
  readonly languages: readonly string[]
  readonly item: CslItem
}

/** The requested transcript. */
export interface TranscriptRequest {
  /** An address of any form, or an id. */
  readonly video: string
  /** Language codes, best first. Default: the spoken language. */
  readonly languages?: readonly string[]
}

/** Reads a video's transcript: its watch page, its player's data, and the captions. */
export async function readTranscript(
  access: LookupAccess,
  { video: written, languages = [] }: TranscriptRequest,
): Promise<Lookup<{ readonly transcript: Transcript }>> {
  const id = parseVideoId(written)
  if (id === undefined) {
    return failure('youtube', 'refused', `"${written}" does not identify a YouTube video.`, {
      hint: 'Give the address of a video, or the 11 characters of its id.',
    })
  }
  const player = await readPlayer(access, id)
  if (!player.ok) return player
  const track = pickTrack(player.tracks, languages)
  if (track === undefined) {
    const names = player.tracks.map(({ language, name }) => `${language} (${name})`).join(', ')
    const detail = `There is no transcript in ${languages.join(', ')}. Available: ${names}.`
    return failure('youtube', 'no_transcript', detail)
  }
  const read = await readCaptions(access, track)
  if ('reason' in read) return read
  return { ok: true, transcript: toTranscript(access, player, track, read.captions) }
}

/**
 * The player's response to a phone, whose captions can be read without a browser; if that fails, the one on the page. A
 * page that asks for consent or has an unknown form matters only if the other response is missing too.
 */
async function readPlayer(
  access: LookupAccess,
  id: string,
): Promise<({ readonly ok: true } & Player) | LookupFailure> {
  const page = await readWatchPage(access, id)
  if ('reason' in page && !passable.has(page.reason)) return page
  const asked = await requestPlayer(access, id, 'reason' in page ? undefined : page.apiKey)
  const given = 'reason' in asked ? asked : parsePlayer(asked.json, id)
  if (given.ok || isConclusive.has(given.reason)) return given
  if ('reason' in page) return page
  const onPage = page.player === undefined ? given : parsePlayer(page.player, id)
  return onPage.ok || isConclusive.has(onPage.reason) ? onPage : given
}

/** These are about the video, not about the client. */
const isConclusive: ReadonlySet<LookupFailure['reason']> = new Set([
  'transcripts_disabled',
  'age_restricted',
  'unavailable_video',
])

const passable: ReadonlySet<LookupFailure['reason']> = new Set(['consent_required', 'malformed'])

async function readWatchPage(access: LookupAccess, id: string): Promise<WatchPage | LookupFailure> {
  const got = await request(access, `/watch?v=${id}&hl=en`, { accept: 'text/html' })
  return 'reason' in got ? got : parseWatchPage(got.text)
}

/** Captions for the Android app's player need no proof of a browser. */
const phoneClient = { clientName: 'ANDROID', clientVersion: '20.10.38', hl: 'en' }

async function requestPlayer(
  access: LookupAccess,
  id: string,
  apiKey: string | undefined,
): Promise<{ readonly json: unknown } | LookupFailure> {
  const key = apiKey === undefined ? '' : `&key=${apiKey}`
  const got = await request(access, `/youtubei/v1/player?prettyPrint=false${key}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ context: { client: phoneClient }, videoId: id }),
    accept: 'application/json',
  })
  return 'reason' in got ? got : parseJsonAnswer('youtube', got)
}

async function readCaptions(
  access: LookupAccess,
  { path }: CaptionTrack,
): Promise<{ readonly captions: readonly Caption[] } | LookupFailure> {
  const got = await request(access, `${path.replace(/&fmt=\w*/g, '')}&fmt=json3`, {
    accept: 'application/json, text/xml',
  })
  if ('reason' in got) return got
  const page = /^\s*<(?:!doctype|html)/i.test(got.text) ? parseWatchPage(got.text) : undefined
  return page !== undefined && 'reason' in page ? page : parseCaptions(got.text)
}

/** Sends a request in English, in which the reasons are known. Rate limits apply to the network address, not to one program. */
async function request(
  access: LookupAccess,
  path: string,
  lookup: Omit<LookupRequest, 'url'>,
): Promise<Answer | LookupFailure> {
  const base = findBaseUrl(access, 'youtube')
  if (typeof base !== 'string') return base
  const headers = { 'accept-language': 'en', ...lookup.headers }
  const got = await sendForSuccess(access, 'youtube', { ...lookup, url: base + path, headers })
  const isBlocked = 'reason' in got && got.reason === 'rate_limited'
  return isBlocked ? { ...got, ...failure('youtube', 'blocked', got.detail) } : got
}

function toTranscript(
  access: LookupAccess,
  { video, tracks }: Player,
  { language, isGenerated }: CaptionTrack,
  captions: readonly Caption[],
): Transcript {
  const url = `https://www.youtube.com/watch?v=${video.id}`
  const issued = parseDate(video.publishedAt)
  const item: CslItem = {
    id: `youtube:${video.id}`,
    type: 'motion_picture',
    title: video.title,
    ...(video.channel === undefined ? {} : { author: [{ literal: video.channel }] }),
    'container-title': 'YouTube',
    language,
    URL: url,
    ...(issued === undefined ? {} : { issued }),
  }
  return {
    video,
    url,
    language,
    isGenerated,
    captions,
    text: formatTranscript(captions),
    languages: [...new Set(tracks.map((track) => track.language))],
    item: withAccessDate(item, access),
  }
}

/** A line ends with a sentence after the first duration, and in any case after the second. */
const lineMs = 10_000
const maxLineMs = 30_000

/**
 * A transcript as lines that start with their time, `[1:05] …`, so that a passage shows its minute. Captions are shorter
 * than sentences, so they are joined to sentences of 10 to 30 seconds.
 */
export function formatTranscript(captions: readonly Caption[]): string {
  const lines: { startMs: number; texts: string[] }[] = []
  for (const { startMs, text } of captions) {
    const line = lines.at(-1)
    const sinceMs = line === undefined ? 0 : startMs - line.startMs
    const isOver = sinceMs >= lineMs && /[.!?。！？…]["'”’)\]]?$/u.test(line?.texts.at(-1) ?? '')
    if (line === undefined || isOver || sinceMs >= maxLineMs) {
      lines.push({ startMs, texts: [text] })
    } else line.texts.push(text)
  }
  return lines.map(({ startMs, texts }) => `[${formatTime(startMs)}] ${texts.join(' ')}\n`).join('')
}

/** A time in a video: `1:05`, or `2:01:05` from one hour. */
export function formatTime(startMs: number): string {
  const seconds = Math.floor(startMs / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, '0')}:${rest}`
}
