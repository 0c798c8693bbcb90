import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  parseCaptions,
  parseTracks,
  pickTrack,
} from '../../../src/sources/lookup/youtube/captions.ts'
import { parsePlayer, parseWatchPage } from '../../../src/sources/lookup/youtube/player.ts'
import {
  formatTime,
  formatTranscript,
  readTranscript,
} from '../../../src/sources/lookup/youtube/read-transcript.ts'
import { parseVideoId } from '../../../src/sources/lookup/youtube/video-id.ts'
import { answered, lookupsOver } from './lookup-world.ts'
import { recordedFiles } from './recordings.ts'

const id = 'dQw4w9WgXcQ'

describe('videoIdOf', () => {
  it.each([
    id,
    ` https://www.youtube.com/watch?v=${id}&t=65s&list=PLx `,
    `http://youtube.com/watch?feature=share&v=${id}#t=1m`,
    `https://m.youtube.com/watch?app=desktop&v=${id}`,
    `https://music.youtube.com/watch?v=${id}`,
    `youtu.be/${id}?si=abc`,
    `//youtu.be/${id}`,
    `https://www.youtube.com/embed/${id}?start=5`,
    `https://www.youtube-nocookie.com/embed/${id}`,
    `https://www.youtube.com/shorts/${id}`,
    `https://www.youtube.com/live/${id}?feature=x`,
    `https://www.youtube.com/v/${id}`,
    `https://www.youtube.com/e/${id}`,
    `https://www.youtube.com/watch/${id}`,
    `https://www.youtube.com/watch?v=${id}?t=30`,
    `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
    `https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D${id}%26feature%3Dshare`,
    `https://www.youtube.com/oembed?url=https%3A%2F%2Fyoutu.be%2F${id}&format=json`,
    `https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D${id}`,
  ])('reads %s', (written) => expect(parseVideoId(written)).toBe(id))

  it.each([
    '',
    'a video',
    `https://vimeo.com/${id}`,
    `https://notyoutube.com/watch?v=${id}`,
    `https://youtube.com.evil.test/watch?v=${id}`,
    'https://www.youtube.com/@channelname',
    'https://www.youtube.com/GoogleVideo',
    'https://www.youtube.com/playlist?list=PL01234567890',
    'https://www.youtube.com/watch?v=short',
    `https://www.youtube.com/attribution_link?u=${'https%3A%2F%2Fyoutu.be%2F%3Fu%3D'.repeat(9)}`,
  ])('does not read %s', (written) => expect(parseVideoId(written)).toBeUndefined())
})

const track = (languageCode: string, more: object = {}, query = '') => ({
  languageCode,
  baseUrl: `https://www.youtube.com/api/timedtext?v=x&lang=${languageCode}${query}`,
  name: { simpleText: languageCode },
  ...more,
})
const asr = { kind: 'asr' }

describe('pickTrack', () => {
  const pick = (given: object[], languages: string[]) => {
    const found = pickTrack(parseTracks({ captionTracks: given }), languages)
    return found && `${found.language}${found.isGenerated ? ' generated' : ''}`
  }

  it.each<[string, object[], string[], string | undefined]>([
    ['people before programs', [track('en', asr), track('en')], ['en'], 'en'],
    ['the first language first', [track('en'), track('de', asr)], ['de', 'en'], 'de generated'],
    ['the exact one before a variety', [track('en-GB'), track('en')], ['en'], 'en'],
    ['a variety where there is no other', [track('fr'), track('pt-BR')], ['pt'], 'pt-BR'],
    ['the language that is spoken', [track('zh'), track('en'), track('en', asr)], [], 'en'],
    ['what was generated, over a translation', [track('en', asr)], [], 'en generated'],
    ['any, where none was generated', [track('zh'), track('en')], [], 'zh'],
    ['one that is open', [track('en', {}, '&exp=xpe'), track('en', asr)], ['en'], 'en generated'],
    ['a guarded one where it is alone', [track('en', {}, '&exp=xpe')], ['en'], 'en'],
    ['none of another language', [track('en')], ['de'], undefined],
  ])('takes %s', (_what, given, languages, expected) => {
    expect(pick(given, languages)).toBe(expected)
  })

  it('knows no captions elsewhere', () => {
    const elsewhere = [{ languageCode: 'en', baseUrl: 'http://169.254.169.254/latest/meta-data' }]
    expect(parseTracks({ captionTracks: elsewhere })).toEqual([])
    const other = [{ languageCode: 'en', baseUrl: 'https://evil.test/api/timedtext?v=x' }]
    expect(parseTracks({ captionTracks: other })[0]?.path).toBe('/api/timedtext?v=x')
  })
})

const expected = [
  { startMs: 0, durationMs: 1540, text: "It's a test" },
  { startMs: 1540, durationMs: 4160, text: 'of <b> & more' },
]

