/** YouTube's hosts and their subdomains. */
const hosts = /(?:^|\.)(?:youtube\.com|youtube-nocookie\.com|youtu\.be|ytimg\.com)$/
const idForm = /^[\w-]{11}$/
/** The path segments before a video's id. */
const places = /^(?:embed|shorts|live|v|e|vi|vi_webp|watch|clip_video)$/

/**
 * The id of a video given by id or address: `watch` and short addresses, embedded players, shorts, live streams, old
 * players, thumbnails, and addresses that contain another one (`attribution_link`, `oembed`, consent pages). `undefined`
 * for anything else.
 */
export function parseVideoId(written: string): string | undefined {
  const text = written.trim()
  return idForm.test(text) ? text : findId(text, 3)
}

function findId(text: string, depth: number): string | undefined {
  const url = URL.parse(/^https?:/i.test(text) ? text : `https://${text.replace(/^\/\//, '')}`)
  if (url === null || depth === 0 || !hosts.test(url.hostname.toLowerCase())) return undefined
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const place = parts.findIndex((part) => places.test(part))
  const inPath = url.hostname.endsWith('youtu.be') ? parts[0] : place < 0 ? '' : parts[place + 1]
  for (const candidate of [url.searchParams.get('v'), url.searchParams.get('vi'), inPath]) {
    // People append a second question mark.
    const id = candidate?.split(/[?&]/)[0] ?? ''
    if (idForm.test(id)) return id
  }
  for (const name of ['u', 'url', 'continue', 'next', 'q']) {
    const inner = url.searchParams.get(name)
    if (inner === null) continue
    const found = findId(inner.startsWith('/') ? url.origin + inner : inner, depth - 1)
    if (found !== undefined) return found
  }
  return undefined
}
