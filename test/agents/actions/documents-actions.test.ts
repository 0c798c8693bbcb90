import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../src/kernel/run/clock.ts'
import { createDocumentReader } from '../../../src/sources/files/worker/document-reader.ts'
import { createWeb } from '../../../src/sources/web/web.ts'
import { createSandbox } from '../../../src/tools/sandbox/sandbox.ts'
import { pageOf, type Service, startService } from '../../web/services.ts'
import { withOneSession } from '../one-session.ts'
import { ActionWorld } from './action-world.ts'

const sandbox = createSandbox({ limits: { wallMs: 4_000 } })
const reader = createDocumentReader()
let site: Service
let world: ActionWorld

beforeAll(async () => {
  site = await startService(({ url, method, body }) =>
    url.pathname === '/page'
      ? {
          body: pageOf(
            'Stone',
            'Glimmerstone melts at 412 degrees Celsius, as careful people have measured many times over.',
          ),
        }
      : { body: { method, sent: body === '' ? null : JSON.parse(body), n: 20 } },
  )
  const web = createWeb({
    clock: systemClock,
    random: () => 0,
    userAgent: 'test',
    allowedOrigins: [site.origin],
  })
  const sources = {
    pages: web,
    lookups: web,
    access: { userAgent: 'test' },
    clock: systemClock,
    reader,
  }
  const shared = withOneSession(sandbox)
  world = new ActionWorld({ web: () => sources, sandbox: () => shared }, { sandbox })
})

afterAll(async () => {
  await Promise.all([site.close(), reader.close(), sandbox.close()])
})

const doc = (...lines: readonly string[]) => ['name: t', ...lines].join('\n')