describe('captionsIn', () => {
  it.each([
    [
      'JSON',
      JSON.stringify({
        events: [
          { tStartMs: 0, dDurationMs: 9000, id: 1, wpWinPosId: 1 },
          { tStartMs: 1540, dDurationMs: 4160, segs: [{ utf8: 'of <b> ' }, { utf8: '& more' }] },
          { tStartMs: 0, dDurationMs: 1540, segs: [{ utf8: "It's\na test" }] },
          { tStartMs: 1540, aAppend: 1, segs: [{ utf8: '\n' }] },
          { segs: [{ utf8: 'never' }] },
          { tStartMs: 'x', segs: 5 },
        ],
      }),
    ],
    [
      'XML of a transcript',
      '<?xml version="1.0" encoding="utf-8" ?><transcript><text start="0" dur="1.54">It&amp;#39;s a test</text><text start="1.54" dur="4.16">of &amp;lt;b> &lt;i&gt;&amp;amp;&lt;/i&gt; more</text><text start="9"></text></transcript>',
    ],
    [
      'XML of timed text',
      '<?xml version="1.0"?><timedtext format="3"><head><ws id="0"/></head><body><p t="0" d="1540">It&#39;s a test</p><p t="1540" d="4160"><s>of</s><s t="40"> &lt;b&gt;</s><s> &amp; more</s></p><p t="1540" a="1">\n</p></body></timedtext>',
    ],
  ])('reads %s', async (_form, text) => {
    expect(await parseCaptions(text)).toEqual({ captions: expected })
  })

  it.each([
    ['nothing', '', 'blocked'],
    ['an empty list', '{"events":[]}', 'no_transcript'],
    ['other JSON', '{"error":{}}', 'malformed'],
    ['half of it', '{"events":[{"tStartMs":0,', 'malformed'],
    ['half of XML', '<transcript><text start="0">a</te', 'malformed'],
    ['other XML', '<rss><text start="0">a</text></rss>', 'malformed'],
    ['words', 'WEBVTT', 'malformed'],
  ])('tells %s', async (_what, text, reason) => {
    expect(await parseCaptions(text)).toMatchObject({ ok: false, reason })
  })
})

describe('transcriptText', () => {
  it('begins lines with their time, at the ends of sentences', () => {
    const said = ['One,', 'two.', 'Three is', 'long.', 'Four', 'and', 'five', 'and', 'six', 'more']
    const captions = said.map((text, index) => ({
      startMs: index * 6_000,
      durationMs: 6_000,
      text,
    }))
    expect(formatTranscript(captions)).toBe(
      '[0:00] One, two.\n[0:12] Three is long.\n[0:24] Four and five and six\n[0:54] more\n',
    )
    expect([59_999, 65_000, 7_265_000].map(formatTime)).toEqual(['0:59', '1:05', '2:01:05'])
  })
})

const details = { videoId: id, title: 'On varnels', author: 'Birds', lengthSeconds: '90' }
const captions = { playerCaptionsTracklistRenderer: { captionTracks: [track('en', asr)] } }
const ok = { playabilityStatus: { status: 'OK' }, videoDetails: details, captions }

