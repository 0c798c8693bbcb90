import { useEffect, useRef, useState } from 'react'

/**
 * Takes files that are dropped anywhere on the page. Folders give the files in them, except hidden ones.
 * @param fail called when what was dropped cannot be read
 * @returns whether files are held over the page now
 */
export function useDrop(
  isOn: boolean,
  take: (files: readonly File[]) => void,
  fail: () => void,
): boolean {
  const [isOver, setOver] = useState(false)
  const known = useRef({ take, fail })
  known.current = { take, fail }
  useEffect(() => {
    if (!isOn) return
    const control = new AbortController()
    const { signal } = control
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      setOver(false)
      const { take, fail } = known.current
      droppedFiles(event.dataTransfer).then(
        (files) => (files.length > 0 ? take(files) : fail()),
        fail,
      )
    }
    addEventListener('dragover', over, { signal })
    addEventListener('dragleave', leave, { signal })
    addEventListener('drop', drop, { signal })
    return () => control.abort()
  }, [isOn])
  return isOver
}

/** The files that are dropped; entries are only there until the event is over, so they are taken at once. */
async function droppedFiles(transfer: DataTransfer): Promise<readonly File[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null)
  if (!entries.some((entry) => entry?.isDirectory)) return [...transfer.files]
  const found = entries.map((entry) => (entry === null ? [] : filesIn(entry)))
  return (await Promise.all(found)).flat()
}

async function filesIn(entry: FileSystemEntry): Promise<readonly File[]> {
  if (entry.name.startsWith('.')) return []
  if (entry.isFile)
    return [
      await new Promise<File>((resolve, reject) =>
        (entry as FileSystemFileEntry).file(resolve, reject),
      ),
    ]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: File[] = []
  for (;;) {
    // A folder gives its entries in parts.
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (part.length === 0) return files
    for (const inner of part) files.push(...(await filesIn(inner)))
  }
}
