import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundledWorkflows } from '../../src/app/workflows/workflow-registry.ts'
import type { Hash, Json, JsonObject } from '../../src/kernel/json.ts'
import { bytesInMemory } from '../../src/observe/bundle/byte-source.ts'
import { computeRoot, lineText, memberText } from '../../src/observe/bundle/canonical.ts'
import type { Check, CheckName } from '../../src/observe/bundle/check.ts'
import type { Manifest } from '../../src/observe/bundle/form.ts'
import {
  type BundleReport,
  type VerifyOptions,
  verifyBundle,
} from '../../src/observe/bundle/verify-bundle.ts'
import { contentOf, readZip } from '../../src/observe/bundle/zip-reader.ts'
import { ZipWriter } from '../../src/observe/bundle/zip-writer.ts'

/** The report on bytes. */
export function verify(
  bytes: Uint8Array,
  options: Partial<VerifyOptions> = {},
): Promise<BundleReport> {
  const given = { packageVersion: '1.0.0', workflows: bundledWorkflows, ...options }
  return verifyBundle(bytesInMemory(bytes), given)
}

/** One check of a report. */
export function checkOf(report: BundleReport, name: CheckName): Check {
  return report.checks.find((check) => check.name === name) as Check
}

/** The names of the checks that failed. */
export function failed({ checks }: BundleReport): readonly CheckName[] {
  return checks.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
}

/** All that a report says is wrong. */
export function faultTexts({ checks }: BundleReport): string {
  return checks.flatMap(({ faults }) => faults.map(({ text }) => text)).join('\n')
}

/** A bundle taken apart, to be changed and put together again as a forger would: with all hashes right. */
export class OpenedBundle {
  readonly texts: Map<string, string>

  constructor(bytes: Uint8Array) {
    const source = bytesInMemory(bytes)
    this.texts = new Map(
      readZip(source).map((member) => [
        member.name,
        Buffer.concat([...contentOf(source, member)]).toString(),
      ]),
    )
  }

  text(name: string): string {
    return this.texts.get(name) as string
  }

  /** Changes a JSON member. */
  edit(name: string, change: (value: never) => unknown): this {
    this.texts.set(name, memberText(change(JSON.parse(this.text(name)) as never)))
    return this
  }

  /** Changes every line of an NDJSON member; one that becomes `undefined` is left out. */
  editLines(name: string, change: (line: JsonObject) => Json | undefined): this {
    const lines = this.text(name)
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => change(JSON.parse(line) as JsonObject) ?? [])
    this.texts.set(name, lines.map(lineText).join(''))
    return this
  }

  /** Changes every text in all members but the manifest, or in those whose names match. */
  replaceText(from: string, to: string, names = /^(?!manifest)/): this {
    for (const [name, text] of this.texts)
      if (names.test(name)) this.texts.set(name, text.replaceAll(from, to))
    return this
  }

  /** The bytes of the members as they are now, with a manifest that fits unless one is given. */
  async bytes(change: (manifest: Manifest) => unknown = (manifest) => manifest): Promise<Buffer> {
    const folder = mkdtempSync(join(tmpdir(), 'scholium-forged-'))
    const file = openSync(join(folder, 'a'), 'w')
    const zip = new ZipWriter(file)
    const manifest = JSON.parse(this.text('manifest.json')) as Manifest
    const members = []
    for (const [name, text] of this.texts)
      if (name !== 'manifest.json' && name !== 'signature.json')
        members.push(await zip.add(name, [text]))
    const changed = change({ ...manifest, members, root: '' as Hash }) as Manifest
    await zip.add('manifest.json', [memberText({ ...changed, root: computeRoot(changed) })])
    const signature = this.texts.get('signature.json')
    if (signature !== undefined) await zip.add('signature.json', [signature])
    zip.finish()
    closeSync(file)
    const bytes = readFileSync(join(folder, 'a'))
    rmSync(folder, { recursive: true })
    return bytes
  }
}
