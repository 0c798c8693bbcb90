import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  roleOf,
  type ScriptedModel,
  type ScriptedReply,
  scriptTeam,
  startScriptedModel,
} from '../../src/testing/index.ts'
import { nodeProgram } from '../mcp/connected.ts'
import { hasData, naughtyStrings } from './naughty-strings.ts'
import { expectInert, TerminalFace } from './terminal-face.ts'

const strings = naughtyStrings()
/** In one text, each on its own. */
const all = strings.join('\n\n')
/** For doors that take one string at a time and start something each time. */
const some = strings.filter((_, index) => index < 30 || index % 20 === 0)
/** What can be a word of a command line: no system takes a zero there. */
const words = some.filter((text) => !text.includes('\0'))
/** Of a question what steers terminals is left out. */
const cleaned = (text: string) => text.toWellFormed().replaceAll(/[\p{Cc}\s]+/gu, '')

let model: ScriptedModel
let reply: (role: string) => ScriptedReply | undefined = () => undefined
let face: TerminalFace
beforeAll(async () => {
  const team = scriptTeam()
  model = await startScriptedModel((seen) => {
    const role = seen.system.startsWith('You are the coding agent') ? 'code' : roleFor(seen)
    return reply(role) ?? (role === 'other' ? { text: 'Done.' } : team(seen))
  })
  face = new TerminalFace({ OPENAI_BASE_URL: model.url })
})
const folder = process.cwd()
afterAll(async () => {
  face.expectNothingElse()
  process.chdir(folder)
  face.remove()
  await model.close()
})

function roleFor(seen: Parameters<typeof roleOf>[0]): string {
  try {
    return roleOf(seen)
  } catch {
    return 'other'
  }
}

const scripted = ['--model', 'openai-compatible:scripted']

