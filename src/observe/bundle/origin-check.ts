import type { Hash } from '../../kernel/json.ts'
import { type Check, concluded, Faults, undecided } from './check.ts'
import type { BundleContents } from './contents.ts'
import { BundleFault, faultIn, shown } from './fault.ts'
import { memberNames, type Signature, signatureForm } from './form.ts'
import { verifySignature } from './signature.ts'

/** What the user knows about the expected bundle. */
export interface OriginRequest {
  /** Its root hash. */
  readonly expect?: string
  /** The expected signer's public key: 32 bytes in hex. */
  readonly publicKey?: string
}

/** What is known about a bundle's origin. `integrity_only`: it is consistent with itself, which anyone can achieve. */
export type Origin = 'integrity_only' | 'expected' | 'signed' | 'refuted'

/** Compares a bundle's root hash with the expected one, and its signature with the expected key. */
export function checkOrigin(
  contents: BundleContents | undefined,
  root: Hash | undefined,
  { expect, publicKey }: OriginRequest,
): { check: Check; origin: Origin } {
  const faults = new Faults()
  if (contents === undefined || root === undefined) {
    const isAsked = expect !== undefined || publicKey !== undefined
    const check = undecided('origin', 'Not checked: the bundle is not valid.')
    return { check, origin: isAsked ? 'refuted' : 'integrity_only' }
  }
  if (expect !== undefined && expect.toLowerCase() !== root)
    faults.add(
      faultIn(memberNames.manifest, `its root hash is ${root}, but ${shown(expect)} was expected.`),
    )
  const signature = readSignature(contents, root, faults)
  if (publicKey !== undefined) compareKey(signature, publicKey, faults)
  if (faults.count > 0)
    return {
      check: concluded('origin', faults, 'It is not the expected bundle.'),
      origin: 'refuted',
    }
  return judgeOrigin(signature, { ...(expect && { expect }), ...(publicKey && { publicKey }) })
}

function judgeOrigin(
  signature: Signature | undefined,
  { expect, publicKey }: OriginRequest,
): { check: Check; origin: Origin } {
  const none = new Faults()
  if (publicKey !== undefined)
    return {
      check: concluded('origin', none, `signed with the key ${publicKey}`),
      origin: 'signed',
    }
  const by =
    signature === undefined
      ? ''
      : ` It is signed with the key ${signature.publicKey}, which was not compared with an expected key.`
  if (expect !== undefined)
    return {
      check: concluded('origin', none, `the root hash is as expected.${by}`),
      origin: 'expected',
    }
  const detail = `Integrity only: it is consistent with itself, but anyone can create such a bundle.${by}`
  return { check: undecided('origin', detail), origin: 'integrity_only' }
}

function readSignature(
  contents: BundleContents,
  root: Hash,
  faults: Faults,
): Signature | undefined {
  const { signature: name } = memberNames
  if (!contents.has(name)) return undefined
  try {
    const signature = contents.value(name, signatureForm)
    if (!verifySignature(root, signature))
      faults.add(faultIn(name, 'it is not a signature of this root hash by the named key.'))
    return signature
  } catch (error) {
    if (!(error instanceof BundleFault)) throw error
    faults.add(error.fault)
    return undefined
  }
}

function compareKey(signature: Signature | undefined, publicKey: string, faults: Faults): void {
  const { signature: name } = memberNames
  if (signature === undefined) faults.add(faultIn(name, 'the bundle is not signed.'))
  else if (signature.publicKey !== publicKey)
    faults.add(
      faultIn(name, `it is signed with the key ${signature.publicKey}, not with ${publicKey}.`),
    )
}
