import { afterAll, describe, expect, it } from 'vitest'
import { CommandLine, jsonOf } from './command.ts'

const cli = new CommandLine()
afterAll(() => cli.remove())

const question = 'What does CRISPR stand for, and who discovered penicillin?'

describe('ask --approve-plan, where nobody sits at a terminal', () => {
  it('shows the plan and waits; resume gives the answer to it', async () => {
    const asked = await cli.run(['ask', '--approve-plan', question])
    expect(asked.exitCode).toBe(3)
    expect(asked.stdout).toBe('')
    const [, runId = ''] = /^Run (\S+)$/m.exec(asked.stderr) ?? []
    expect(asked.stderr).toContain(
      [
        'Plan: research',
        '  1. What does CRISPR stand for?',
        '  2. Who discovered penicillin?',
        'Then',
        '  - Answer from what was found, with its citations.',
        'The run is waiting for you. To continue:',
        `  scholium resume ${runId} --answer approve`,
      ].join('\n'),
    )
    expect(asked.stderr).not.toContain('Error')
    const wrong = await cli.run(['resume', runId, '--answer', '{"research_steps": 3}'])
    expect(wrong.exitCode).toBe(3)
    expect(wrong.stderr).toContain('Invalid answer: ✖ Invalid input: expected array')
    const resumed = await cli.run(['resume', runId, '--answer', 'approve'])
    expect(resumed.exitCode).toBe(0)
    expect(resumed.stdout).toContain('Alexander Fleming discovered penicillin')
    expect(resumed.stderr).toContain('The user approved the plan.')
    const shown = await cli.run(['runs', 'show', runId])
    expect(shown.stdout).toContain('- The user approved the plan\n')
    expect((await cli.run(['replay', runId])).exitCode).toBe(0)
    const bundle = await cli.run(['export', runId, 'plan.scholium'])
    expect(bundle.exitCode).toBe(0)
    expect((await cli.run(['verify', 'plan.scholium'])).exitCode).toBe(0)
  })

  it('takes another plan, and a no', async () => {
    const changed = await cli.run(['ask', '--approve-plan', question, '--json'])
    const { runId, error } = jsonOf(changed)
    expect(error).toMatchObject({ code: 'waiting', details: { prompt: { kind: 'plan' } } })
    expect(error.hint).toMatch(/--answer approve\. Or: refuse;.*"needs" lists/)
    const plan = JSON.stringify({ research_steps: ['Who discovered penicillin?'] })
    const resumed = await cli.run(['resume', runId, '--answer', plan, '--json'])
    expect(jsonOf(resumed)).toMatchObject({
      status: 'answered',
      plan: { researchSteps: ['Who discovered penicillin?'] },
    })
    await cli.run(['ask', '--approve-plan', question])
    const refused = await cli.run(['resume', 'last', '--answer', 'no'])
    expect(refused.exitCode).toBe(3)
    expect(refused.stdout).toMatch(/^The plan was not approved\./)
  })
})

describe('ask about two things', () => {
  it('works on both at once, and says of each what happens', async () => {
    const { exitCode, stderr } = await cli.run(['ask', question])
    expect(exitCode).toBe(0)
    expect(stderr).toMatch(/^Researching 1 of 2: .*\nResearching 2 of 2: .*\n/m)
    expect(stderr).toMatch(/^\(2\) Searched "Who discovered penicillin\?": \d+ passages$/m)
    expect(stderr).toContain('The research of step 2 is approved.')
    const shown = await cli.run(['runs', 'show', 'last'])
    expect(shown.stdout).toMatch(/^- Researched 2 of 2: 1 search, \d+ passages of \d+ sources$/m)
    expect(shown.stdout).toMatch(/^research\[1\] .* 2 tool calls$/m)
    const forked = await cli.run(['fork', 'last', '--at', 'researcher[2]', '--json'])
    expect(forked.exitCode).toBe(0)
    expect(jsonOf(forked).status).toBe('answered')
  })

  it('gives the same answer one after the other', async () => {
    const [first, second] = await Promise.all([
      cli.run(['ask', question, '--json']),
      cli.run(['ask', question, '--json', '--sequential']),
    ])
    const { runId: _one, timings: _time, ...atOnce } = jsonOf(first)
    const { runId: _other, timings: _times, ...inOrder } = jsonOf(second)
    expect(inOrder).toEqual(atOnce)
    expect(second.stderr).not.toContain('of step 2')
  })
})

describe('ask --answer-format', () => {
  it('short gives the bare answer, and what it was made from', async () => {
    const { stdout, exitCode } = await cli.run([
      'ask',
      '--answer-format',
      'short',
      'When did Alexander Fleming discover penicillin?',
    ])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^September 1928\n\nMade from\n"September 1928" \[1\]\.\n/)
    expect(stdout).toMatch(/^\[1\] Penicillin/m)
  })

  it('of another name is refused', async () => {
    const { exitCode, stderr } = await cli.run(['ask', question, '--answer-format', 'tiny'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Invalid value for --answer-format: "tiny".')
  })
})

describe('criteria in scholium.yaml', () => {
  it('are said to have no effect where no language model reads them', async () => {
    cli.write('scholium.yaml', 'criteria:\n  researcher: Reject claims based on a single source.\n')
    const { exitCode, stderr } = await cli.run(['ask', 'Who discovered penicillin?'])
    expect(exitCode).toBe(0)
    expect(stderr).toContain(
      'Warning: extractive does not use criteria: those for the researcher have no effect.',
    )
    cli.write('scholium.yaml', 'criteria:\n  finalizer: Be brief.\n')
    const refused = await cli.run(['ask', 'Who discovered penicillin?'])
    expect(refused.exitCode).toBe(2)
    cli.write('scholium.yaml', '')
  })
})
