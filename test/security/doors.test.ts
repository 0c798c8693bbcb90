import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  findRole,
  type ModelRequestSeen,
  type ScriptedModel,
  type ScriptedReply,
  scriptTeam,
  startScriptedModel,
} from '../../src/testing/index.ts'
import { Editor } from '../acp/editor.ts'
import { nodeProgram } from '../mcp/connected.ts'
import { everyString, someStrings } from './naughty-strings.ts'
import { expectInert, TerminalFace } from './terminal-face.ts'

/** In one text, each on its own. */
const all = someStrings.join('\n\n')
/** For doors that take one string at a time. */
const few = someStrings.filter((_, index) => index < 26 || index % 60 === 0)
/** What can be a word of a command line: no system takes a zero there. */
const words = few.filter((text) => !text.includes('\0'))
const parts = parted(someStrings, 150)

const scripted = ['--model', 'openai-compatible:scripted']
const folder = process.cwd()
const team = scriptTeam()
let reply: (role: string) => ScriptedReply | undefined = () => undefined
let model: ScriptedModel
let face: TerminalFace
beforeAll(async () => {
  model = await startScriptedModel(said)
  face = new TerminalFace({ SCHOLIUM_DEPTH: 'thorough', OPENAI_BASE_URL: model.url })
})
afterAll(async () => {
  process.chdir(folder)
  face.remove()
  await model.close()
})
afterEach(() => {
  reply = () => undefined
  face.expectNothingElse()
})

function said(seen: ModelRequestSeen) {
  if (seen.tools.includes('bash')) return reply('code') ?? { text: 'Done.' }
  return reply(findRole(seen)) ?? team(seen)
}

/**
 * Every door that takes text, and what holds of it besides what {@link TerminalFace.run} looks at each time: a new door is one line.
 */
