import { canonicalJson, type JsonObject } from '../../kernel/json.ts'
import type { RunEvent } from '../../kernel/run/event.ts'
import { memberText } from './canonical.ts'
import { type Check, concluded, Faults, undecided } from './check.ts'
import type { BundleContents } from './contents.ts'
import { faultIn, shown } from './fault.ts'
import { type Manifest, memberNames } from './form.ts'
import { holdsReplacement } from './path-names.ts'
import { derivedMembers, type RunFacts } from './run-facts.ts'
import { notShared } from './source-member.ts'

/** What a log gives of a result beside the result itself. */
export interface RebuiltResult {
  /** Fields that the log says elsewhere in the same words, whatever version reads it. */
  readonly recorded: JsonObject
  /** Fields that code comes to from the log; another version may come to others. */
  readonly judged: JsonObject
  /** What else is wrong with the result, each a part of a sentence that begins with what it is about. */
  readonly problems: readonly string[]
  /** Why nothing more could be drawn. */
  readonly open?: string
}

/** Draws the result of one workflow's run from its events again. The result is what the run says that it is. */
export type RebuildResult = (
  events: AsyncIterable<RunEvent>,
  result: JsonObject,
) => Promise<RebuiltResult>

/** What a result is checked against. */
export interface ResultGrounds {
  readonly facts: RunFacts
  readonly manifest: Manifest
  readonly events: AsyncIterable<RunEvent>
  /** Builds the result of the run's workflow from its log; `undefined` where nobody knows how. */
  readonly rebuildResult: RebuildResult | undefined
  /** Of the program that checks. */
  readonly packageVersion: string
}

/** Whether a result says of its run only what the rest of the log says. */
export async function checkResult(grounds: ResultGrounds): Promise<Check> {
  const { facts, events, rebuildResult } = grounds
  const { result, status, workflow } = facts
  const faults = new Faults()
  if (result === undefined)
    return concluded('result', faults, 'the run has not ended, so it has no result')
  if (typeof result.status === 'string' && result.status !== status)
    faults.add(inAnswer(`it says ${shown(result.status)}, but the run ended as ${shown(status)}.`))
  if (rebuildResult !== undefined)
    return compareAll(grounds, result, await rebuildResult(events, result), faults)
  if (faults.count > 0) return concluded('result', faults, 'status')
  return undecided(
    'result',
    `Only its status was checked: this version cannot derive the result of "${shown(workflow)}". Its text, plan and gaps match the log's last event.`,
  )
}

function compareAll(
  { manifest, facts, packageVersion }: ResultGrounds,
  result: JsonObject,
  { recorded, judged, problems, open: whyOpen }: RebuiltResult,
  faults: Faults,
): Check {
  const names = manifest.texts === 'cited' ? [notShared] : []
  const replaced = [...manifest.replacedPaths, ...names]
  const by = facts.conditions.versions.package
  const open: string[] = []
  for (const problem of problems) faults.add(inAnswer(problem))
  for (const [name, value] of Object.entries({ ...judged, ...recorded })) {
    const [said, drawn] = [canonicalJson(result[name] ?? null), canonicalJson(value ?? null)]
    if (said === drawn) continue
    const isOthers = !Object.hasOwn(recorded, name) && by !== packageVersion
    if (isOthers || holdsReplacement(said + drawn, replaced)) open.push(name)
    else faults.add(inAnswer(`its ${name} does not match the log: ${shown(drawn)}`))
  }
  if (whyOpen !== undefined)
    return concluded('result', faults, `Not derived from the log again: ${whyOpen}.`, true)
  const fields = Object.keys({ ...recorded, ...judged }).join(', ')
  if (open.length === 0) return concluded('result', faults, `derived from the log again: ${fields}`)
  const why =
    by === packageVersion
      ? 'paths or texts in it were replaced'
      : `Scholium ${shown(by)} made it, and this is ${packageVersion}`
  return concluded('result', faults, `${open.join(', ')} come out differently: ${why}.`, true)
}

function inAnswer(text: string) {
  return faultIn(memberNames.answer, text)
}

/** Whether the answer, and all else that is drawn from the log, is what the log gives. */
export function checkAnswer(
  contents: BundleContents,
  facts: RunFacts,
  answer: JsonObject | undefined,
): Check {
  const faults = new Faults()
  const drawn = derivedMembers(facts, answer)
  for (const [name, value] of Object.entries(drawn)) {
    if (contents.has(name)) compare(name, contents.text(name), memberText(value), faults)
    else faults.add(faultIn(name, 'it is missing, although the log has its content.'))
  }
  const { answer: a, claims, configuration, csl, prices } = memberNames
  for (const name of [a, claims, configuration, csl, prices]) {
    if (contents.has(name) && !Object.hasOwn(drawn, name))
      faults.add(faultIn(name, 'the log contains nothing to derive it from.'))
  }
  const detail =
    answer === undefined
      ? 'the run has not ended, so it has no answer'
      : 'answer, claims, usage, costs, configuration and references derived from the log again'
  return concluded('answer', faults, detail)
}

function compare(name: string, found: string, expected: string, faults: Faults): void {
  if (found === expected) return
  let at = 0
  while (found[at] === expected[at]) at++
  const byte = Buffer.byteLength(found.slice(0, at))
  faults.add(faultIn(name, 'from here on it does not match the log.', byte))
}
