import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { hasTmux, TerminalScreen } from './terminal-screen.ts'

/** Nothing is worked on. */
const idle = /^(?![\s\S]*esc to stop)[\s\S]*\n>\n {2}openai:scripted[^\n]*$/

describe.skipIf(!hasTmux())('a terminal that goes over to another session (needs tmux)', () => {
  let model: ScriptedModel
  let screen: TerminalScreen
  beforeEach(async () => {
    model = await startScriptedModel(({ lastText }) => ({ text: `Heard ${lastText}.` }))
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none' }
    screen = new TerminalScreen(140, 45, env)
    await screen.until('$')
  })
  afterEach(async () => {
    screen.close()
    await model.close()
  })

  it('keeps its own where there is no such one, and says of a fork that files stay', async () => {
    screen.scholium('code --model openai:scripted')
    await screen.until(idle)
    screen.enter('one')
    await screen.until(/Heard one\.[\s\S]*\n>\n/)
    await screen.until(idle)
    screen.enter('/resume nope')
    await screen.until('There is no run "nope".')
    await screen.until(idle)
    screen.enter('/fork 99')
    await screen.until('has no turn 99.')
    await screen.until(idle)
    screen.enter('two')
    const heard = (await screen.until(/Heard two\./)).join('\n')
    expect(heard.match(/There is no run/g)).toHaveLength(1)
    expect(heard).not.toContain('Session nope')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Heard one.')
    await screen.until(idle)
    screen.enter('/resume last')
    const [, own = ''] = /This is session (\S+)\./.exec(
      (await screen.until('This is session')).join('\n'),
    ) ?? ['', '']
    await screen.until(idle)
    screen.enter('/fork 1')
    await screen.until(/Session \S+\. A fork does not restore files: they stay as they are now\./)
    await screen.until(idle)
    screen.enter('three')
    await screen.until(/Heard three\./)
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('Heard two.')
    await screen.until(idle)
    screen.enter(`/resume ${own}`)
    await screen.until(new RegExp(`Session ${own} in ${screen.workspace}`))
    await screen.until(idle)
    screen.press('C-d')
    await screen.until(`scholium code --resume ${own}`)
  }, 90_000)

  it('begins none that is not there, or that works elsewhere than was named', async () => {
    screen.scholium('code --resume nope')
    await screen.until(/There is no run "nope"\.[\s\S]*\n\$$/)
    mkdirSync(join(screen.workspace, 'other'))
    screen.scholium('code --model openai:scripted -p one 2>/dev/null')
    await screen.until('Heard one.')
    screen.enter('cd other')
    screen.scholium('code --resume last')
    await screen.until(/There is no session in \S+other\.[\s\S]*\n\$$/)
    screen.scholium('code --resume last --workspace ..')
    const rows = await screen.until(idle)
    expect(rows.join('\n')).toContain(`folder  ${screen.workspace}\n`)
  }, 90_000)
})
