import { randomBytes } from 'node:crypto'
import { createRoute, z } from '@hono/zod-openapi'
import { RequestError } from './request-error.ts'
import { type Api, errors, json } from './run-site.ts'

/** Milliseconds for a browser to start. */
const lifeMs = 120_000

/** Where a code is exchanged; this needs no token. */
export const invitationPath = '/api/invitation'

/** Codes for the operator's token that work once. Other users see the arguments of a browser, and must not find the token there. */
export class Invitations {
  private readonly token: string
  private readonly endsAt = new Map<string, number>()

  constructor(token: string) {
    this.token = token
  }

  create(): string {
    const code = randomBytes(24).toString('base64url')
    this.endsAt.set(code, Date.now() + lifeMs)
    return code
  }

  /** The token for a code. @throws `unauthorized` */
  redeem(code: string): string {
    const endsAt = this.endsAt.get(code) ?? 0
    this.endsAt.delete(code)
    if (Date.now() < endsAt) return this.token
    throw new RequestError(
      'unauthorized',
      'This code was used, or is too old.',
      'Open the address that "scholium serve" prints.',
    )
  }
}

const redeem = createRoute({
  method: 'post',
  path: invitationPath,
  summary: 'Exchange the code with which the browser was opened for the token, once.',
  security: [],
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: z.strictObject({ code: z.string().max(100) }) } },
    },
  },
  responses: { 200: json(z.object({ token: z.string() }), 'The token.'), ...errors },
})

/** Adds the route that exchanges codes. */
export function addInvitationRoute(api: Api, invitations: Invitations): void {
  api.openapi(redeem, (c) => c.json({ token: invitations.redeem(c.req.valid('json').code) }, 200))
}
