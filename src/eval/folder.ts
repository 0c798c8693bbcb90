import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeWhole } from '../files/write-whole.ts'
import { ScholiumError } from '../kernel/errors.ts'
import type { JsonObject } from '../kernel/json.ts'
import { DurableLines, mapStoreFailure } from './durable-files.ts'
import { type FolderLock, isLockName, type LockParty, lockFolder } from './folder-lock.ts'
import type { EvalQuestion } from './question.ts'
import { type EvalResult, resultForm } from './result.ts'

/** The run of a question, noted before it begins. */
const notedRunForm = z.object({ id: z.string(), runId: z.string() })
type NotedRun = z.infer<typeof notedRunForm>

/** What an evaluation is about; a folder holds one evaluation. Flat, so that a difference can be named. */
export type Identity = Readonly<Record<string, string>>

/**
 * The folder of an evaluation: `eval.json` (its identity), `runs.jsonl` (the run of each question, noted before it
 * begins), `results.jsonl`, `sources/` (the questions' own texts) and `report.html`. Close it when done.
 */
export class EvalFolder {
  readonly path: string
  private readonly lock: FolderLock
  private readonly resultLines: DurableLines<EvalResult>
  private readonly runLines: DurableLines<NotedRun>
  private readonly byId: Map<string, EvalResult>
  private readonly runs: Map<string, string>

  /**
   * Opens or creates a folder.
   * @throws `invalid_input` if the folder contains something else, belongs to another evaluation, or is in use by another
   * process
   */
  constructor(path: string, identity: Identity, party: LockParty) {
    this.path = path
    makeFolder(path)
    requireOwn(path)
    requireNoLinks(path)
    this.lock = lockFolder(path, party)
    try {
      requireSame(path, identity)
      this.runLines = new DurableLines(join(path, 'runs.jsonl'), notedRunForm)
      try {
        this.resultLines = new DurableLines(join(path, 'results.jsonl'), resultForm)
      } catch (error) {
        this.runLines.close()
        throw error
      }
    } catch (error) {
      this.lock.release()
      throw error
    }
    this.runs = new Map(this.runLines.found.map(({ id, runId }) => [id, runId]))
    // A question that was retried has several lines; the last one counts.
    this.byId = new Map(this.resultLines.found.map((result) => [result.id, result]))
  }

  /** The result of a question, if it is finished. */
  resultFor(id: string): EvalResult | undefined {
    return this.byId.get(id)
  }

  /** The run of a question, if it has begun. */
  runOf(id: string): string | undefined {
    return this.runs.get(id)
  }

  /** Notes the run of a question before it begins; on disk when this returns. @throws `store_failed`, `fenced` */
  noteRun(id: string, runId: string): void {
    this.lock.check()
    this.runLines.add({ id, runId })
    this.runs.set(id, runId)
  }

  /** Adds a result; on disk when this returns. @throws `store_failed`, `fenced` */
  addResult(result: EvalResult): void {
    this.lock.check()
    this.resultLines.add(result)
    this.byId.set(result.id, result)
  }

  /** Writes a question's own texts as Markdown files; returns their folder. */
  writeContext({ line, context }: EvalQuestion): string {
    const folder = join(this.path, 'sources', String(line))
    mapStoreFailure(folder, () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      for (const [index, { title, text }] of context.entries()) {
        const name = `${String(index + 1).padStart(2, '0')}.md`
        const head = title.replaceAll(/\s+/g, ' ').trim()
        writeFileSync(join(folder, name), `# ${head}\n\n${text}\n`, { mode: 0o600 })
      }
    })
    return folder
  }

  /** Writes the report page; returns its path. @throws `store_failed`, `fenced` */
  writeReport(html: string): string {
    this.lock.check()
    const path = join(this.path, 'report.html')
    mapStoreFailure(path, () => writeWhole(path, html, { flush: true }))
    return path
  }

  close(): void {
    this.runLines.close()
    this.resultLines.close()
    this.lock.release()
  }
}

const identityName = 'eval.json'

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new ScholiumError(
      'invalid_input',
      `The folder ${path} cannot be created: ${(cause as Error).message}.`,
      {
        hint: 'Choose another folder with --out.',
        cause,
      },
    )
  }
}

/** Refuses a folder that contains something else. */
function requireOwn(path: string): void {
  const names = readdirSync(path)
  // A crash during creation leaves only some of the first files.
  const isBegun = (name: string) => isLockName(name) || /^eval\.json\.\d+\.tmp$/.test(name)
  const isOwn = names.includes(identityName) || names.every(isBegun)
  if (isOwn) return
  throw new ScholiumError('invalid_input', `${path} contains something other than an evaluation.`, {
    hint: 'Choose an empty or new folder with --out.',
  })
}

/** Evaluations create no links. A folder from a repository may contain one, and files would be written elsewhere. */
function requireNoLinks(path: string): void {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true })
  if (!lstatSync(path).isSymbolicLink() && !entries.some((entry) => entry.isSymbolicLink())) return
  throw new ScholiumError('invalid_input', `${path} is a link.`, {
    hint: 'Choose an empty or new folder with --out.',
  })
}

function requireSame(path: string, identity: Identity): void {
  const known = readIdentity(join(path, identityName))
  if (known === undefined) {
    const content: JsonObject = { schema: 'scholium.eval/1', of: identity }
    const file = join(path, identityName)
    const text = `${JSON.stringify(content, null, 2)}\n`
    mapStoreFailure(file, () => writeWhole(file, text, { flush: true }))
    return
  }
  const names = [...new Set([...Object.keys(known), ...Object.keys(identity)])]
  const others = names
    .filter((name) => known[name] !== identity[name])
    .map((name) => `${name} was ${known[name] ?? 'not set'}, now ${identity[name] ?? 'not set'}`)
  if (others.length === 0) return
  throw new ScholiumError(
    'invalid_input',
    `${path} contains a different evaluation: ${others.join('; ')}.`,
    {
      hint: 'Choose another folder with --out, or use the same questions and options to continue this one.',
    },
  )
}

function readIdentity(path: string): Identity | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    return identityForm.parse(JSON.parse(text)).of
  } catch (cause) {
    throw new ScholiumError('invalid_input', `${path} is damaged.`, {
      hint: 'Choose another folder with --out.',
      cause,
    })
  }
}

const identityForm = z.object({
  schema: z.literal('scholium.eval/1'),
  of: z.record(z.string(), z.string()),
})
