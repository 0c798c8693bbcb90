import {
  createXmlReader,
  decodeXmlText,
  findElements,
  textContent,
  type XmlElement,
} from '../../xml.ts'
import { failure, type LookupFailure } from '../outcome.ts'
import { isRecord, toCount, toLine, toRecords } from '../values.ts'

/** What is said at one time. */
export interface Caption {
  /** From the start of the video. */
  readonly startMs: number
  readonly durationMs: number
  readonly text: string
}

/** A ten-hour video has about 15,000. */
const maxCaptions = 50_000
const maxCaptionChars = 2_000

/** The captions in a response: JSON (`json3`), or XML as `transcript` or `timedtext`; sorted by time. */
export async function parseCaptions(
  text: string,
): Promise<{ readonly captions: readonly Caption[] } | LookupFailure> {
  if (text.trim() === '') {
    const detail =
      'YouTube returned an empty transcript, as it does for programs it does not trust.'
    return failure('youtube', 'blocked', detail)
  }
  const captions = /^\s*</.test(text) ? await parseXmlCaptions(text) : parseJsonCaptions(text)
  if (captions === undefined) {
    return failure('youtube', 'malformed', 'The format of the transcript is unknown.')
  }
  if (captions.length === 0) {
    return failure('youtube', 'no_transcript', 'The transcript has no words.')
  }
  return { captions: [...captions].sort((one, other) => one.startMs - other.startMs) }
}

function parseJsonCaptions(text: string): readonly Caption[] | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(json) || !Array.isArray(json.events)) return undefined
  return toRecords(json.events, maxCaptions).flatMap((event) => {
    const parts = toRecords(event.segs, 500).map(({ utf8 }) =>
      typeof utf8 === 'string' ? utf8 : '',
    )
    return toCaption(toCount(event.tStartMs), toCount(event.dDurationMs), parts.join(''))
  })
}

async function parseXmlCaptions(text: string): Promise<readonly Caption[] | undefined> {
  const readXml = await createXmlReader()
  let elements: readonly XmlElement[]
  try {
    elements = readXml(text)
  } catch {
    return undefined
  }
  const [root] = elements
  if (root?.name === 'transcript') {
    return findElements(root.children, 'text')
      .slice(0, maxCaptions)
      .flatMap((element) =>
        // Markup is escaped as text, and text is escaped twice.
        toCaption(
          parseSeconds(element.attributes.start),
          parseSeconds(element.attributes.dur),
          decodeXmlText(withoutTags(textContent(element))),
        ),
      )
  }
  if (root?.name !== 'timedtext') return undefined
  return findElements(root.children, 'p')
    .slice(0, maxCaptions)
    .flatMap((element) =>
      toCaption(toCount(element.attributes.t), toCount(element.attributes.d), textContent(element)),
    )
}

function parseSeconds(written: string | undefined): number | undefined {
  const seconds = Number(written ?? Number.NaN)
  return seconds >= 0 && seconds < 1e7 ? Math.round(seconds * 1_000) : undefined
}

function withoutTags(text: string): string {
  return text.replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
}

function toCaption(startMs = -1, durationMs = 0, text = ''): readonly Caption[] {
  const said = toLine(text.replace(/\u200b/g, ''), maxCaptionChars)
  return said === undefined || startMs < 0 ? [] : [{ startMs, durationMs, text: said }]
}

/** A YouTube label: a text or runs of it. */
export function readLabel(label: unknown): string | undefined {
  if (!isRecord(label)) return undefined
  const runs = toRecords(label.runs, 20).map(({ text }) => (typeof text === 'string' ? text : ''))
  return toLine(label.simpleText) ?? toLine(runs.join(''))
}

/** A video's captions in one language. */
export interface CaptionTrack {
  /** A language code such as `en` or `pt-BR`. */
  readonly language: string
  /** YouTube's name for it: `English (auto-generated)`. */
  readonly name: string
  /** Whether it was generated automatically. */
  readonly isGenerated: boolean
  /** Path and query of the captions on YouTube's host. */
  readonly path: string
  /** Whether YouTube serves it to its own players only. */
  readonly isGuarded: boolean
}

const maxTracks = 300

/** The tracks in a player's caption list whose address belongs to YouTube's captions. */
export function parseTracks(list: unknown): readonly CaptionTrack[] {
  const tracks = isRecord(list) ? toRecords(list.captionTracks, maxTracks) : []
  return tracks.flatMap((track) => {
    const language = toLine(track.languageCode, 40)
    const path = captionPath(track.baseUrl)
    if (language === undefined || path === undefined) return []
    return [
      {
        language,
        name: readLabel(track.name) ?? language,
        isGenerated: track.kind === 'asr',
        path,
        isGuarded: /[?&]exp=xpe(?:&|$)/.test(path),
      },
    ]
  })
}

/** The host in a response is not trusted: captions are requested only from where the response came. */
function captionPath(address: unknown): string | undefined {
  const url = typeof address === 'string' ? URL.parse(address, 'https://www.youtube.com') : null
  return url?.pathname === '/api/timedtext' ? url.pathname + url.search : undefined
}

/**
 * Chooses a track: the first available of the given languages, manual before generated, `en-GB` for `en`. By default,
 * manual captions in the spoken language, which is that of the generated track. A guarded track only if there is no
 * other.
 */
export function pickTrack(
  tracks: readonly CaptionTrack[],
  languages: readonly string[],
): CaptionTrack | undefined {
  const open = tracks.filter(({ isGuarded }) => !isGuarded)
  return pickAmong(open, languages) ?? pickAmong(tracks, languages)
}

function pickAmong(
  tracks: readonly CaptionTrack[],
  languages: readonly string[],
): CaptionTrack | undefined {
  const ordered = [...tracks].sort(
    (one, other) => Number(one.isGenerated) - Number(other.isGenerated),
  )
  if (languages.length === 0) {
    const spoken = tracks.find(({ isGenerated }) => isGenerated)
    return (
      ordered.find(({ language }) => spoken && sameLanguage(language, spoken.language)) ??
      ordered[0]
    )
  }
  for (const wanted of languages) {
    const near = ordered.filter(({ language }) => sameLanguage(language, wanted))
    const isWritten = near.some(({ isGenerated }) => !isGenerated)
    const best = near.filter(({ isGenerated }) => isGenerated !== isWritten)
    const exact = best.find(({ language }) => language.toLowerCase() === wanted.toLowerCase())
    if (near.length > 0) return exact ?? best[0]
  }
  return undefined
}

function sameLanguage(one: string, other: string): boolean {
  return one.split('-')[0]?.toLowerCase() === other.split('-')[0]?.toLowerCase()
}