/** Each door of the command line that takes a text, and what is held of it beside what holds of all: a new door is one line. */
const doors: Readonly<Record<string, () => Promise<unknown>>> = {
  'a question': async () => {
    const { question } = await face.json(['ask', '-'], { stdin: all })
    expect(question.length).toBeGreaterThan(all.length / 2)
    expect(cleaned(all)).toContain(cleaned(question))
    await face.run(['ask', '-'], { stdin: all })
    for (const text of words.slice(0, 20)) await face.run(['ask', '--', text])
  },
  'the record of a question': async () => {
    for (const command of [
      'runs list',
      'runs show last',
      'trace show last',
      'trace stats',
      'trace export last',
      'replay last',
    ])
      await face.run(command.split(' '))
    for (const command of ['runs list', 'runs show last', 'trace show last'])
      await face.json(command.split(' '))
  },
  'a source, its title and its file name': async () => {
    strings.forEach((text, index) => {
      const name = text.replaceAll(/[/\0]/g, '_').toWellFormed()
      const cut = Buffer.from(name).subarray(0, 120).toString().replaceAll('\ufffd', '').trim()
      face.write(
        `sources/${index}${cut}.md`,
        `---\ntitle: ${JSON.stringify(text)}\nauthor: ${JSON.stringify(text)}\n---\n\n# ${text}\n\nGlimmerstone ${index} melts at ${index} degrees. ${text}\n`,
      )
    })
    await face.run(['library', 'add', 'sources'])
    await face.run(['library', 'list'])
    const listed = await face.json(['library', 'list'])
    expect(JSON.stringify(listed)).toContain('sources')
    const answer = await face.json([
      'ask',
      'At how many degrees does Glimmerstone 7 melt?',
      '--source',
      'sources',
    ])
    expect(answer.schema).toBe('scholium.answer/1')
    await face.run(['ask', 'At how many degrees does Glimmerstone 9 melt?', '--source', 'sources'])
    for (const format of ['text', 'markdown', 'html', 'bibtex', 'ris', 'csl'])
      await face.run(['references', 'library', '--format', format])
  },
  'a search': async () => {
    await face.run(['library', 'search', '--', all.replaceAll('\0', '').slice(0, 5_000)])
    for (const text of words.slice(0, 20)) await face.run(['library', 'search', '--', text])
  },
  'an answer of a model': async () => {
    for (const [index, part] of chunks(strings, 100).entries()) {
      const text = part.join('\n\n')
      const said: Readonly<Record<string, ScriptedReply>> = {
        planner: { json: { research_steps: part.slice(0, 2), expert_steps: part.slice(2, 4) } },
        finalizer: { json: { final_answer: text, final_reasoning_trace: text } },
        expert: { json: { expert_answer: text, reasoning_trace: text } },
      }
      reply = (role) => (index === 0 || role !== 'planner' ? said[role] : undefined)
      await face.run([
        'ask',
        'What is it?',
        ...scripted,
        '--claims',
        index % 2 === 0 ? 'mark' : 'strict',
      ])
      const shown = await face.run(['runs', 'show', 'last'])
      expect(shown.stdout).not.toBe('')
    }
    reply = () => ({ text: all })
    await face.run(['ask', 'What is it?', ...scripted])
    reply = () => undefined
  },
  'a bundle and its name': async () => {
    await face.run(['export', 'last', 'answer.scholium'])
    const { isSound } = await face.json(['verify', 'answer.scholium'])
    expect(isSound).toBe(true)
    for (const text of words.slice(0, 15)) {
      await face.run(['verify', '--expect', text, 'answer.scholium'])
      await face.run(['verify', '--', text])
    }
  },
  'an agent file and its input': async () => {
    face.write('input.json', JSON.stringify({ strings }))
    face.write(
      'echo.yaml',
      'name: echo\nnodes: [{name: a, uses: core.return, with: {value: "{{ state.strings }}"}, goto: __end__}]\n',
    )
    const { output } = await face.json(['run', 'echo.yaml', '--input', '@input.json'])
    expect(output).toEqual(strings)
    await face.run(['run', 'echo.yaml', '--input', '@input.json'])
    for (const text of words) await face.run(['run', 'echo.yaml', `strings=${text}`])
    const value = JSON.stringify(
      strings.map((text) => text.replaceAll(/\{(?=[{%#])|\$(?=\{)/g, '')),
    )
    face.write(
      'said.yaml',
      `name: said\ndescription: ${JSON.stringify(strings[0])}\ninitial_state: {strings: ${value}}\nnodes: [{name: a, description: ${JSON.stringify(strings[4])}, uses: core.return, with: {value: "{{ state.strings | length }}"}, goto: __end__}]\n`,
    )
    await face.run(['run', 'said.yaml'])
    for (const format of ['mermaid', 'dot', 'json'])
      await face.run(['inspect', 'said.yaml', '--format', format])
  },
  'an agent file that is no agent file': async () => {
    for (const [index, text] of some.entries()) {
      const name = face.write(`bad/${index}.yaml`, text)
      await face.run(['validate', name])
      face.write(
        `bad/named-${index}.yaml`,
        `name: ${JSON.stringify(text)}\nnodes: [{name: ${JSON.stringify(text)}, uses: ${JSON.stringify(text)}, with: {value: ${JSON.stringify(text)}}, goto: ${JSON.stringify(text)}}]\n`,
      )
      await face.run(['validate', `bad/named-${index}.yaml`, '--json'])
    }
  },
  references: async () => {
    const items = strings.map((text, index) => ({
      id: text || `id${index}`,
      type: 'article-journal',
      title: text,
      author: [{ family: text, given: text }, { literal: text }],
      'container-title': text,
      URL: text,
      DOI: text,
      note: text,
    }))
    for (const [index, part] of chunks(items, 150).entries()) {
      face.write(`items-${index}.json`, JSON.stringify(part))
      for (const format of index === 0
        ? ['text', 'markdown', 'html', 'bibtex', 'ris', 'csl']
        : ['html', 'bibtex']) {
        const { stdout } = await face.run(['references', `items-${index}.json`, '--format', format])
        if (format === 'html') expectInert(`<body>${stdout}</body>`, '')
        if (format === 'bibtex') face.write(`again-${index}.bib`, stdout)
      }
      await face.run(['references', `again-${index}.bib`])
    }
    for (const [index, text] of some.entries()) {
      face.write(
        `some-${index}.bib`,
        `@article{a, title = {${text}}, author = "${text}"}\n${text}\n@book{b, title={B}}`,
      )
      await face.run(['references', `some-${index}.bib`])
    }
  },
  'a report to be verified': async () => {
    face.write(
      'report.md',
      `# ${strings[0]}\n\n${all}\n\n## References\n\n${strings.map((text, index) => `[${index + 1}] ${text}`).join('\n')}\n`,
    )
    await face.run(['verify', 'report.md', '--source', 'sources'])
    await face.json(['verify', 'report.md', '--source', 'sources'])
  },
  'a set of questions': async () => {
    const lines = some
      .slice(0, 12)
      .map((text, index) =>
        JSON.stringify({ id: `${index} ${text}`, question: `What is ${text}?`, answer: text }),
      )
    face.write('set.jsonl', `${lines.join('\n')}\n${some.join('\n')}\n`)
    await face.run(['eval', 'set.jsonl'])
    face.write('plain.jsonl', '{"id": "a", "question": "What is 6 * 7?", "answer": "42"}\n')
    await face.run(['eval', 'plain.jsonl'])
    expectInert(face.read('eval-set/report.html'), face.read('eval-plain/report.html'))
  },
  'a query for papers, and its report': async () => {
    await face.run([
      'papers',
      '--source',
      'sources',
      '--report',
      'report.html',
      '-n',
      '3',
      '--',
      words.slice(0, 40).join(' ').slice(0, 1_000),
    ])
    await face.run([
      'papers',
      'Glimmerstone',
      '--source',
      'sources',
      '--report',
      'plain.html',
      '--matrix',
      'matrix.csv',
      '--references',
      'papers.bib',
    ])
    for (const file of readdirSync(face.folder).filter((name) =>
      /^(?:report|plain)\.html$/.test(name),
    ))
      expectInert(face.read(file), face.read('plain.html'))
  },
  settings: async () => {
    for (const [index, text] of some.entries()) {
      face.write(
        'settings.yaml',
        index % 2 === 0
          ? text
          : `models: {default: ${JSON.stringify(text)}}\nlimits: {max_steps: ${JSON.stringify(text)}}\n${JSON.stringify(text)}: 1\n`,
      )
      await face.run(['config', '--config', 'settings.yaml'])
      await face.run(['config', '--config', 'settings.yaml', '--json'])
    }
    for (const text of words) await face.run(['models', '--model', text])
  },
  'any word of the command line': async () => {
    for (const text of words)
      for (const args of [
        [text],
        ['runs', 'show', text],
        ['resume', text],
        ['ask', 'Who?', '--source', text],
        ['trace', 'show', text, '--session', text],
        ['library', 'remove', text],
        ['run', text],
        ['runs', 'list', '--since', text],
      ])
        await face.run(args)
  },
  'a task for the coding agent, its commands and what the model says': async () => {
    let turn = 0
    const calls = chunks(some, 6).map(
      (part): ScriptedReply => ({
        toolCalls: part.flatMap((text) => [
          { name: 'read', input: { path: text } },
          { name: 'grep', input: { pattern: text } },
          { name: 'write', input: { path: text, content: text } },
          { name: 'bash', input: { command: text } },
        ]),
      }),
    )
    reply = () => (turn < calls.length ? calls[turn++] : { text: all })
    const { stdout } = await face.run(
      ['code', '-p', '-', ...scripted, '--iterations', '40', '--deny', 'bash', '--deny', 'write'],
      { stdin: all.slice(0, 100_000) },
    )
    expect(stdout).not.toBe('')
    reply = () => ({ text: all.slice(0, 20_000) })
    for (const text of words.slice(0, 15)) await face.run(['code', ...scripted, '-p', `/${text}`])
    reply = () => undefined
  },
  'tools of an MCP server': async () => {
    face.write('strings.json', JSON.stringify(strings))
    const server = nodeProgram('../security/naughty-server.ts', join(face.folder, 'strings.json'))
    face.write('.mcp.json', JSON.stringify({ mcpServers: { naughty: { ...server, trust: true } } }))
    await face.run(['doctor', '--mcp'])
    face.write(
      'mcp.yaml',
      'name: mcp\nnodes: [{name: a, uses: naughty.strings, with: {}, output: said}, {name: b, uses: core.return, with: {value: "{{ state.said }}"}, goto: __end__}]\n',
    )
    await face.run(['run', 'mcp.yaml', '--mcp'])
    reply = (role) =>
      role === 'researcher' ? { toolCalls: [{ name: 'naughty_strings', input: {} }] } : undefined
    await face.run(['ask', 'What is it?', ...scripted, '--mcp', '--max-steps', '12'])
    reply = () => undefined
  },
}

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, at * size + size),
  )
}

describe(`${strings.length} strings${hasData ? '' : ' (SCHOLIUM_DATA is not set, so only our own)'} do no harm as`, () => {
  it.each(Object.keys(doors))(
    '%s',
    async (door) => {
      const cpu = process.cpuUsage()
      await doors[door]?.()
      console.log(door, Math.round(process.cpuUsage(cpu).user / 1000))
      face.expectNothingElse()
    },
    300_000,
  )
})
