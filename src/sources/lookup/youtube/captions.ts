import { createXmlReader, decodeXmlText, findElements, textIn, type XmlElement } from '../../xml.ts'
import { failure, type LookupFailure } from '../outcome.ts'
import { countOf, isRecord, lineOf, recordsOf } from '../values.ts'

/** What is said at one time. */
export interface Caption {
  /** From the beginning of the video. */
  readonly startMs: number
  readonly durationMs: number
  readonly text: string
}

/** A video of ten hours has some 15,000. */
const MAX_CAPTIONS = 50_000
const MAX_CAPTION_CHARS = 2_000

/** The captions in an answer: JSON (`json3`), or XML as `transcript` or as `timedtext`; in the order of their times. */
export async function captionsIn(
  text: string,
): Promise<{ readonly captions: readonly Caption[] } | LookupFailure> {
  if (text.trim() === '') {
    const detail =
      'YouTube returned an empty transcript, as it does for programs it does not trust.'
    return failure('youtube', 'blocked', detail)
  }
  const captions = /^\s*</.test(text) ? await fromXml(text) : fromJson(text)
  if (captions === undefined) {
    return failure('youtube', 'malformed', 'The format of the transcript is unknown.')
  }
  if (captions.length === 0) {
    return failure('youtube', 'no_transcript', 'The transcript has no words.')
  }
  return { captions: [...captions].sort((one, other) => one.startMs - other.startMs) }
}

function fromJson(text: string): readonly Caption[] | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(json) || !Array.isArray(json.events)) return undefined
  return recordsOf(json.events, MAX_CAPTIONS).flatMap((event) => {
    const parts = recordsOf(event.segs, 500).map(({ utf8 }) =>
      typeof utf8 === 'string' ? utf8 : '',
    )
    return captionOf(countOf(event.tStartMs), countOf(event.dDurationMs), parts.join(''))
  })
}

async function fromXml(text: string): Promise<readonly Caption[] | undefined> {
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
      .slice(0, MAX_CAPTIONS)
      .flatMap((element) =>
        // Its markup is written into it as text, and what is text in it is escaped once more.
        captionOf(
          secondsOf(element.attributes.start),
          secondsOf(element.attributes.dur),
          decodeXmlText(withoutTags(textIn(element))),
        ),
      )
  }
  if (root?.name !== 'timedtext') return undefined
  return findElements(root.children, 'p')
    .slice(0, MAX_CAPTIONS)
    .flatMap((element) =>
      captionOf(countOf(element.attributes.t), countOf(element.attributes.d), textIn(element)),
    )
}

function secondsOf(written: string | undefined): number | undefined {
  const seconds = Number(written ?? Number.NaN)
  return seconds >= 0 && seconds < 1e7 ? Math.round(seconds * 1_000) : undefined
}

function withoutTags(text: string): string {
  return text.replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
}

function captionOf(startMs = -1, durationMs = 0, text = ''): readonly Caption[] {
  const said = lineOf(text.replace(/\u200b/g, ''), MAX_CAPTION_CHARS)
  return said === undefined || startMs < 0 ? [] : [{ startMs, durationMs, text: said }]
}
