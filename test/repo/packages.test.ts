import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { filesUnder, root } from './source-file.ts'

const manifests = filesUnder('', ['package.json'])
const locks = filesUnder('', ['package-lock.json'])

/**
 * Exifreader's script makes a smaller build where a package asks for one; none does. Esbuild's makes its command start faster;
 * the others' do nothing that a package here needs.
 */
const worksWithoutItsScript = new Set([
  'node_modules/exifreader',
  'node_modules/esbuild',
  'node_modules/@google/genai',
  'node_modules/protobufjs',
])

type Versions = Readonly<Record<string, string>>

interface Manifest {
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly optionalDependencies?: Versions
  readonly overrides?: Versions
}

interface LockedPackage extends Manifest {
  readonly resolved?: string
  readonly integrity?: string
  readonly hasInstallScript?: boolean
}

describe.each(manifests)('%s', (path) => {
  const manifest: Manifest = readJson(path)

  it('names exact versions', () => {
    const versions = { ...asked(manifest), ...manifest.overrides }
    const exact = /^(?:npm:[@\w/-]+@)?\d+\.\d+\.\d+$/
    const loose = Object.entries(versions).filter(([, version]) => !exact.test(version))
    expect(loose).toEqual([])
  })

  it('has a lock file that agrees with it', () => {
    expect(asked(packagesOf(path.replace('.json', '-lock.json'))[''])).toEqual(asked(manifest))
  })
})

describe.each(locks)('%s', (path) => {
  const packages = Object.entries(packagesOf(path)).filter(([name]) => name !== '')

  it('names no download address', () => {
    expect(packages.filter(([, entry]) => entry.resolved !== undefined)).toEqual([])
  })

  it('has a hash for every package', () => {
    expect(packages.filter(([, entry]) => entry.integrity === undefined)).toEqual([])
  })

  it('has no package that needs an install script, because npm is told to run none', () => {
    const needy = packages.filter(([, entry]) => entry.hasInstallScript).map(([name]) => name)
    expect(needy.filter((name) => !worksWithoutItsScript.has(name))).toEqual([])
  })

  it('has the packages for every system, not for the one it was made on', () => {
    const names = new Set(
      packages.map(([name]) => name.slice(name.lastIndexOf('node_modules/') + 13)),
    )
    const missing = packages.flatMap(([, entry]) =>
      Object.keys(entry.optionalDependencies ?? {}).filter((name) => !names.has(name)),
    )
    expect(missing).toEqual([])
  })
})

function packagesOf(lockPath: string): Readonly<Record<string, LockedPackage>> {
  return readJson(lockPath).packages
}

function asked(manifest: Manifest | undefined): Versions {
  return {
    ...manifest?.dependencies,
    ...manifest?.devDependencies,
    ...manifest?.optionalDependencies,
  }
}

function readJson(path: string) {
  return JSON.parse(readFileSync(root + path, 'utf8'))
}
