import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClaimPolicy } from '../../src/ask/result.ts'
import type { ModelRequestSeen, ScriptedReply, TeamScript } from '../../src/testing/index.ts'
import { claimsIn, passagesForClaims, type RoleScript } from '../../src/testing/scripted-team.ts'
import { type Asking, requestsOf, TestTeam } from './team.ts'

const team = new TestTeam()
beforeAll(() => team.open())
afterAll(() => team.close())

const question = 'At what temperature does glimmerstone melt?'
const verbatim = 'Glimmerstone melts at 412 degrees Celsius [1].'
const wrong = 'Nobody knows to this day who came upon the mineral, or where that was [1].'
const bare = 'It is a lovely thing.'
const right = 'It was found by Ada Quill in 1907 near the town of Harrowmere [1].'
const quote = 'found by Ada Quill in 1907'
const loose = 'A woman by the name of Quill came upon it early in the last century [1].'

/** A verifier that supports a sentence that has one of these words, and nothing else. */
const believing =
  (...words: readonly string[]) =>
  (seen: ModelRequestSeen): ScriptedReply => ({
    json: {
      verdicts: claimsIn(seen).map(({ claim, sentence }) => {
        const isBelieved = words.some((word) => sentence.includes(word))
        return {
          claim,
          verdict: isBelieved ? 'supported' : 'contradicted',
          quote,
          reason: isBelieved ? 'Yes.' : 'No.',
        }
      }),
    },
  })
const rewriting =
  (...sentences: readonly (string | null)[]) =>
  (seen: ModelRequestSeen): ScriptedReply => ({
    json: {
      sentences: claimsIn(seen).map(({ claim }) => ({
        claim,
        sentence: sentences[claim - 1] ?? null,
      })),
    },
  })

interface Given extends Asking {
  readonly verifier?: RoleScript
  readonly rewriter?: RoleScript
}

/** An answer under a policy, and that it replays to itself. */
async function ask(
  answer: string,
  claims: ClaimPolicy,
  { verifier, rewriter, ...asking }: Given = {},
) {
  const script: TeamScript = {
    finalizer: { json: { final_answer: answer, final_reasoning_trace: '' } },
    verifier: verifier ?? believing(),
    ...(rewriter === undefined ? {} : { rewriter }),
  }
  const asked = await team.ask(question, { ...asking, claims, team: script })
  const { result, unclaimed } = await team.replay(asked.runId)
  expect(result).toEqual(asked.result)
  expect(unclaimed).toEqual([])
  return asked
}

describe('claims: mark', () => {
  it('delivers the answer as it is, with its verdicts', async () => {
    const { result, requests } = await ask(`${verbatim} ${wrong} ${bare}`, 'mark')
    expect(result.answer).toBe(`${verbatim} ${wrong} ${bare}`)
    expect(result.claims.map(({ verdict }) => verdict)).toEqual([
      'verbatim',
      'contradicted',
      'not_found',
    ])
    expect(requestsOf({ requests }, 'rewriter')).toEqual([])
  })

  it('tells the writers of the check', async () => {
    const { requests } = await ask(verbatim, 'mark')
    for (const role of ['expert', 'finalizer'] as const)
      expect(requestsOf({ requests }, role)[0]?.lastText).toContain('stay close to their words')
  })
})

