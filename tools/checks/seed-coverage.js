import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/**
 * One assertion of a specification. It stands on tests; on a decision to do otherwise, with tests of what is done instead; or
 * waits for the work of a later issue.
 *
 * @typedef {object} Assertion
 * @property {string} id stable: the section's slug and a number
 * @property {string} asks what it asks for, in at most 12 words
 * @property {string[]} [tests] `file › describe › title` as Vitest reports it; `*` stands for any text
 * @property {string} [decision] a key of the specification's decisions
 * @property {number} [later] the issue
 *
 * @typedef {object} Specification
 * @property {string} name
 * @property {string} about what it is
 * @property {Record<string, {topic: string, text: string}>} decisions
 * @property {Record<string, string>} later what waits for an issue, by its number
 * @property {{slug: string, title: string, assertions: Assertion[]}[]} sections
 *
 * @typedef {{tests: number, decisions: number, later: number}} Counts
 */

/** The folder of the specifications, from the root of the checkout. */
export const specificationsFolder = 'test/repo/seed-coverage'

/**
 * @param {string} root
 * @returns {Specification[]}
 */
export function readSpecifications(root) {
  const folder = join(root, specificationsFolder)
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

/**
 * The assertions of a specification, in order.
 *
 * @param {Specification} specification
 */
export function assertionsOf({ sections }) {
  return sections.flatMap(({ assertions }) => assertions)
}

/**
 * How many assertions stand on tests alone, differ by decision, or wait.
 *
 * @param {readonly Assertion[]} assertions
 * @returns {Counts}
 */
export function countCoverage(assertions) {
  const counts = { tests: 0, decisions: 0, later: 0 }
  for (const { decision, later } of assertions)
    counts[later !== undefined ? 'later' : decision !== undefined ? 'decisions' : 'tests']++
  return counts
}

/**
 * What a Vitest run leaves unshown, one line each: a mapping that fits no test, or one that did not pass.
 *
 * @param {readonly Assertion[]} assertions
 * @param {import('./tally.js').VitestReport} report
 * @param {string} root
 * @returns {string[]}
 */
export function findUncovered(assertions, report, root) {
  const reported = report.testResults.flatMap(({ name, assertionResults }) => {
    const file = relative(root, name).split(sep).join('/')
    return assertionResults.map(({ ancestorTitles, title, status }) => ({
      name: [file, ...ancestorTitles, title].join(' › '),
      status,
    }))
  })
  /** @type {Map<string, string | undefined>} */
  const problems = new Map()
  /** @param {string} test */
  const problemOf = (test) => {
    if (!problems.has(test)) problems.set(test, problemWith(test, reported))
    return problems.get(test)
  }
  return assertions.flatMap(({ id, tests = [] }) =>
    tests.flatMap((test) => {
      const problem = problemOf(test)
      return problem === undefined ? [] : [`${id}: ${problem}: ${test}`]
    }),
  )
}

/**
 * @param {string} test
 * @param {readonly {name: string, status: string}[]} reported
 */
function problemWith(test, reported) {
  const pattern = new RegExp(`^${test.split('*').map(escapePattern).join('.*')}$`, 's')
  const found = reported.filter(({ name }) => pattern.test(name))
  if (found.length === 0) return 'unknown test'
  const bad = found.find(({ status }) => status !== 'passed')
  return bad === undefined ? undefined : `${bad.status}, not passed`
}

/** @param {string} text */
function escapePattern(text) {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/**
 * Holds every specification against the report of a whole run of the tests, and says how it stands. Each is one check.
 *
 * @param {import('./tally.js').VitestReport | undefined} report
 * @param {string} root
 * @returns {import('./tally.js').Tally}
 */
export function checkSeedCoverage(report, root) {
  const tally = { passed: 0, failed: 0, skipped: 0 }
  if (report === undefined) return tally
  for (const specification of readSpecifications(root)) {
    const assertions = assertionsOf(specification)
    const uncovered = findUncovered(assertions, report, root)
    const { tests, decisions, later } = countCoverage(assertions)
    for (const line of uncovered) console.log(line)
    const state = uncovered.length === 0 ? 'passed' : 'FAILED'
    console.log(
      `seed coverage of ${specification.name}: ${state} (${assertions.length} assertions: ${tests} by tests, ${decisions} by decisions, ${later} later)`,
    )
    tally[uncovered.length === 0 ? 'passed' : 'failed']++
  }
  return tally
}