describe('playerIn', () => {
  it.each<[string, object, string]>([
    ['no captions', { ...ok, captions: undefined }, 'transcripts_disabled'],
    ['captions without tracks', { ...ok, captions: {} }, 'transcripts_disabled'],
    ['another video', { ...ok, videoDetails: { ...details, videoId: 'x' } }, 'malformed'],
    ['nothing', {}, 'malformed'],
  ])('tells %s', (_what, json, reason) => {
    expect(parsePlayer(json, id)).toMatchObject({ ok: false, reason })
  })

  it.each<[object, string]>([
    [{ status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' }, 'blocked'],
    [
      { status: 'LOGIN_REQUIRED', reason: 'This video may be inappropriate for some users.' },
      'age_restricted',
    ],
    [{ status: 'AGE_VERIFICATION_REQUIRED', reason: '' }, 'age_restricted'],
    [{ status: 'LOGIN_REQUIRED', reason: 'This is a private video.' }, 'unavailable_video'],
    [{ status: 'ERROR', reason: 'This video is unavailable' }, 'unavailable_video'],
    [{ status: 'UNPLAYABLE', reason: 'Not available in your country' }, 'unavailable_video'],
    [{ status: 'LIVE_STREAM_OFFLINE' }, 'unavailable_video'],
  ])('tells %j', (playabilityStatus, reason) => {
    expect(parsePlayer({ ...ok, playabilityStatus }, id)).toMatchObject({ ok: false, reason })
  })
})

const page = `<html><script>var x = {"INNERTUBE_API_KEY":"public-page-key"};
  var ytInitialPlayerResponse = null; var ytInitialPlayerResponse = ${JSON.stringify({ ...ok, junk: '"}{\\' })};</script></html>`
const consent = '<form action="https://consent.youtube.com/s" method="POST">'

describe('readTranscript', () => {
  const world = (watch: string, player: string, timedtext: string) =>
    lookupsOver(async ({ url }) => {
      const { pathname } = new URL(url)
      const bodies = { '/watch': watch, '/youtubei/v1/player': player, '/api/timedtext': timedtext }
      return answered(bodies[pathname as keyof typeof bodies])
    })
  const words = JSON.stringify({
    events: [{ tStartMs: 61_000, segs: [{ utf8: 'Varnels sing.' }] }],
  })

  it('gives lines with times, what the video is, and a reference', async () => {
    const { access, asked } = world(page, JSON.stringify(ok), words)
    const found = await readTranscript(access, { video: `https://youtu.be/${id}` })
    if (!found.ok) throw new Error(found.detail)
    const { transcript } = found
    expect(transcript).toMatchObject({
      text: '[1:01] Varnels sing.\n',
      language: 'en',
      isGenerated: true,
      languages: ['en'],
      video: { title: 'On varnels', channel: 'Birds', durationSeconds: 90 },
    })
    expect(transcript.item).toMatchObject({
      type: 'motion_picture',
      title: 'On varnels',
      author: [{ literal: 'Birds' }],
      'container-title': 'YouTube',
      URL: `https://www.youtube.com/watch?v=${id}`,
      accessed: { 'date-parts': [[2026, 11, 20]] },
    })
    expect(asked.map(({ url }) => new URL(url).pathname)).toHaveLength(3)
    expect(asked[1]?.url).toMatch(/key=public-page-key$/)
    expect(asked[2]?.url).toMatch(/^https:\/\/www\.youtube\.com\/api\/timedtext\?.*fmt=json3$/)
  })

  it.each<[string, string, string, string]>([
    ['a consent that only the page wants', consent, JSON.stringify(ok), 'read'],
    ['a consent that all of it wants', consent, consent, 'consent_required'],
    ['a page of another form', '<html></html>', JSON.stringify(ok), 'read'],
    ['a player that takes us for a robot', page, bot(), 'read'],
    ['a consent, and a robot', consent, bot(), 'consent_required'],
    ['proof of a person', '<div class="g-recaptcha">', JSON.stringify(ok), 'blocked'],
    [
      'captions that are off',
      page,
      JSON.stringify({ ...ok, captions: {} }),
      'transcripts_disabled',
    ],
  ])('handles %s', async (_what, watch, player, outcome) => {
    const found = await readTranscript(world(watch, player, words).access, { video: id })
    expect(found.ok ? 'read' : found.reason).toBe(outcome)
  })

  it('tells the languages that there are', async () => {
    const { access } = world(page, JSON.stringify(ok), words)
    expect(await readTranscript(access, { video: id, languages: ['de'] })).toMatchObject({
      reason: 'no_transcript',
      detail: 'There is no transcript in de. Available: en (en).',
    })
  })

  it('takes too many requests for a block, and asks nobody about what is no video', async () => {
    const { access, asked } = lookupsOver(
      answered('', { status: 429, headers: { 'retry-after': '9' } }),
    )
    const found = await readTranscript(access, { video: id })
    expect(found).toMatchObject({ reason: 'blocked', retryAfterMs: 9_000 })
    expect(await readTranscript(access, { video: 'x y' })).toMatchObject({ reason: 'refused' })
    expect(asked).toHaveLength(1)
  })

  function bot(): string {
    const reason = "Sign in to confirm you're not a bot"
    return JSON.stringify({ playabilityStatus: { status: 'LOGIN_REQUIRED', reason } })
  }
})

describe.skipIf(!process.env.SCHOLIUM_DATA)('recorded answers (needs SCHOLIUM_DATA)', () => {
  const read = (name: string) => readFileSync(recordedFiles('youtube', name)[0] ?? '', 'utf8')

  it.each([
    'youtube.innertube.json.static',
    'youtube_altered_user_agent.innertube.json.static',
    'youtube_po_token_required.innertube.json.static',
  ])('of the player are read: %s', (name) => {
    const found = parsePlayer(JSON.parse(read(`/${name}`)), 'GJLlxj_dtq8')
    if (!found.ok) throw new Error(found.detail)
    expect(found.video).toMatchObject({
      title: 'Surface Go Review - It’s Awesome',
      channel: 'Dave2D',
      durationSeconds: 316,
    })
    expect(found.tracks).toHaveLength(9)
    const english = pickTrack(found.tracks, ['en'])
    expect(english?.isGenerated).toBe(name.includes('po_token'))
    expect(pickTrack(found.tracks, [])?.language).toBe('en')
  })

  it('of a video without captions, of consents and of a block are told apart', () => {
    const disabled = JSON.parse(read('youtube_transcripts_disabled2.innertube.json.static'))
    expect(parsePlayer(disabled, 'Fjg5lYqvzUs')).toMatchObject({ reason: 'transcripts_disabled' })
    const pages = ['consent_page.html', 'consent_page_invalid.html', 'too_many_requests.html']
    expect(pages.map((name) => parseWatchPage(read(`youtube_${name}.static`)))).toMatchObject([
      { reason: 'consent_required' },
      { reason: 'consent_required' },
      { reason: 'blocked' },
    ])
    expect(recordedFiles('youtube', '.static')).toHaveLength(7)
  })
})