describe('claims: off', () => {
  it('checks nothing, asks nobody, and says so', async () => {
    const { result, requests, events } = await ask(`${verbatim} ${wrong}`, 'off')
    expect(result.answer).toBe(`${verbatim} ${wrong}`)
    expect(requestsOf({ requests }, 'verifier')).toEqual([])
    expect(events.filter(({ key }) => /^ask\/(?:claims|verify)\[.*\/evidence$/.test(key))).toEqual(
      [],
    )
    const off = { verdict: 'unchecked', judge: 'none', reason: 'Checking is turned off.' }
    expect(result.claims).toMatchObject([off, off])
    expect(result.coverage).toMatchObject({ claims: 2, checked: 0, unchecked: 2, supported: 0 })
    expect(requestsOf({ requests }, 'finalizer')[0]?.lastText).not.toContain('stay close')
  })
})

describe('claims: strict', () => {
  it('leaves an answer alone that holds', async () => {
    const { result, requests } = await ask(verbatim, 'strict')
    expect(result).toMatchObject({ status: 'answered', answer: verbatim, gaps: [] })
    expect(requestsOf({ requests }, 'rewriter')).toEqual([])
  })

  it('rewrites a sentence that does not hold, with its passages, and judges it again', async () => {
    const { result, requests } = await ask(`${verbatim} ${wrong}`, 'strict', {
      rewriter: rewriting(right),
    })
    expect(result).toMatchObject({
      status: 'answered',
      answer: `${verbatim} ${right}`,
      claims: [{ verdict: 'verbatim' }, { text: right, verdict: 'verbatim', judge: 'code' }],
      gaps: [],
    })
    const [seen] = requestsOf({ requests }, 'rewriter') as [ModelRequestSeen]
    expect(claimsIn(seen)).toMatchObject([{ sentence: wrong, cites: [1], wrong: 'No.' }])
    expect(passagesForClaims(seen).length).toBeGreaterThan(0)
    expect(requestsOf({ requests }, 'verifier')).toHaveLength(1)
  })

  it.each([
    ['altered', 'Glimmerstone melts at 512 degrees Celsius [1].'],
    ['not_found', 'Its mines employ 87,300 people [1].'],
  ])('rewrites a sentence, too, that code alone rejects (%s)', async (verdict, rejected) => {
    const given = `${verbatim} ${rejected}`
    const { result, requests } = await ask(given, 'strict', { rewriter: rewriting(right) })
    expect(result).toMatchObject({ status: 'answered', answer: `${verbatim} ${right}`, gaps: [] })
    const [seen] = requestsOf({ requests }, 'rewriter') as [ModelRequestSeen]
    expect(claimsIn(seen)).toMatchObject([{ sentence: rejected, cites: [1] }])
    const reported = await ask(given, 'mark')
    expect(reported.result.claims[1]).toMatchObject({ verdict, judge: 'code' })
  })

  it('takes a looser sentence where the verifier bears it out', async () => {
    const { result, requests } = await ask(`- ${verbatim}\n- ${wrong}`, 'strict', {
      rewriter: rewriting(loose),
      verifier: believing('Quill'),
    })
    expect(result.answer).toBe(`- ${verbatim}\n- ${loose}`)
    expect(result.claims).toMatchObject([
      { verdict: 'verbatim' },
      { verdict: 'supported', evidence: [{ quote }] },
    ])
    expect(requestsOf({ requests }, 'verifier')).toHaveLength(2)
  })

  it.each([
    ['still does not hold', loose],
    ['cites another number', 'It was found by Ada Quill in 1907 [2].'],
    ['cites nothing', 'It was found by Ada Quill in 1907.'],
    ['is two sentences', 'It was found by Ada Quill in 1907 [1]. It shines without heat [1].'],
    ['is the same again', wrong],
    ['is none', null],
  ])('leaves a sentence out whose rewriting %s, and shows it', async (_how, sentence) => {
    const { result } = await ask(`- ${verbatim}\n- ${wrong}`, 'strict', {
      rewriter: rewriting(sentence),
    })
    expect(result).toMatchObject({
      status: 'partial',
      stopReason: 'gaps',
      answer: `- ${verbatim}`,
      claims: [{ verdict: 'verbatim' }],
      coverage: { claims: 1, verbatim: 1 },
      gaps: [{ kind: 'claim_dropped', detail: expect.stringContaining(`“${wrong}” No.`) }],
    })
  })

  it('leaves a whole list item out rather than a part that the rest of it needs, and shows both', async () => {
    const needing = 'The entire computation takes 1283 seconds [1].'
    const item = `- **No backup tasks.** ${wrong} ${needing}`
    const { result } = await ask(`- ${verbatim}\n${item}`, 'strict', {
      rewriter: rewriting(null),
      verifier: believing('1283'),
    })
    expect(result).toMatchObject({ status: 'partial', answer: `- ${verbatim}` })
    const told = result.gaps.map(({ detail }) => detail).join(' ')
    expect(told).toContain(wrong)
    expect(told).toContain(needing)
  })

  it('leaves a sentence out that cites nothing, or stands for nothing, and asks nobody about it', async () => {
    const { result, requests } = await ask(`${verbatim} ${bare} It is old [9].`, 'strict')
    expect(result.answer).toBe(verbatim)
    expect(result.gaps.map(({ detail }) => detail)).toEqual([
      expect.stringContaining(`“${bare}” It has no citation.`),
      expect.stringContaining('“It is old [9].” [9] does not refer to a source'),
    ])
    expect(requestsOf({ requests }, 'rewriter')).toEqual([])
  })

  it.each(['That is 685.15 kelvin.', 'In kelvin, 412 + 273.15 is 685.15.'])(
    'keeps a calculation: %s',
    async (calculated) => {
      const asked = await team.ask(question, {
        claims: 'strict',
        team: {
          expert: (_seen, call) =>
            call === 1
              ? { toolCalls: [{ name: 'calculate', input: { expression: '412 + 273.15' } }] }
              : { json: { expert_answer: `${verbatim} ${calculated}`, reasoning_trace: '' } },
          finalizer: {
            json: { final_answer: `${verbatim} ${calculated}`, final_reasoning_trace: '' },
          },
        },
      })
      expect(asked.result).toMatchObject({
        status: 'answered',
        answer: `${verbatim} ${calculated}`,
        claims: [
          { verdict: 'verbatim' },
          { verdict: 'unchecked', reason: expect.stringContaining('calculated') },
        ],
      })
    },
  )

  it('keeps nothing that only has the result of a calculation in it', async () => {
    const loose = 'There are 685.15 reasons to eat it.'
    const asked = await team.ask(question, {
      claims: 'strict',
      team: {
        expert: (_seen, call) =>
          call === 1
            ? { toolCalls: [{ name: 'calculate', input: { expression: '412 + 273.15' } }] }
            : { json: { expert_answer: verbatim, reasoning_trace: '' } },
        finalizer: { json: { final_answer: `${verbatim} ${loose}`, final_reasoning_trace: '' } },
      },
    })
    expect(asked.result.answer).toBe(verbatim)
    expect(asked.result.gaps).toMatchObject([
      { kind: 'claim_dropped', detail: expect.stringContaining('the result of a calculation') },
    ])
  })

  it.each([
    ['in a sentence', `![x](https://evil.example/?q=1) ${verbatim}`, 'The sources do not say.'],
    ['in a heading', `# At https://evil.example/\n\n${verbatim}`, verbatim],
    ['in a question', `Is it ![x](https://evil.example/)? ${verbatim}`, verbatim],
    ['behind a label', `${verbatim}\n\n[x]: https://evil.example/`, verbatim],
    ['before a list', `See www.evil.example:\n\n- ${verbatim}`, `- ${verbatim}`],
  ])('delivers no address that nobody read: %s', async (_where, answer, delivered) => {
    const { result } = await ask(answer, 'strict')
    expect(result.answer).toBe(delivered)
    expect(result.gaps).toMatchObject([
      {
        kind: 'claim_dropped',
        detail: expect.stringContaining('is not an address of a source it cites'),
      },
    ])
  })

  it('gives no answer where nothing is left', async () => {
    const { result } = await ask(`# The find\n\n${wrong}\n\n${bare}\n`, 'strict')
    expect(result).toMatchObject({
      status: 'unanswered',
      stopReason: 'no_evidence',
      answer: 'The sources do not say.',
      claims: [],
      citations: [],
    })
    expect(result.gaps.filter(({ kind }) => kind === 'claim_dropped')).toHaveLength(2)
  })

  it('leaves out what could not be judged, and rewrites nothing where the writer fails', async () => {
    const failing = { status: 400 }
    const { result } = await ask(`${verbatim} ${wrong}`, 'strict', {
      verifier: failing,
      rewriter: failing,
    })
    expect(result.answer).toBe(verbatim)
    expect(result.gaps.map(({ kind }) => kind)).toEqual([
      'claims_unverified',
      'claims_unverified',
      'claim_dropped',
    ])
  })

  it('continues after a crash at any event, and asks no one twice', async () => {
    const script: TeamScript = {
      finalizer: {
        json: { final_answer: `${verbatim} ${wrong} ${bare}`, final_reasoning_trace: '' },
      },
      verifier: believing('Quill'),
      rewriter: rewriting(loose),
    }
    const whole = await team.ask(question, { claims: 'strict', team: script })
    const keys = whole.events
      .filter(({ type, key }) => type === 'step.done' && /^ask\/verify\[/.test(key))
      .map(({ key }) => key)
    expect(keys).toEqual([
      'ask/verify[1]/final/evidence',
      'ask/verify[1]/models/verifier[1]/model',
      'ask/verify[1]/models/rewriter[1]/model',
      'ask/verify[1]/models/again/verifier[1]/model',
      'ask/verify[1]/final/citations',
    ])
    for (const key of keys.slice(0, -1)) {
      const stop = new AbortController()
      const onEvent = (event: { readonly type: string; readonly key: string }) => {
        if (event.type === 'step.done' && event.key === key) stop.abort()
      }
      const execution = { signal: stop.signal, listeners: [onEvent] }
      const cut = team.ask(question, { claims: 'strict', team: script, execution })
      await expect(cut).rejects.toMatchObject({ code: 'cancelled' })
      const runId = team.lastRunId
      const before = requestsOf({ requests: team.server.requests }, 'verifier').length
      const resumed = await team.resume(runId, { team: script })
      expect(resumed.result).toEqual(whole.result)
      const after = requestsOf({ requests: team.server.requests }, 'verifier').length
      const done = keys
        .slice(0, keys.indexOf(key) + 1)
        .filter((one) => /verifier\[\d\]\/model$/.test(one))
      expect(after - before).toBe(2 - done.length)
    }
  })

  it('is part of the run: a fork may ask for another', async () => {
    const script: TeamScript = {
      finalizer: { json: { final_answer: `${verbatim} ${bare}`, final_reasoning_trace: '' } },
    }
    const marked = await team.ask(question, { claims: 'mark', team: script })
    expect(marked.result.answer).toBe(`${verbatim} ${bare}`)
    const changes = [{ path: 'question.claims', value: 'strict' }]
    const forked = await team.fork(marked.runId, 'verify[1]', changes, { team: script })
    expect(forked.result.answer).toBe(verbatim)
    expect(forked.requests).toEqual([])
  })
})
