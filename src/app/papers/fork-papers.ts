import { changedFields, type StateChange } from '../../graph/change-state.ts'
import { ScholiumError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { cleanQuery, findOutOfRange } from '../../papers/input.ts'
import type { PapersState } from '../../papers/state.ts'
import type { Gap } from '../../team/gap.ts'
import type { ForkChanges, ForkRequest } from '../workflows/bound-workflow.ts'

/**
 * The changes that a fork makes to a run of papers. @throws `invalid_input` for an unknown field or an invalid value
 */
export function papersForkChanges(state: JsonObject, request: ForkRequest): ForkChanges {
  const before = state as PapersState
  const fields = changedFields(state, collectChanges(request))
  const { query = before.query } = fields
  checkRanges(fields)
  if (query === before.query) return { fields, remarks: [], title: before.query }
  // What is searched for was the query, unless words of its own were given.
  const searchFor = before.searchFor === before.query ? { searchFor: query } : {}
  const isBegun = before.papers.length > 0 || before.search.length > 0
  const gap: Gap = {
    kind: 'forked_question',
    detail: `The papers were found${before.analyses.length > 0 ? ' and analysed' : ''} for another query: ${before.query}`,
  }
  return {
    fields: {
      ...fields,
      ...searchFor,
      ...(isBegun ? { gaps: [...before.gaps, gap] as JsonObject[] } : {}),
    },
    remarks: isBegun
      ? [
          `What was found${before.analyses.length > 0 ? ', read and analysed' : ''} before this step was for the run's original query and is reused; the answer says so.`,
        ]
      : [],
    title: String(query),
  }
}

/** A question is the query; both names are taken. @throws `invalid_input` for two */
function collectChanges({ changes = [], question }: ForkRequest): readonly StateChange[] {
  const named = changes.map((change) =>
    change.path === 'question' ? { ...change, path: 'query' } : change,
  )
  if (question !== undefined && named.some(({ path }) => path === 'query'))
    throw new ScholiumError('invalid_input', 'The query was given twice.', {
      hint: 'Give --question, or --set query=…, not both.',
    })
  const all = question === undefined ? named : [...named, { path: 'query', value: question }]
  return all.map((change) =>
    change.path === 'query' && typeof change.value === 'string'
      ? { ...change, value: cleanQuery(change.value) }
      : change,
  )
}

const policies = ['mark', 'strict', 'off']

function checkRanges(fields: JsonObject): void {
  const wrong = findOutOfRange(fields)
  if (wrong !== undefined) throw refused(wrong.name, wrong.wanted)
  if (fields.claims !== undefined && !policies.includes(String(fields.claims)))
    throw refused('claims', `one of ${policies.join(', ')}`)
}

function refused(field: string, wanted: string): ScholiumError {
  return new ScholiumError('invalid_input', `"${field}" must be ${wanted}.`, {
    hint: '"scholium runs show RUN --state" shows the state.',
  })
}
