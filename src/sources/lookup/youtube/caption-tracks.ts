import { isRecord, lineOf, recordsOf } from '../values.ts'
import { labelOf } from './label.ts'

/** Captions of a video in one language. */
export interface CaptionTrack {
  /** A language code such as `en` or `pt-BR`. */
  readonly language: string
  /** What YouTube calls it: `English (auto-generated)`. */
  readonly name: string
  /** Whether a program wrote it down. */
  readonly isGenerated: boolean
  /** Path and query of the captions on YouTube's host. */
  readonly path: string
  /** Whether YouTube gives it to its own players only. */
  readonly isGuarded: boolean
}

const MAX_TRACKS = 300

/** The tracks of a player's list of captions whose address is one of YouTube's own captions. */
export function tracksIn(list: unknown): readonly CaptionTrack[] {
  const tracks = isRecord(list) ? recordsOf(list.captionTracks, MAX_TRACKS) : []
  return tracks.flatMap((track) => {
    const language = lineOf(track.languageCode, 40)
    const path = captionPath(track.baseUrl)
    if (language === undefined || path === undefined) return []
    return [
      {
        language,
        name: labelOf(track.name) ?? language,
        isGenerated: track.kind === 'asr',
        path,
        isGuarded: /[?&]exp=xpe(?:&|$)/.test(path),
      },
    ]
  })
}

/** The host in an answer is not believed: captions are only asked for where the answer came from. */
function captionPath(address: unknown): string | undefined {
  const url = typeof address === 'string' ? URL.parse(address, 'https://www.youtube.com') : null
  return url?.pathname === '/api/timedtext' ? url.pathname + url.search : undefined
}

/**
 * The track to read: of the languages in their order the first that there is, written by people before generated, and
 * `en-GB` where `en` was wanted. Without a wish, what people wrote in the language that is spoken, which is that of the
 * generated track. A guarded track only where there is no other.
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
