/** The media type in a `content-type` header, in lower case without parameters; `''` where none is told. */
export function mediaType(contentType: string | undefined): string {
  const type = (contentType ?? '').split(/[;,]/, 1)[0]?.trim().toLowerCase() ?? ''
  return /^[\w.+*-]{1,100}\/[\w.+*-]{1,100}$/.test(type) ? type : ''
}

/** The character encoding in a `content-type` header, as the standard names it; `undefined` where none is told that is known. */
export function charsetOf(contentType: string | undefined): string | undefined {
  const label = /;\s*charset\s*=\s*["']?([^\s"';,]{1,40})/i.exec(contentType ?? '')?.[1]
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

/** Whether an answer of this type is taken: what does not tell its type is, and all are where none is named. */
export function acceptsType(
  accept: readonly string[] | undefined,
  contentType: string | undefined,
): boolean {
  const type = mediaType(contentType)
  if (accept === undefined || type === '') return true
  const anyOfKind = `${type.split('/', 1)[0]}/*`
  return accept.some((range) => range === type || range === anyOfKind || range === '*/*')
}
