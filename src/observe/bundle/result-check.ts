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

/** What can be derived from a log about a result. */
export interface RebuiltResult {
  /** Fields that the log records elsewhere verbatim; they do not depend on the version. */
  readonly recorded: JsonObject
  /** Fields that code derives from the log; another version may derive others. */
  readonly judged: JsonObject
  /** Other problems of the result, each a clause that starts with its subject. */
  readonly problems: readonly string[]
  /** Why nothing more could be derived. */
  readonly open?: string
}

/** Rebuilds the result of a workflow's run from its events, for comparison with the recorded result. */
export type RebuildResult = (
  events: AsyncIterable<RunEvent>,
  result: JsonObject,
) => Promise<RebuiltResult>

/** What a result is checked against. */
export interface ResultGrounds {
  readonly facts: RunFacts
  readonly manifest: Manifest
  readonly events: AsyncIterable<RunEvent>
  /** Rebuilds the result of the run's workflow from its log; `undefined` for an unknown workflow. */
  readonly rebuildResult: RebuildResult | undefined
  /** Version of the verifying program. */
  readonly packageVersion: string
}

/** Checks that a result agrees with the rest of the log. */
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

/** Checks that the answer and the other derived members follow from the log. */
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
