import * as z from 'zod'
import { computeRoot } from './canonical.ts'
import { type Check, concluded, Faults } from './check.ts'
import type { BundleContents } from './contents.ts'
import { BundleFault, count, faultIn, shown } from './fault.ts'
import { bundleSchema, isMemberName, type Manifest, manifestForm, memberNames } from './form.ts'
import type { ReadMember } from './zip-reader.ts'

/**
 * Reads the manifest and checks that it lists exactly the bundle's members.
 * @throws {@link BundleFault} if it is missing, has another version, or does not match its schema
 */
export function checkManifest(contents: BundleContents): { check: Check; manifest: Manifest } {
  if (!contents.has(memberNames.manifest))
    throw new BundleFault(faultIn(memberNames.manifest, 'it is missing, so this is not a bundle.'))
  checkVersion(contents)
  const manifest = contents.value(memberNames.manifest, manifestForm)
  const faults = new Faults()
  const fault = (member: string, text: string) => faults.add(faultIn(member, text))
  const listed = new Map(manifest.members.map((member) => [member.name, member]))
  for (const member of contents.members) compare(member, listed, fault)
  const names = contents.members.map(({ name }) => name)
  for (const { name } of manifest.members)
    if (!contents.has(name)) fault(name, 'it is missing, but the manifest lists it.')
  const ordered = inOrder(names)
  const wrong = names.findIndex((name, index) => name !== ordered[index])
  if (wrong >= 0) fault(names[wrong] as string, 'it is out of order.')
  if (new Set(names).size < names.length) fault(repeated(names), 'it is there twice.')
  if (new Set(listed.keys()).size < manifest.members.length)
    fault(memberNames.manifest, 'it lists a member twice.')
  if (computeRoot(manifest) !== manifest.root)
    fault(memberNames.manifest, 'its root hash is not the hash of its content.')
  const detail = `${count(manifest.members.length)} members, root ${manifest.root}`
  return { check: concluded('manifest', faults, detail), manifest }
}

/**
 *
 * @throws {@link BundleFault} for an unknown version of the format
 */
function checkVersion(contents: BundleContents): void {
  const { manifest } = memberNames
  let schema: unknown
  try {
    schema = z.looseObject({ schema: z.string() }).parse(JSON.parse(contents.text(manifest))).schema
  } catch (error) {
    if (error instanceof BundleFault) throw error
    // Other problems are reported when it is parsed as this version.
    return
  }
  if (schema === bundleSchema || !/^scholium\.bundle\/\d+$/.test(String(schema))) return
  const text = `the bundle has the format ${shown(String(schema))}, but this version of Scholium reads ${bundleSchema}: use a newer version.`
  throw new BundleFault(faultIn(manifest, text))
}

function compare(
  { name, sizeBytes, sha256 }: ReadMember,
  listed: ReadonlyMap<string, Manifest['members'][number]>,
  fault: (member: string, text: string) => void,
): void {
  if (last.includes(name)) return
  const said = listed.get(name)
  if (said === undefined) fault(name, 'the manifest does not list it.')
  else if (!isMemberName(name)) fault(name, 'a bundle has no such member.')
  else if (said.sizeBytes !== sizeBytes)
    fault(name, `it has ${count(sizeBytes)} bytes, but the manifest says ${count(said.sizeBytes)}.`)
  else if (said.sha256 !== sha256)
    fault(name, 'its content does not have the hash in the manifest.')
}

const last: readonly string[] = [memberNames.manifest, memberNames.signature]

/** Members by name, followed by the manifest and the signature, which refer to them. */
function inOrder(names: readonly string[]): readonly string[] {
  const present = last.filter((name) => names.includes(name))
  return [...names.filter((name) => !last.includes(name)).sort(), ...present]
}

function repeated(names: readonly string[]): string {
  return names.find((name, index) => names.indexOf(name) < index) as string
}
