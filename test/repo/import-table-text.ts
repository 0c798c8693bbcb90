import { importTable } from './import-table.ts'

/** The import table as Markdown, for `docs/architecture.md`: the folders that are there. */
export function importTableText(folders: readonly string[]): string {
  const rows = Object.entries(importTable)
    .filter(([folder]) => folders.includes(folder))
    .map(([folder, { code, types = [] }]) => {
      const present = code.filter((name) => folders.includes(name))
      const isAll = present.length >= folders.length - 4
      const may = isAll ? 'everything but the faces' : named(present) || 'nothing of ours'
      const contracts = types.filter((name) => folders.includes(name))
      return `| \`${folder}\` | ${may}${contracts.length > 0 ? `; types of ${named(contracts)}` : ''} |`
    })
  return ['| folder | may import |', '|---|---|', ...rows].join('\n')
}

function named(folders: readonly string[]): string {
  return folders.map((folder) => `\`${folder}\``).join(', ')
}
