import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesInMemory } from '../../src/observe/bundle/byte-source.ts'
import type { Fault } from '../../src/observe/bundle/fault.ts'
import { recordBytes } from '../../src/observe/bundle/zip-form.ts'
import { type ReadMember, readZip } from '../../src/observe/bundle/zip-reader.ts'
import { Runs } from '../kernel/runs.ts'
import { checkOf, verify } from './opened.ts'
import { bundleOf, makeSmallRun } from './small-run.ts'

const runs = new Runs()
const folder = mkdtempSync(join(tmpdir(), 'scholium-bundle-'))
let bundle: Buffer = Buffer.alloc(0)
let members: readonly ReadMember[] = []
beforeAll(async () => {
  await runs.open()
  await makeSmallRun(runs)
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  bundle = await bundleOf(runs, folder, { privateKey: pem })
  members = readZip(bytesInMemory(bundle))
})
afterAll(async () => {
  await runs.close()
  rmSync(folder, { recursive: true })
})

/** The member in whose header or content a byte of the file stands; `undefined` behind all of them. */
const memberAt = (at: number): string | undefined =>
  members.find(({ contentOffset, sizeBytes }) => at < contentOffset + sizeBytes)?.name

const at = (position: number, change: (byte: number) => readonly number[]): Buffer =>
  Buffer.concat([
    bundle.subarray(0, position),
    Buffer.from(change(bundle[position] as number)),
    bundle.subarray(position + 1),
  ])

/** What is said of each changed bundle must name a place that `isThere` accepts. */
async function expectFound(
  change: (byte: number) => readonly number[],
  isThere: (fault: Fault, position: number) => boolean,
): Promise<void> {
  const missed: string[] = []
  // Without a byte of its last record, a bundle may be said to be cut off.
  const lastRecord = bundle.length - recordBytes.end
  for (let position = 0; position < bundle.length; position++) {
    const report = await verify(at(position, change))
    const fault = report.checks.flatMap(({ faults }) => faults)[0]
    const isShown = report.fileKind === 'bundle' || position >= lastRecord
    if (report.isSound || !isShown || fault === undefined || !isThere(fault, position))
      missed.push(`${position} (${memberAt(position)}): ${fault?.text ?? 'not found'}`)
    if (missed.length > 5) break
  }
  expect(missed).toEqual([])
}

/** Whether a fault is about the member at a position, or the one that ends right before it; behind all, about the directory. */
function isAbout({ member, byte = -1, isInFile, text }: Fault, position: number): boolean {
  const here = memberAt(position)
  const there = isInFile ? memberAt(byte) : member
  if (here === undefined)
    return isInFile === true && (there === undefined || member === members.at(-1)?.name)
  return (
    there === here || member === here || member === memberAt(position - 1) || text.includes(here)
  )
}

describe('a small bundle', () => {
  it('is sound, and smaller than 50 KB', async () => {
    const report = await verify(bundle)
    expect(report.checks.filter(({ outcome }) => outcome === 'failed')).toEqual([])
    expect(report.isSound).toBe(true)
    expect(checkOf(report, 'verdicts').detail).toBe('2 of 2 verdicts the same again')
    expect(bundle.length).toBeLessThan(50_000)
  })

  it.each([
    ['one bit', 0x01],
    ['all bits', 0xff],
  ])(
    'with %s of any byte changed is refused, and the byte named',
    async (_what, bits) => {
      await expectFound(
        (byte) => [byte ^ bits],
        (fault, position) => {
          const member = members.find(
            ({ contentOffset, sizeBytes }) =>
              position >= contentOffset && position < contentOffset + sizeBytes,
          )
          if (member === undefined) return isAbout(fault, position)
          return fault.member === member.name && fault.byte === position - member.contentOffset
        },
      )
    },
    300_000,
  )

  it('without any one byte is refused, and the place named', async () => {
    await expectFound(() => [], isAbout)
  }, 300_000)

  it('with a byte put in anywhere is refused, and the place named', async () => {
    await expectFound((byte) => [0x7b, byte], isAbout)
  }, 300_000)

  it('with the same byte twice anywhere is refused, and the place named', async () => {
    await expectFound((byte) => [byte, byte], isAbout)
  }, 300_000)
})
