import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { ExecutionOptions } from '../app.ts'
import { writeWhole } from '../files/write-whole.ts'
import { ScholiumError } from '../kernel/errors.ts'

/** What a token allows: to look at its own runs; to start and change them too; all runs. */
export const roles = ['read', 'run', 'admin'] as const

/** @see roles */
export type Role = (typeof roles)[number]

/** Who makes a request. */
export interface Principal {
  /** The owner of the runs that it starts, and their label `user`. */
  readonly name: string
  readonly role: Role
}

const tokenSchema = z.object({
  name: z.string(),
  role: z.enum(roles),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  /** SHA-256 of the token, in hex. */
  hash: z.string(),
})

const fileSchema = z.object({
  schema: z.literal('scholium.tokens/1'),
  tokens: z.array(tokenSchema),
})

/** A token without itself: only its hash is kept. */
export type IssuedToken = Omit<z.infer<typeof tokenSchema>, 'hash'>

/** The tokens that an operator gave out, in a file of the home that only its owner can read. */
export class TokenFile {
  private readonly path: string
  private read:
    | { readonly stamp: string; readonly tokens: ReadonlyMap<string, Principal> }
    | undefined

  constructor(home: string) {
    this.path = join(home, 'server-tokens.json')
  }

  /** @throws `invalid_configuration` for a damaged file */
  list(): readonly IssuedToken[] {
    return this.stored().map(({ hash: _, ...token }) => token)
  }

  /** Creates a token, which is not shown again. @throws `invalid_input` for a name that is taken or cannot be one */
  add(name: string, role: Role): string {
    const tokens = this.stored()
    if (!/^[A-Za-z0-9][\w.@-]{0,99}$/.test(name) || name === operator.name)
      throw new ScholiumError('invalid_input', `"${name}" cannot be the name of a token.`, {
        hint: 'Use letters, digits, "_", "-", "." and "@", such as the name of the person or program.',
      })
    if (tokens.some((token) => token.name === name))
      throw new ScholiumError('invalid_input', `There is a token named "${name}" already.`, {
        hint: `Give another name, or revoke it first: scholium tokens revoke ${name}`,
      })
    const token = randomBytes(32).toString('base64url')
    this.write([...tokens, { name, role, createdAt: Date.now(), hash: hashOf(token) }])
    return token
  }

  /** @throws `invalid_input` for an unknown name */
  revoke(name: string): void {
    const tokens = this.stored()
    const rest = tokens.filter((token) => token.name !== name)
    if (rest.length === tokens.length)
      throw new ScholiumError('invalid_input', `There is no token named "${name}".`, {
        hint: 'List them: scholium tokens list',
      })
    this.write(rest)
  }

  /** Whose token it is, as the file says now; `undefined` for an unknown or revoked one. */
  find(token: string): Principal | undefined {
    const stamp = this.stamp()
    if (this.read?.stamp !== stamp) {
      const tokens = this.stored().map(({ hash, name, role }) => [hash, { name, role }] as const)
      this.read = { stamp, tokens: new Map(tokens) }
    }
    return this.read.tokens.get(hashOf(token))
  }

  private stamp(): string {
    const found = statSync(this.path, { throwIfNoEntry: false, bigint: true })
    return found === undefined ? '' : `${found.ino} ${found.mtimeNs} ${found.size}`
  }

  private stored(): readonly z.infer<typeof tokenSchema>[] {
    let text: string
    try {
      text = readFileSync(this.path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw this.unusable(error)
    }
    try {
      return fileSchema.parse(JSON.parse(text)).tokens
    } catch (error) {
      throw this.unusable(error)
    }
  }

  private write(tokens: readonly z.infer<typeof tokenSchema>[]): void {
    const content = JSON.stringify({ schema: 'scholium.tokens/1', tokens }, null, 2)
    try {
      writeWhole(this.path, `${content}\n`, { flush: true })
    } catch (error) {
      throw this.unusable(error)
    }
  }

  private unusable(cause: unknown): ScholiumError {
    return new ScholiumError(
      'invalid_configuration',
      `The tokens in ${this.path} cannot be used: ${(cause as Error).message}`,
      { hint: 'Correct the file, or delete it and create the tokens again.', cause },
    )
  }
}

/** Who has the token that the server prints, or that the operator chose. */
export const operator: Principal = { name: 'operator', role: 'admin' }

/** The labels of what somebody does: runs that are started or resumed say by whom. */
export function labelsOf({ name }: Principal): Pick<ExecutionOptions, 'user' | 'origin'> {
  return { origin: serverOrigin, ...(name === operator.name ? {} : { user: name }) }
}

/** Why a run stops on request; the log says who wanted it. */
export function requestedBy({ name }: Principal): ScholiumError {
  return new ScholiumError('cancelled', `The run was interrupted by ${name}.`, {
    details: { user: name },
  })
}

/** The label of runs that a server started, which a later one continues. */
export const serverOrigin = 'server'

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
