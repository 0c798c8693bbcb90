import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { ScholiumError } from '../../kernel/errors.ts'
import type { Hash } from '../../kernel/json.ts'
import { bundleSchema, type Signature } from './form.ts'

/**
 * Signs a root hash with a private key in PEM format.
 * @throws `invalid_input` if the text is not an Ed25519 key
 * @see https://www.rfc-editor.org/rfc/rfc8032 (Ed25519)
 */
export function signRoot(root: Hash, privateKeyPem: string): Signature {
  const key = readKey(() => createPrivateKey(privateKeyPem), 'private')
  return {
    algorithm: 'ed25519',
    publicKey: toHex(createPublicKey(key)),
    signature: sign(null, signedText(root), key).toString('hex'),
  }
}

/** Whether a signature is valid for this root and the key that it names. */
export function verifySignature(root: Hash, { publicKey, signature }: Signature): boolean {
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, signedText(root), key, Buffer.from(signature, 'hex'))
  } catch {
    // Bytes that are not a point of the curve are not a key.
    return false
  }
}

/**
 * A public key as 32 bytes in hex, from hex or PEM.
 * @throws `invalid_input` if the text is neither
 */
export function parsePublicKey(text: string): string {
  const hex = text.trim()
  return /^[0-9a-f]{64}$/i.test(hex)
    ? hex.toLowerCase()
    : toHex(readKey(() => createPublicKey(text), 'public'))
}

function signedText(root: Hash): Buffer {
  return Buffer.from(`${bundleSchema}\n${root}\n`)
}

function toHex(key: KeyObject): string {
  const { x = '' } = key.export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('hex')
}

const keyHints = {
  private: 'Create one with: openssl genpkey -algorithm ed25519 -out key.pem',
  public: 'Give the 64 hex digits printed by the signed export, or the public key in PEM format.',
} as const

function readKey(read: () => KeyObject, kind: 'private' | 'public'): KeyObject {
  let key: KeyObject | undefined
  let cause: unknown
  try {
    key = read()
  } catch (error) {
    cause = error
  }
  if (key?.asymmetricKeyType === 'ed25519') return key
  throw new ScholiumError('invalid_input', `The key is not an Ed25519 ${kind} key in PEM format.`, {
    hint: keyHints[kind],
    cause,
  })
}
