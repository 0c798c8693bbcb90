import type { JsonObject } from '../../kernel/json.ts'
import { memberText } from './canonical.ts'
import { type Check, concluded, Faults } from './check.ts'
import type { BundleContents } from './contents.ts'
import { faultIn } from './fault.ts'
import { memberNames } from './form.ts'
import { derivedMembers, type RunFacts } from './run-facts.ts'

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
