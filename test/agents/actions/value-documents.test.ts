import { beforeEach, describe, expect, it } from 'vitest'
import { ActionWorld } from './action-world.ts'

let world: ActionWorld
beforeEach(() => {
  world = new ActionWorld()
})

describe('agent files over values', () => {
  it('data.merge: what comes later goes over what came before', async () => {
    const state = await world.run(`name: merge
initial_state: {own: {a: {x: 1}, b: 1}}
nodes:
  - {name: m, uses: data.merge, with: {sources: ["{{ state.own }}", {a: {y: 2}, b: 2}]}, output: {all: "{{ result.result }}"}}`)
    expect(state.all).toEqual({ a: { x: 1, y: 2 }, b: 2 })
  })

  it('validate.*: rules that hold for what was extracted, and for what a model is told', async () => {
    const state = await world.run(`name: validate
variables: {schema: {entities: {required_fields: [name, type]}, relationships: {types: [knows]}}}
initial_state: {text: Ada knows Bob.}
nodes:
  - {name: s, uses: validate.schema, with: {schema: {age: {type: int, required: true}}}, output: {needs: "{{ result.required }}"}}
  - {name: i, uses: validate.input, with: {data: {age: "7"}, schema: {age: {type: int, required: true}}}, output: input}
  - {name: p, uses: validate.generate_prompt, with: {extraction_schema: "{{ variables.schema }}"}, output: {told: "{{ result.prompt }}"}}
  - name: e
    uses: validate.extraction
    with:
      entities: [{name: Ada, type: person}, {name: Eve}]
      relationships: [{type: likes, subject: Ada, object: Bob}]
      extraction_schema: "{{ variables.schema }}"
      source_text: "{{ state.text }}"
    output: found`)
    expect(state).toMatchObject({
      needs: ['age'],
      input: { valid: true, data: { age: 7 } },
      told: expect.stringContaining('knows'),
      found: {
        valid: false,
        errors: [
          { error_type: 'missing_required_field', of: 'entity', index: 1 },
          { error_type: 'invalid_relationship_type', of: 'relationship', index: 0 },
        ],
        warnings: [expect.stringContaining('Eve')],
      },
    })
  })

  it('ltm.*: remembered, found, and forgotten', async () => {
    const state = await world.run(`name: memory
nodes:
  - {name: s, uses: ltm.store, with: {key: ada, value: {likes: stones}, metadata: {kind: person}}, output: stored}
  - {name: r, uses: ltm.retrieve, with: {key: ada}, output: before}
  - {name: d, uses: ltm.delete, with: {key: ada}, output: gone}
  - {name: a, uses: ltm.retrieve, with: {key: ada, default: nobody}, output: after}`)
    expect(state).toMatchObject({
      before: { value: { likes: 'stones' }, found: true, metadata: { kind: 'person' } },
      gone: { deleted: true },
      after: { value: 'nobody', found: false },
    })
  })

  it('rag.llamaindex.*: an index that grows, and is searched', async () => {
    const state = await world.run(`name: index
nodes:
  - {name: n, uses: rag.llamaindex.load_index, with: {index_path: stones}, output: none}
  - {name: a, uses: rag.llamaindex.add_documents, with: {index_path: stones, documents: [Glimmerstone melts at 412 degrees., {text: Owls fly by night., metadata: {kind: bird}}]}, output: added}
  - {name: l, uses: rag.llamaindex.load_index, with: {index_path: stones}, output: there}
  - {name: q, uses: rag.llamaindex.query, with: {index_path: stones, query: When does glimmerstone melt?, similarity_top_k: 1}, output: found}`)
    expect(state).toMatchObject({
      none: { success: false, error_type: 'not_found' },
      added: { added_count: 2 },
      there: { document_count: 2 },
      found: { response: expect.stringContaining('412'), nodes: [{ n: 1 }] },
    })
  })

  it('return: what the run gives, and nothing after it', async () => {
    const state = await world.run(`name: return
nodes:
  - {name: a, uses: return, with: {value: 7}, output: given}
  - {name: b, uses: state.set, with: {later: true}}`)
    expect(state).toEqual({ given: 7 })
  })
})
