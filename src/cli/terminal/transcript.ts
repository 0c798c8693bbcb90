import { type Block, type BlockFrame, blockRows, isFolded } from './blocks.ts'

const mostBlocks = 2_000

/** What was put on the screen for good, as far as it may have to be drawn again. */
export class Transcript {
  private readonly blocks: Block[] = []

  add(blocks: readonly Block[]): void {
    this.blocks.push(...blocks)
    if (this.blocks.length > mostBlocks) this.blocks.splice(0, this.blocks.length - mostBlocks)
  }

  /** The last rows, at least so many of them where there are. */
  rows(frame: BlockFrame, most: number): readonly string[] {
    const parts: (readonly string[])[] = []
    let count = 0
    for (let at = this.blocks.length - 1; at >= 0 && count < most; at--) {
      const rows = blockRows(this.blocks[at] as Block, frame)
      parts.unshift(rows)
      count += rows.length
    }
    return parts.flat()
  }

  /** The newest block of which something was left out. */
  lastFolded(frame: BlockFrame): Block | undefined {
    return this.blocks.findLast((block) => isFolded(block, frame))
  }
}
