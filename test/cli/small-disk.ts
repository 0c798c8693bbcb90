import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real file system of a few kilobytes. */
export class SmallDisk {
  readonly folder = mkdtempSync(join(tmpdir(), 'scholium-disk-'))

  /** Makes it anew, empty, with so much room. */
  mount(kilobytes: number): void {
    this.unmount()
    mkdirSync(this.folder, { recursive: true })
    run('mount', '-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', this.folder)
  }

  /** Gives what is mounted so much room. */
  resize(kilobytes: number): void {
    run('mount', '-o', `remount,size=${kilobytes}k`, this.folder)
  }

  /** Lets nobody write to what is mounted. */
  protect(): void {
    run('mount', '-o', 'remount,ro', this.folder)
  }

  unmount(): void {
    spawnSync('umount', [this.folder])
  }

  remove(): void {
    this.unmount()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** Whether this user may mount file systems: root may, but not in every container. */
export const canMount = tryToMount()

function tryToMount(): boolean {
  if (process.platform !== 'linux') return false
  const disk = new SmallDisk()
  try {
    disk.mount(16)
    return true
  } catch {
    return false
  } finally {
    disk.remove()
  }
}

function run(...[command = '', ...args]: readonly string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr ?? `${command} is not there`)
}