describe('agent files over actions', () => {
  it('file.*: write, read, and continue where a file is not there', async () => {
    const state = await world.run(
      doc(
        'nodes:',
        '  - {name: w, uses: file.write, with: {path: "out/{{ state.name }}.txt", content: "Hello {{ state.name }}"}, output: written}',
        '  - {name: r, uses: file.read, with: {path: "{{ state.written.path }}"}, output: {text: "{{ result.content }}"}}',
        '  - {name: m, uses: file.read, with: {path: ../x}, output: missing}',
      ),
      { name: 'Ada' },
    )
    expect(state).toMatchObject({
      text: 'Hello Ada',
      missing: { success: false, error_type: 'outside_workspace' },
    })
    expect(readFileSync(join(world.workspace, 'out/Ada.txt'), 'utf8')).toBe('Hello Ada')
  })

  it('http.*: JSON as it is, and sent', async () => {
    const state = await world.run(
      doc(
        'nodes:',
        '  - {name: g, uses: http.get, with: {url: "{{ state.at }}/x"}, output: got}',
        '  - {name: p, uses: http.post, with: {url: "{{ state.at }}/y", json: {n: "{{ state.got.n }}"}}, output: {back: "{{ result.sent.n }}"}}',
        '  - {name: b, uses: http.get, with: {url: "http://127.0.0.1:9/"}, output: blocked}',
      ),
      { at: site.origin },
    )
    expect(state).toMatchObject({
      got: { method: 'GET', n: 20 },
      back: 20,
      blocked: { error_type: 'blocked_address' },
    })
  })

  it('web.scrape: the text of a page', async () => {
    const text = doc(
      'nodes:',
      '  - {name: s, uses: web.scrape, with: {url: "{{ state.at }}/page"}, output: page}',
    )
    const { page } = (await world.run(text, { at: site.origin })) as { page: { markdown: string } }
    expect(page.markdown).toContain('412 degrees')
  })

  it('json.*, csv.*, data.*, markdown.parse: values from texts and back', async () => {
    const state = await world.run(
      doc(
        'nodes:',
        '  - {name: a, uses: json.parse, with: {text: "{{ state.raw }}"}, output: {users: "{{ result.data.users }}"}}',
        '  - {name: b, uses: json.transform, with: {data: "{{ state.users }}", expression: "[?on].name"}, output: {names: "{{ result.result }}"}}',
        '  - {name: c, uses: csv.stringify, with: {data: "{{ state.users }}"}, output: {table: "{{ result.text }}"}}',
        '  - {name: d, uses: csv.parse, with: {text: "{{ state.table }}"}, output: {rows: "{{ result.data }}"}}',
        '  - {name: e, uses: data.filter, with: {data: "{{ state.rows }}", predicate: {field: name, op: startswith, value: A}}, output: {kept: "{{ result.filtered_count }}"}}',
        '  - {name: f, uses: json.stringify, with: {data: "{{ state.names }}"}, output: {text: "{{ result.text }}"}}',
        '  - {name: g, uses: markdown.parse, with: {content: "# Title\\n- [x] done (AC: 1)"}, output: {md: "{{ result }}"}}',
        '  - {name: h, uses: data.validate, with: {data: "{{ state.users }}", schema: {type: array, maxItems: 1}}, output: {valid: "{{ result.valid }}"}}',
      ),
      { raw: '{"users": [{"name": "Ada", "on": true}, {"name": "Bob", "on": false}]}' },
    )
    expect(state).toMatchObject({
      names: ['Ada'],
      rows: [
        { name: 'Ada', on: 'true' },
        { name: 'Bob', on: 'false' },
      ],
      kept: 1,
      text: '["Ada"]',
      md: { title: 'Title', tasks: [{ checked: true, ac_refs: [1] }] },
      valid: false,
    })
  })

  it('memory.*, ltm.* and cache.*: what is kept is found by the next run', async () => {
    const keep = doc(
      'nodes:',
      '  - {name: a, uses: memory.store, with: {key: user, value: "{{ state.who }}"}}',
      '  - {name: b, uses: ltm.store, with: {key: taste, value: likes dark mode}, output: kept}',
      '  - {name: c, uses: cache.wrap, with: {action: json.parse, key: k, args: {text: "[1]"}}, output: wrapped}',
    )
    expect(await world.run(keep, { who: 'Ada' })).toMatchObject({
      stored: true,
      kept: { created: true },
      wrapped: { _cache_hit: false },
    })
    const find = doc(
      'nodes:',
      '  - {name: a, uses: memory.retrieve, with: {key: user}, output: {who: "{{ result.value }}"}}',
      '  - {name: b, uses: ltm.search, with: {query: dark}, output: found}',
      '  - {name: c, uses: cache.get, with: {key: "cache:t:k"}, output: cached}',
      '  - {name: d, uses: cache.invalidate, with: {pattern: "cache:t:*"}, output: gone}',
    )
    expect(await world.run(find)).toMatchObject({
      who: 'Ada',
      found: { count: 1, results: [{ key: 'taste' }] },
      cached: { found: true },
      gone: { deleted_keys: ['cache:t:k'] },
    })
  })

  it('vector.* and rag.*: numbered passages of a collection', async () => {
    writeFileSync(
      join(world.workspace, 'zebra.md'),
      '# Zebra\n\nZebras have black and white stripes.\n',
    )
    const state = await world.run(
      doc(
        'nodes:',
        '  - {name: a, uses: vector.index_files, with: {paths: zebra.md, collection: animals}, output: indexed}',
        '  - {name: b, uses: vector.store, with: {texts: [Horses sleep standing up.], collection: animals}, output: stored}',
        '  - {name: c, uses: vector.query, with: {query: how do horses sleep, collection: animals, k: 1}, output: found}',
        '  - {name: d, action: rag.llamaindex.create_index, params: {documents: [{text: Cows give milk.}], persist_path: ./cows}, output: made}',
        '  - {name: e, action: rag.llamaindex.query, params: {query: milk, index_path: ./cows}, output: {answer: "{{ result.response }}"}}',
      ),
    )
    expect(state).toMatchObject({
      indexed: { files: 1, success: true },
      found: { results: [{ n: 1, text: 'Horses sleep standing up.' }] },
      made: { document_count: 1 },
      answer: '[1] Cows give milk.',
    })
  })

  it('text.insert_citations: marks and a list', async () => {
    const text = doc(
      'nodes:',
      '  - {name: a, uses: text.insert_citations, with: {text: "{{ state.draft }}", references: "{{ state.refs }}"}, output: {final: "{{ result.text }}"}}',
    )
    const state = await world.run(text, {
      draft: 'Zebras have stripes.',
      refs: ['Z. Why zebras have stripes.'],
    })
    expect(state.final).toBe(
      'Zebras have stripes [1].\n\n## References\n\n1. Z. Why zebras have stripes.\n',
    )
  })

  it('code.execute says what to do where code looks for the state', async () => {
    const codes = { python: 'state["a"]', javascript: 'state.a', lua: 'return state.a' }
    const nodes = Object.entries({ ...codes, prolog: 'state(X).' }).map(
      ([language, code]) =>
        `  - {name: ${language}, uses: code.execute, with: {language: ${language}, code: '${code}'}, output: ${language}}`,
    )
    const given = `  - {name: given, uses: code.execute, with: {code: 'state["a"] + b', input: {state: "{{ state }}"}}, output: given}`
    const state = await world.run(doc('nodes:', ...nodes, given), { a: 1 })
    for (const language of [...Object.keys(codes), 'prolog'])
      expect(state[language]).toMatchObject({
        success: false,
        error: expect.stringContaining('input: {state: "{{ state }}"}'),
      })
    expect(state.given).toMatchObject({ error: "NameError: name 'b' is not defined" })
  })

  it('code.execute, lua.eval and prolog.query: code in the sandbox', async () => {
    const state = await world.run(
      doc(
        'nodes:',
        '  - name: a',
        '    uses: code.execute',
        '    with: {code: "x = 1 + 2\\nprint(x)\\nresult = x * n", input: {n: 10}}',
        '    output: python',
        '  - {name: b, action: lua.eval, params: {code: "return {words = #question, same = state.question == question}"}}',
        '  - name: c',
        '    action: prolog.query',
        '    with: {code: "path(a, X)", facts: "edge(a, b).\\nedge(b, c).\\npath(X, Y) :- edge(X, Y).\\npath(X, Y) :- edge(X, Z), path(Z, Y)"}',
        '    output: paths',
        '  - {name: d, action: prolog.query, with: {code: "edge(a, b)", facts: "edge(a, b)."}, output: held}',
        '  - {name: e, action: prolog.query, with: {code: "edge(b, a)", facts: "edge(a, b)."}, output: failed}',
        '  - {name: f, uses: code.execute, with: {code: "open(\'/etc/passwd\').read()"}, output: host}',
        '  - {name: g, uses: code.execute, with: {language: javascript, code: "while (true) {}"}, output: endless}',
        '  - {name: h, uses: code.execute, with: {language: lua, code: "while true do end", timeout: 1.5}, output: late}',
      ),
      { question: 'four' },
    )
    expect(state).toMatchObject({
      python: { success: true, stdout: '3\n', return_value: 30 },
      words: 4,
      same: true,
      paths: { bindings: [{ X: 'b' }, { X: 'c' }], count: 2, success: true },
      held: { bindings: [{}], count: 1 },
      failed: { bindings: [], count: 0 },
      host: { success: false, return_value: null },
      endless: { success: false, error_type: 'TimeLimitExceeded' },
      late: { success: false, error_type: 'TimeLimitExceeded' },
    })
  }, 90_000)

  it('validate.*, schema.merge: what does not fit decides the way', async () => {
    const text = doc(
      'nodes:',
      '  - name: check',
      '    uses: validate.input',
      '    with: {schema: {age: {type: int, required: true, min: 0}, lang: {default: en}}}',
      '    output: checked',
      '    goto: [{if: "state.checked.valid", to: good}, {to: bad}]',
      '  - {name: good, uses: state.set, with: {verdict: "{{ state.checked.data.lang }}"}, goto: __end__}',
      '  - {name: bad, uses: state.set, with: {verdict: "{{ state.checked.errors[0].message }}"}, goto: __end__}',
    )
    expect(await world.run(text, { age: '3' })).toMatchObject({
      verdict: 'en',
      checked: { data: { age: 3 } },
    })
    expect(await world.run(text, { age: -1 })).toMatchObject({
      verdict: "Field 'age' must be at least 0",
    })
    const merge = doc(
      'nodes:',
      '  - {name: a, uses: schema.merge, with: {schemas: [{inline: {type: object}}, {inline: {required: [x]}}]}, output: merged}',
    )
    expect(await world.run(merge)).toMatchObject({
      merged: { merged_schema: { type: 'object', required: ['x'] } },
    })
  })

  it('error.*: what on_error left is asked about and taken out', async () => {
    const ask = doc(
      'nodes:',
      '  - {name: none, uses: error.has, output: before}',
      '  - {name: fails, uses: code.execute, with: {code: "{{ state.code }}"}, on_error: {mode: graceful}}',
      '  - {name: has, uses: error.has, output: after}',
      '  - {name: type, uses: error.type, output: kind}',
      '  - {name: again, uses: error.is_retryable, output: again}',
      '  - {name: full, uses: error.get, output: told}',
      '  - {name: answer, uses: error.respond, output: http}',
      '  - {name: clear, uses: error.clear}',
    )
    expect(await world.run(ask, { code: '' })).toMatchObject({
      before: false,
      after: true,
      kind: 'invalid_input',
      again: false,
      told: { node: 'fails' },
      http: { status: 400, body: { error: 'invalid_input' } },
      error: null,
    })
  })

  it('trace.*: spans and remarks in the log', async () => {
    const text = doc(
      'nodes:',
      '  - {name: s, uses: trace.start, with: {name: work}, output: span}',
      '  - {name: l, uses: trace.log, with: {message: half, metrics: {n: 1}, snapshot_state: true, sanitize_keys: [span]}, output: logged}',
      '  - {name: e, uses: trace.end, with: {span_id: "{{ state.span.span_id }}"}, output: ended}',
      '  - {name: n, uses: trace.end, output: none}',
    )
    const state = await world.run(text)
    const { span_id: id } = state.span as { span_id: string }
    expect(id).toMatch(/^[\da-f]{16}$/)
    expect(state).toMatchObject({
      logged: { logged: true, span_id: id },
      ended: { span_id: id, name: 'work', status: 'ok', success: true },
      none: { success: false, error_type: 'no_span' },
    })
  })

  it('secrets.has and tools.list: what there is', async () => {
    const text = doc(
      'secrets: {TOKEN: "\\x24{NOT_SET_ANYWHERE:-value-of-token}"}',
      'nodes:',
      '  - {name: a, uses: secrets.has, with: {key: TOKEN}, output: {has: "{{ result.exists }}"}}',
      '  - {name: b, uses: secrets.has, with: {key: OTHER}, output: {other: "{{ result.exists }}"}}',
      '  - {name: c, uses: tools.list, with: {filter: [file.read]}, output: listed}',
    )
    expect(await world.run(text)).toMatchObject({ has: true, other: false, listed: { count: 2 } })
  })

  it('that only calculate know no secret: the record would not know what they make of it', async () => {
    const text = doc(
      'secrets: {TOKEN: "\\x24{NOT_SET_ANYWHERE:-value-of-token}"}',
      'nodes:',
      '  - {name: j, uses: json.transform, with: {data: "{{ secrets.TOKEN }}", expression: "length(@)"}, output: length}',
      '  - {name: p, uses: json.parse, with: {text: "{{ secrets.TOKEN }}"}, output: parsed}',
      '  - {name: c, uses: csv.parse, with: {text: "a\\n{{ secrets.TOKEN[:5] }}"}, output: table}',
      '  - {name: x, uses: code.execute, with: {code: "token.upper()", input: {token: "{{ secrets.TOKEN }}"}}, output: run}',
      '  - {name: w, uses: file.write, with: {path: token.txt, content: "{{ secrets.TOKEN }}"}}',
    )
    const state = await world.run(text)
    expect(state).toMatchObject({
      length: { result: '[secret:TOKEN]'.length },
      table: { data: [{ a: '[secr' }] },
      run: { return_value: '[SECRET:TOKEN]' },
    })
    expect(JSON.stringify(state)).not.toMatch(/value-|VALUE/)
    expect(readFileSync(join(world.workspace, 'token.txt'), 'utf8')).toBe('value-of-token')
  })

  it('that keep something from run to run keep nothing that a template made of a secret', async () => {
    const text = doc(
      'secrets: {TOKEN: "\\x24{NOT_SET_ANYWHERE:-value-of-token}"}',
      'nodes:',
      '  - {name: m, uses: memory.store, with: {key: k, value: "{{ secrets.TOKEN | upper }}"}, output: a}',
      '  - {name: l, uses: ltm.store, with: {key: k, value: "{{ secrets.TOKEN[1:] }}"}, output: b}',
      '  - {name: v, uses: vector.store, with: {texts: ["{{ secrets.TOKEN | upper }}"]}, output: c}',
      '  - {name: r, uses: memory.retrieve, with: {key: k}, output: d}',
      '  - {name: p, uses: memory.store, with: {key: plain, value: "nothing secret"}, output: e}',
    )
    const refused = { success: false, error_type: 'secret' }
    expect(await world.run(text)).toMatchObject({
      a: refused,
      b: refused,
      c: refused,
      d: { found: false },
      e: { stored: true },
    })
  })

  it('are checked before they run: mistyped and refused ones by name', async () => {
    const problems = await world.problems(
      doc(
        'nodes:',
        '  - {name: a, uses: file.raed, with: {path: x}}',
        '  - {name: b, uses: file.read, with: {pth: x}}',
        '  - {name: c, uses: neo4j.gds_knn}',
        '  - {name: d, uses: json.transform, with: {data: [], expression: a, engine: xpath}}',
      ),
    )
    const told = problems.join('\n')
    for (const part of [
      'Did you mean file.read?',
      '"pth"',
      'would need a Neo4j server',
      '"engine" is not valid',
    ])
      expect(told).toContain(part)
  })
})