const doors: Readonly<Record<string, () => Promise<unknown>>> = {
  'a question': async () => {
    const { question } = await face.json(['ask', '-'], { stdin: all })
    expect(seen(question)).toBe(seen(all))
    for (const text of words.slice(0, 12)) await face.run(['ask', '--', text])
  },
  'the record of a question': async () => {
    await face.run(['ask', '-'], { stdin: all })
    for (const command of [
      'runs list',
      'runs show last',
      'trace show last',
      'trace stats',
      'trace export last',
      'replay last',
      'runs list --json',
      'trace show last --json',
    ])
      await face.run(command.split(' '))
  },
  'a source, its title and its file name': async () => {
    for (const [index, text] of someStrings.entries()) {
      const name = text.replaceAll(/[/\0]/g, '_').toWellFormed().slice(0, 60).trim()
      const title = JSON.stringify(text)
      face.write(
        `sources/${index}${name}.md`,
        `---\ntitle: ${title}\nauthor: ${title}\n---\n\n# ${text}\n\nGlimmerstone ${index} melts at ${index} degrees. ${text}\n`,
      )
    }
    await face.run(['library', 'add', 'sources'])
    await face.run(['library', 'list'])
    expect(await face.json(['library', 'list'])).toHaveLength(someStrings.length)
    await face.run(['ask', 'At how many degrees does Glimmerstone 9 melt?'])
    for (const format of ['html', 'bibtex']) await face.run(['references', '--format', format])
  },
  'a long source': async () => {
    face.write('long/long.txt', `${everyString.join('\n\n')}\n\nThe Zyzzyva is a weevil.`)
    await face.run(['ask', 'What is the Zyzzyva?', '--source', 'long'])
    const { answer } = await face.json(['ask', 'What is the Zyzzyva?', '--source', 'long'])
    expect(answer).toContain('The Zyzzyva is a weevil')
  },
  'a search': async () => {
    const long = all.replaceAll('\0', '').slice(0, 5_000)
    for (const text of [long, ...words]) await face.run(['library', 'search', '--', text])
  },
  'an answer of a model': async () => {
    const known = 'Glimmerstone melts at 412 degrees'
    face.write('one/one.md', `${known}.`)
    for (const part of parts) {
      const text = `${known} [1].\n\n${part.join(' [1].\n\n')} [1].`
      reply = (role) =>
        role === 'finalizer'
          ? { json: { final_answer: text, final_reasoning_trace: text } }
          : undefined
      const { stdout } = await face.run(['ask', `${known}?`, '--source', 'one', ...scripted])
      expect(stdout).toContain(`${known} [1]`)
      expect(stdout.length).toBeGreaterThan(text.length / 2)
      await face.run(['runs', 'show', 'last'])
    }
    const [part = []] = parts
    reply = (role) =>
      role === 'planner' ? { json: { research_steps: part.slice(0, 2) } } : { text: all }
    await face.run(['ask', 'What is it?', ...scripted])
  },
  'a bundle and its name': async () => {
    await face.run(['export', 'last', 'answer.scholium'])
    expect(await face.json(['verify', 'answer.scholium'])).toMatchObject({ isSound: true })
    for (const text of words) await face.run(['verify', '--expect', text, 'answer.scholium'])
  },
  'the input of an agent file, and an answer to it': async () => {
    face.write('input.json', JSON.stringify({ strings: everyString }))
    face.write(
      'echo.yaml',
      'name: echo\nnodes: [{name: a, uses: core.return, with: {value: "{{ state.strings }}"}, goto: __end__}]\n',
    )
    const { output } = await face.json(['run', 'echo.yaml', '--input', '@input.json'])
    expect(output).toEqual(everyString)
    for (const view of [[], ['--state'], ['--events']])
      await face.run(['runs', 'show', 'last', ...view])
    for (const text of words) await face.run(['run', 'echo.yaml', `strings=${text}`])
    await face.run(['run', 'echo.yaml', '--interrupt-before', 'a'])
    for (const text of words) await face.run(['resume', 'last', '--answer', text])
    const told = ['--answer', JSON.stringify({ strings: someStrings })]
    expect(await face.json(['resume', 'last', ...told])).toMatchObject({ output: someStrings })
  },
  'what stands in an agent file': async () => {
    const value = JSON.stringify(someStrings.map(plainText))
    face.write(
      'said.yaml',
      `name: said\ndescription: ${JSON.stringify(all)}\ninitial_state: {strings: ${value}}\nnodes: [{name: a, description: ${JSON.stringify(few[4])}, uses: core.return, with: {value: "{{ state.strings }}"}, goto: __end__}]\n`,
    )
    const { output } = await face.json(['run', 'said.yaml'])
    expect(output).toEqual(someStrings.map(plainText))
    for (const format of ['mermaid', 'dot', 'json'])
      await face.run(['inspect', 'said.yaml', '--format', format])
    for (const text of few) {
      const quoted = JSON.stringify(text)
      face.write('bad.yaml', text)
      face.write(
        'named.yaml',
        `name: ${quoted}\nnodes: [{name: ${quoted}, uses: ${quoted}, with: {value: ${quoted}}, goto: ${quoted}}]\n`,
      )
      await face.run(['validate', 'bad.yaml', 'named.yaml'])
    }
  },
  references: async () => {
    const items = someStrings.map((text, index) => ({
      id: `id${index}`,
      type: 'article-journal',
      title: text,
      author: [{ family: text, given: text }, { literal: text }],
      'container-title': text,
      URL: text,
      DOI: text,
      note: text,
    }))
    face.write('items.json', JSON.stringify(items))
    for (const format of ['html', 'bibtex', 'ris', 'csl']) {
      const { stdout } = await face.run(['references', 'items.json', '--format', format])
      if (format === 'html') expectInert(`<body>${stdout}</body>`, '')
      if (format === 'bibtex') face.write('again.bib', stdout)
    }
    await face.run(['references', 'again.bib', '--format', 'ris'])
    for (const part of [...parts, ...few.map((text) => [text])]) {
      const entries = part.map((text) => `@article{${text}, title = {${text}}, author = "${text}"}`)
      face.write('some.bib', `${entries.join('\n')}\n@book{b, title={B}}`)
      await face.run(['references', 'some.bib', '--format', 'csl'])
    }
  },
  'a report to be verified': async () => {
    const listed = someStrings.map((text, index) => `[${index + 1}] ${text}`)
    face.write('report.md', `# ${all}\n\n## References\n\n${listed.join('\n')}\n`)
    await face.run(['verify', 'report.md'])
    await face.json(['verify', 'report.md'])
  },
  'a set of questions': async () => {
    const lines = few.slice(0, 12).map((text) => ({ id: text, question: text, answer: text }))
    face.write('set.jsonl', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n${all}\n`)
    await face.run(['eval', 'set.jsonl'])
    face.write('plain.jsonl', '{"id": "a", "question": "What is 6 * 7?", "answer": "42"}\n')
    await face.run(['eval', 'plain.jsonl'])
    expectInert(face.read('eval-set/report.html'), face.read('eval-plain/report.html'))
  },
  'a query for papers, and its report': async () => {
    const papers = ['papers', '--source', 'sources', '-n', '3', '--report']
    await face.run([...papers, 'report.html', '--', words.join(' ').slice(0, 900)])
    await face.run([...papers, 'plain.html', '--matrix', 'm.csv', '--references', 'p.bib', 'Stone'])
    expectInert(face.read('report.html'), face.read('plain.html'))
  },
  settings: async () => {
    for (const text of few) {
      const quoted = JSON.stringify(text)
      face.write('settings.yaml', text)
      await face.run(['config', '--config', 'settings.yaml'])
      face.write('settings.yaml', `models: {default: ${quoted}}\n${quoted}: ${quoted}\n`)
      await face.run(['config', '--config', 'settings.yaml', '--json'])
    }
  },
  'any word of the command line': async () => {
    for (const text of words)
      for (const args of [
        [text],
        ['runs', 'show', text],
        ['ask', 'Who?', '--source', text],
        ['trace', 'show', text, '--session', text],
        ['library', 'remove', text],
        ['run', text],
        ['runs', 'list', '--since', text],
        ['models', '--model', text],
        ['verify', '--', text],
      ])
        await face.run(args)
  },
  'a task for the coding agent, and what its model says and calls': async () => {
    const calls = few.flatMap((text) => [
      { name: 'read', input: { path: text } },
      { name: 'grep', input: { pattern: text } },
      { name: 'write', input: { path: text, content: text } },
      { name: 'bash', input: { command: text } },
    ])
    const replies: ScriptedReply[] = parted(calls, 30).map((toolCalls) => ({ toolCalls }))
    replies.push({ text: all })
    reply = () => replies.shift()
    await face.run(['code', '-p', '-', ...scripted], { stdin: all })
    expect(replies).toEqual([])
    for (const text of words.slice(0, 6)) await face.run(['code', ...scripted, '-p', `/${text}`])
  },
  'a prompt of an editor, and what the model says': async () => {
    const editor = new Editor()
    try {
      editor.script = () => ({ text: all })
      await editor.start()
      await editor.prompt(await editor.open(), all)
      // What would load something is shown as text.
      const plain = all.split('\n').filter((line) => /^[\w ,.:/]*$/.test(line))
      expect(editor.said('agent_message_chunk').split('\n')).toEqual(expect.arrayContaining(plain))
    } finally {
      await editor.close()
    }
  },
  'tools of an MCP server, and what they are given': async () => {
    const given = JSON.stringify({ strings: someStrings })
    face.write('strings.json', JSON.stringify(someStrings))
    const server = nodeProgram('../security/naughty-server.ts', join(face.folder, 'strings.json'))
    face.write('.mcp.json', JSON.stringify({ mcpServers: { naughty: { ...server, trust: true } } }))
    face.write(
      'mcp.yaml',
      'name: mcp\nnodes: [{name: a, uses: naughty.strings, with: {strings: "{{ state.strings }}"}, output: said, goto: __end__}]\n',
    )
    face.write('input.json', given)
    await face.run(['run', 'mcp.yaml', '--mcp', '--input', '@input.json'])
    expect(face.read('strings.json.given')).toBe(given)
    reply = (role) =>
      role === 'researcher' ? { toolCalls: [{ name: 'naughty_strings', input: {} }] } : undefined
    await face.run(['ask', 'What is it?', ...scripted, '--mcp', '--max-steps', '12'])
    expect(face.read('strings.json.given')).toBe('{}')
  },
}

function parted<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, at * size + size))
}

/** What is kept of a question: what steers terminals is left out. */
function seen(text: string): string {
  return text.toWellFormed().replaceAll(/[\p{Cc}\s]+/gu, '')
}

/** A text in which no template begins. */
function plainText(text: string): string {
  return text.replaceAll(/\{(?=[{%#])|\$(?=\{)/g, '')
}

describe(`${everyString.length} strings do no harm as`, () => {
  it.each(Object.entries(doors))(
    '%s',
    async (_door, enter) => {
      await enter()
    },
    300_000,
  )
})
