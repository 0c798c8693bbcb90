import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RequestError } from './request-error.ts'

/** Where the build puts the page, seen from the sources as from the bundle. */
const builtPage = fileURLToPath(new URL('../../dist/web/', import.meta.url))

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
}

const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
}

/** The files of the page: nothing else is served, whatever a path says. They are read once. */
export class PageFiles {
  private files: ReadonlyMap<string, Uint8Array<ArrayBuffer>> | undefined

  /** Whether a path is one of the page's, which need no token. @param path from the server's root, with a slash */
  has(path: string): boolean {
    return path === '/' || this.load().has(path)
  }

  /** The file at a path of the page. @throws `not_found` if the page was not built */
  answer(path: string): Response {
    const name = path === '/' ? '/index.html' : path
    const content = this.load().get(name)
    if (content === undefined) throw notBuilt()
    // Names below assets/ change with their contents.
    const isHashed = name.startsWith('/assets/')
    return new Response(content, {
      headers: {
        ...pageHeaders,
        'Content-Type': mediaTypes[extname(name)] ?? 'application/octet-stream',
        'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
      },
    })
  }

  private load(): ReadonlyMap<string, Uint8Array<ArrayBuffer>> {
    this.files ??= new Map(
      filesIn(builtPage).map((path) => [
        `/${relative(builtPage, path).replaceAll(sep, '/')}`,
        new Uint8Array(readFileSync(path)),
      ]),
    )
    return this.files
  }
}

function filesIn(folder: string): readonly string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

function notBuilt(): RequestError {
  return new RequestError(
    'not_found',
    'The page has not been built.',
    'Build it in the checkout: npm run build. Then start the server again. The API works without it: see /openapi.json.',
  )
}
