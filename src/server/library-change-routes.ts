import { realpath } from 'node:fs/promises'
import { relative } from 'node:path'
import { createRoute, z } from '@hono/zod-openapi'
import type { AddedFile, App } from '../app.ts'
import { hasHiddenName, realPlace } from '../files/real-place.ts'
import { withRecord } from './home-record.ts'
import { sourceId } from './library-schemas.ts'
import { LibraryView, ownerFor } from './library-view.ts'
import { RequestError } from './request-error.ts'
import { type Api, errors, json, type RunSite } from './run-site.ts'
import { toSources } from './start-run.ts'
import type { Principal } from './tokens.ts'
import { isUpload, Uploads, uploadType } from './uploads.ts'

const addedFiles = z
  .object({
    files: z.array(
      z.object({
        name: z
          .string()
          .openapi({ description: 'The name of the file, or of the file in an archive.' }),
        outcome: z.enum(['added', 'unchanged', 'updated', 'refused', 'passed_over']),
        id: sourceId.optional(),
        title: z.string().optional(),
        notes: z.array(z.string()).optional(),
        reason: z.string().optional(),
        detail: z.string().optional().openapi({ description: 'Why it was refused or left out.' }),
        hint: z.string().optional().openapi({ description: 'What to do about it.' }),
      }),
    ),
  })
  .openapi('AddedFiles')

const responses = {
  200: json(addedFiles, 'Nothing new is in the library.'),
  201: json(addedFiles, 'The outcome for each file.'),
  ...errors,
}

const upload = createRoute({
  method: 'post',
  path: '/api/library',
  summary:
    'Add a file to the library: its bytes, as `application/octet-stream`. The file of an admin is for all, that of others only for themselves.',
  request: {
    query: z.strictObject({
      name: z.string().min(1).max(1_000).openapi({ description: 'The name of the file.' }),
    }),
    body: { content: { [uploadType]: { schema: z.string().openapi({ format: 'binary' }) } } },
  },
  responses,
})

const addPaths = createRoute({
  method: 'post',
  path: '/api/library/paths',
  summary: "Add files and folders of the operator's folder of files to the library. For admins.",
  request: {
    body: {
      required: true,
      content: {
        'application/json': {
          schema: z.strictObject({ paths: z.array(z.string().min(1).max(1_000)).min(1).max(100) }),
        },
      },
    },
  },
  responses,
})

const remove = createRoute({
  method: 'delete',
  path: '/api/library/{id}',
  summary:
    'Remove a source from the library, with its file if that was uploaded. Who is no admin can remove only their own uploads.',
  request: { params: z.object({ id: sourceId }) },
  responses: { 204: { description: 'It is removed.' }, ...errors },
})

/** Adds the routes that change the library: admins change the one that all tokens share, others only their own uploads. */
export function addLibraryChangeRoutes(api: Api, site: RunSite): void {
  addAdditionRoutes(api, site)
  addRemovalRoute(api, site.app)
}

function addAdditionRoutes(api: Api, { app, form, policy }: RunSite): void {
  const uploads = new Uploads(app, policy)
  const answer = (folder: string, added: readonly AddedFile[]) => {
    const body: z.infer<typeof addedFiles> = form.of({
      files: added.map((one) => describe(one, folder)),
    })
    return [body, added.some(isNew) ? 201 : 200] as const
  }
  api.openapi(upload, async (c) => {
    const principal = c.get('principal')
    if (!isUpload(c.req.path, c.req.raw))
      throw new RequestError(
        'unsupported_media_type',
        'A file is sent as its bytes.',
        `Send the header Content-Type: ${uploadType}, or paths to /api/library/paths.`,
      )
    // If the file is refused before all of it has arrived, the rest is not the next request.
    c.header('Connection', 'close')
    const length = c.req.header('content-length')
    const received = await record(app, principal, () =>
      uploads.receive({
        name: c.req.valid('query').name,
        sizeBytes: length === undefined ? undefined : Number(length),
        body: c.req.raw.body ?? new ReadableStream({ start: (end) => end.close() }),
        owner: ownerFor(principal),
        signal: c.req.raw.signal,
      }),
    )
    return c.json(...answer(received.folder, received.added))
  })
  api.openapi(addPaths, async (c) => {
    const principal = requireAdmin(c.get('principal'))
    const { paths } = c.req.valid('json')
    toSources(policy, paths)
    const folder = await realpath(policy.filesFolder ?? '')
    const places = await Promise.all(paths.map((path) => requirePlace(folder, path)))
    const { added } = await record(app, principal, async () => ({
      added: await Array.fromAsync(app.addToLibrary(places, { signal: c.req.raw.signal })),
    }))
    return c.json(...answer(folder, added))
  })
}

function addRemovalRoute(api: Api, app: App): void {
  api.openapi(remove, async (c) => {
    const principal = c.get('principal')
    const { name, role } = principal
    const { id } = c.req.valid('param')
    const view = new LibraryView(app, principal)
    if ((await view.find(id)) === undefined)
      throw new RequestError('not_found', 'There is no such source in the library.')
    const own = await view.findOwn(id)
    if (own === undefined) requireAdmin(principal)
    await withRecord(app.home.path, recordFile, async () => {
      if (role === 'admin') await app.removeFromLibrary(id)
      // A file can be in several of their archives.
      else
        for (let one = own; one?.path !== undefined; one = await view.findOwn(id))
          await app.removeFromLibrary(one.path)
      return [{ sourceId: id, removedBy: name, removedAt: Date.now() }]
    })
    return c.body(null, 204)
  })
}

const recordFile = 'library-changes.jsonl'

/** Adds files, and records in the home who did. */
async function record<Received extends { readonly added: readonly AddedFile[] }>(
  app: App,
  { name }: Principal,
  add: () => Promise<Received>,
): Promise<Received> {
  let received: Received | undefined
  app.makeHome()
  await withRecord(app.home.path, recordFile, async () => {
    received = await add()
    return received.added.filter(isNew).map(({ sourceId }) => ({
      sourceId,
      addedBy: name,
      addedAt: Date.now(),
    }))
  })
  return received as Received
}

function isNew(
  one: AddedFile,
): one is AddedFile & { readonly sourceId: string; readonly outcome: 'added' | 'updated' } {
  return one.outcome === 'added' || one.outcome === 'updated'
}

function requireAdmin(principal: Principal): Principal {
  if (principal.role === 'admin') return principal
  throw new RequestError(
    'forbidden',
    'Only admins may change the library, which all tokens share.',
    'The operator can create a token for it: scholium tokens add NAME --role admin',
  )
}

/** The real path of a file or folder in the operator's folder. @throws `forbidden` for one that leads out of it or is hidden */
async function requirePlace(folder: string, path: string): Promise<string> {
  const place = await realPlace(folder, path)
  if (place.ok && !hasHiddenName(place.names)) return place.path
  throw new RequestError(
    'forbidden',
    'A path leads out of the folder of files, or is hidden in it.',
    'Name files and folders that are really inside of it.',
  )
}

/** The outcome for a file, by its name in a folder. */
function describe(one: AddedFile, folder: string) {
  const { outcome, path } = one
  const name = relative(folder, path)
  if (outcome === 'passed_over') return { name, outcome, detail: `${one.why}.` }
  if (outcome === 'refused') {
    const { reason, detail, hint } = one
    return { name, outcome, reason, detail, hint }
  }
  return { name, outcome, id: one.sourceId, title: one.title, notes: [...one.notes] }
}
