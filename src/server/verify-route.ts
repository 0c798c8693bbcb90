import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoute, z } from '@hono/zod-openapi'
import { type BundleReport, verifyBundleApart } from '../app.ts'
import { verdictNames } from '../citations/claim.ts'
import { carriesBundle, verifyPath } from './guard.ts'
import { ownSources } from './library-view.ts'
import { RequestError } from './request-error.ts'
import { sources } from './run-schemas.ts'
import { type Api, errors, json, type RunSite } from './run-site.ts'
import { toSources, withoutLibrary } from './start-run.ts'

/** Maximum length of a text that is checked, in UTF-16 code units. */
const maxTextChars = 200_000

const bundleReport = z
  .looseObject({
    schema: z.literal('scholium.verification/1'),
    fileKind: z.enum(['bundle', 'empty', 'other_file', 'other_zip', 'cut_off']),
    isSound: z.boolean().openapi({ description: 'Whether no check failed.' }),
    isComplete: z
      .boolean()
      .openapi({ description: 'Whether no check but that of its origin is undecided.' }),
    origin: z.enum(['integrity_only', 'expected', 'signed', 'refuted']),
    root: z.string().nullable(),
    checks: z.array(
      z.looseObject({
        name: z.string(),
        outcome: z.enum(['passed', 'failed', 'undecided']),
        detail: z.string(),
      }),
    ),
  })
  .openapi('BundleReport')

const textReport = z
  .looseObject({
    schema: z.literal('scholium.report/1'),
    claims: z.array(
      z.looseObject({
        text: z.string(),
        line: z.int(),
        citations: z.array(z.int()).openapi({ description: 'The `n` of its references.' }),
        verdict: z.enum(verdictNames),
        reason: z.string(),
      }),
    ),
    references: z.array(
      z.looseObject({
        n: z.int(),
        label: z.string(),
        foundBy: z.string().nullable().openapi({ description: 'Null if it was not found.' }),
        reason: z.string(),
      }),
    ),
    coverage: z.looseObject({ claims: z.int(), checked: z.int() }),
    failures: z.object({ references: z.int(), claims: z.int() }).openapi({
      description:
        'How many cited references were not found, and how many claims their sources do not support.',
    }),
  })
  .openapi('TextReport')

const verify = createRoute({
  method: 'post',
  path: verifyPath,
  summary: 'Check a bundle, or the citations of a Markdown text.',
  description:
    'A bundle is posted as `application/zip`. A text is checked by code against the named sources and the library. Nothing is recorded, so every token may do so.',
  request: {
    query: z.strictObject({
      expect: z
        .string()
        .regex(/^[0-9a-f]{64}$/i)
        .optional()
        .openapi({ description: 'The root hash that a bundle should have.' }),
    }),
    body: {
      content: {
        'application/json': {
          schema: z
            .strictObject({
              text: z.string().trim().min(1).max(maxTextChars),
              sources: sources.optional(),
            })
            .openapi('VerifyRequest'),
        },
        'application/zip': { schema: z.never().openapi({ type: 'string', format: 'binary' }) },
      },
    },
  },
  responses: {
    200: json(z.union([bundleReport, textReport]), 'The report.'),
    ...errors,
  },
})

/** Bundles that are received and verified at once at most. */
const maxBundles = 4

/** Time limit of a verification. */
const maxVerificationMs = 60_000

/** Adds the route that checks bundles and texts. @param maxBundleBytes the size of a bundle at most */
export function addVerifyRoute(api: Api, site: RunSite, maxBundleBytes: number): void {
  const { app, policy, form } = site
  let bundles = 0
  api.openapi(verify, async (c) => {
    const { signal: left } = c.req.raw
    const signal = AbortSignal.any([left, AbortSignal.timeout(maxVerificationMs)])
    const { expect } = c.req.valid('query')
    if (!carriesBundle(c.req.raw, c.req.path)) {
      const { text, sources: names = [] } = c.req.valid('json')
      if (text === undefined) throw new RequestError('malformed', 'The body is empty.')
      const given = toSources(policy, withoutLibrary(names))
      const own = await ownSources(app, c.get('principal'))
      const reader = await app.sources({ ...given, sources: [...given.sources, ...own] })
      const report = await reader.check(text, { signal }).catch(withoutTime(signal))
      const body: z.infer<typeof textReport> = JSON.parse(form.text(report))
      return c.json(body, 200)
    }
    if (bundles >= maxBundles)
      throw new RequestError('too_many_requests', `${maxBundles} bundles are verified already.`)
    bundles++
    try {
      const report = await withReceived(c.req.raw, maxBundleBytes, (file) =>
        verifyBundleApart(file, {
          timeoutMs: maxVerificationMs,
          signal: left,
          ...(expect && { expect }),
        }),
      )
      const body: z.infer<typeof bundleReport> = JSON.parse(form.text(report))
      return c.json(body, 200)
    } finally {
      bundles--
    }
  })
}

/** Throws what says that the time is up, if it is. */
function withoutTime(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    if (!signal.aborted) throw error
    throw new RequestError(
      'conflict',
      `Checking took longer than ${maxVerificationMs / 1_000} seconds.`,
      'Name fewer sources.',
    )
  }
}

/**
 * Calls `work` with a file of what a request sends, which is deleted afterwards.
 * @throws `too_large`, `malformed` for a body that ends early
 */
async function withReceived(
  request: Request,
  maxBytes: number,
  work: (file: string) => Promise<BundleReport>,
): Promise<BundleReport> {
  const folder = await mkdtemp(join(tmpdir(), 'scholium-server-received-'))
  try {
    const path = join(folder, 'received.scholium')
    await receive(request, path, maxBytes)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function receive({ body }: Request, path: string, maxBytes: number): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let sizeBytes = 0
    for await (const chunk of readBody(body)) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes)
        throw new RequestError('too_large', `The bundle is larger than ${maxBytes} bytes.`)
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
}

/** What a request sends. @throws `malformed` if it ends early */
async function* readBody(body: Request['body']): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body ?? []
  } catch {
    throw new RequestError('malformed', 'The body ended early.')
  }
}
