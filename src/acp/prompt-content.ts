import { isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContentBlock, EmbeddedResourceResource } from '@agentclientprotocol/sdk'
import { refusedParams } from './request-error.ts'

/** A text attached by an editor. */
interface Attachment {
  readonly title: string
  readonly text: string
  readonly isForeign: boolean
}

/** A request for a session. */
export interface Request {
  readonly text: string
  readonly attachments: Attachment[]
  readonly pictures: Picture[]
}

const pictureTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const

/** A picture, in Base64. */
interface Picture {
  readonly mediaType: (typeof pictureTypes)[number]
  readonly data: string
}

const maxAttachmentCharacters = 200_000

/**
 * Reads an editor's prompt. Links to files of the workspace become mentions, which the session reads itself; attached
 * texts follow the request.
 * @throws `RequestError` for what models cannot take: sound, other bytes, and unsupported picture formats
 */
export function readPrompt(blocks: readonly ContentBlock[], workspace: string): Request {
  const texts: string[] = []
  const attachments: Attachment[] = []
  const pictures: Picture[] = []
  for (const block of blocks) {
    if (block.type === 'text') texts.push(block.text)
    else if (block.type === 'resource_link') texts.push(linkText(block.uri, block.name, workspace))
    else if (block.type === 'resource') {
      const attached = readAttachment(block.resource, workspace)
      attachments.push(attached)
      texts.push(`[${attached.title}]`)
    } else if (block.type === 'image') {
      pictures.push(readPicture(block.mimeType, block.data))
      texts.push('[picture]')
    } else throw refusedParams(`A prompt cannot contain ${block.type}.`)
  }
  const text = joined(texts).trim()
  if (text === '') throw refusedParams('The prompt is empty.')
  return { text, attachments, pictures }
}

/** Editors split a text at links: the pieces belong to one line. */
function joined(texts: readonly string[]): string {
  return texts.reduce((text, piece) => {
    const isApart = text === '' || piece === '' || /\s$/.test(text) || /^[\s.,;:!?)]/.test(piece)
    return isApart ? text + piece : `${text} ${piece}`
  }, '')
}

function readPicture(mimeType: string, data: string): Picture {
  const mediaType = pictureTypes.find((one) => one === mimeType)
  if (mediaType !== undefined) return { mediaType, data }
  throw refusedParams(`An image can be ${pictureTypes.join(', ')}, not ${mimeType}.`)
}

function linkText(uri: string, name: string, workspace: string): string {
  const path = pathInside(uri, workspace)
  if (path === undefined) return `[${name}](${uri})`
  // A mention ends at white space and some punctuation.
  return /^[^\s"'`()<>]*[^\s"'`()<>.,;:!?]$/.test(path)
    ? `@${path}`
    : `the file ${JSON.stringify(path)}`
}

function readAttachment(resource: EmbeddedResourceResource, workspace: string): Attachment {
  if (!('text' in resource))
    throw refusedParams(
      `${resource.uri} is not text: a prompt can contain text and links to files.`,
    )
  const { uri, text } = resource
  const isCut = text.length > maxAttachmentCharacters
  return {
    title: pathInside(uri, workspace) ?? uri,
    text: isCut
      ? `${text.slice(0, maxAttachmentCharacters).toWellFormed()}\n(cut after ${maxAttachmentCharacters} of ${text.length} characters)`
      : text,
    isForeign: /^https?:/i.test(uri),
  }
}

/** The path of a file relative to the workspace; `undefined` if it is outside. */
function pathInside(uri: string, workspace: string): string | undefined {
  const path = toPath(uri)
  if (path === undefined) return undefined
  const way = relative(workspace, path)
  const isInside = way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
  return isInside ? way.split(sep).join('/') : undefined
}

function toPath(uri: string): string | undefined {
  if (isAbsolute(uri)) return uri
  if (!/^file:/i.test(uri)) return undefined
  try {
    return fileURLToPath(uri.replace(/[?#].*$/s, ''))
  } catch {
    return undefined
  }
}
