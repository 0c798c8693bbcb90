import { appendFileSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { PermissionAnswer, PermissionRequest } from '../../src/app.ts'
import { findObeyer } from '../../src/code/tools/files/code-workspace.ts'
import { Editor } from '../acp/editor.ts'
import { call, SessionWorld } from '../code/session-world.ts'

/** Files that other programs run or obey because they lie there. */
const obeyed: readonly string[] = [
  '.gitattributes',
  '.gitmodules',
  '.gitignore',
  '.githooks/pre-commit',
  '.mcp.json',
  '.claude/settings.json',
  '.claude/skills/a/SKILL.md',
  '.agents/skills/a/run.sh',
  '.cursor/rules/a.mdc',
  '.cursorrules',
  '.vscode/tasks.json',
  '.idea/workspace.xml',
  '.zed/settings.json',
  '.husky/pre-commit',
  '.pre-commit-config.yaml',
  '.envrc',
  '.env.example',
  '.bashrc',
  '.config/autostart/a.desktop',
  '.cargo/config.toml',
  '.npmrc.example',
  '.yarnrc.yml',
  '.devcontainer/devcontainer.json',
  '.github/workflows/ci.yml',
  '.github/actions/a/action.yml',
  '.gitlab-ci.yml',
  '.circleci/config.yml',
  '.travis.yml',
  'pkg/.eslintrc.cjs',
  'AGENTS.md',
  'pkg/AGENTS.md',
  'agents.md',
  'AGENTS.override.md',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'GEMINI.md',
  'skills/make-pdf/SKILL.md',
  'scholium.yaml',
  'scholium.json',
  'work.code-workspace',
  'mise.toml',
  'lefthook.yml',
  'Jenkinsfile',
  'azure-pipelines.yml',
  'bitbucket-pipelines.yml',
]

/** Files of the project itself: they run when somebody runs the project. */
const own: readonly string[] = [
  'src/a.ts',
  'README.md',
  'package.json',
  'Makefile',
  'test/a.test.ts',
  'docs/agents.txt',
  'docs/my-agents.md',
  'src/agents/run.ts',
  'a.b/c.d',
]

let world: SessionWorld

/** What is asked about, and how a model's write of a file ends. */
async function write(
  path: string,
  settings: object,
  answer?: (request: PermissionRequest) => PermissionAnswer | Promise<PermissionAnswer>,
) {
  world.say([call('write', { path, content: 'new\n' }), { text: 'done' }])
  const asked: PermissionRequest[] = []
  const app = await world.app()
  const session = await app.code(
    { settings },
    {
      ...(answer && {
        onPermission: async (request: PermissionRequest) => {
          asked.push(request)
          return answer(request)
        },
      }),
    },
  )
  const prompt = { kind: 'prompt', text: 'go', isUnattended: answer === undefined } as const
  const { refused = [] } = await session.send(prompt)
  await session.finish()
  return { asked, refused, text: world.text(path) }
}

describe('a file that other programs run or obey', () => {
  afterEach(() => world.close())

  it.each(obeyed)('%s is not covered by rules for many files', async (path) => {
    world = new SessionWorld()
    for (const rule of ['write', 'write:*', `write:${path.replace(/[^/]*$/, '*')}`]) {
      const { asked, text } = await write(path, { allow: [rule] }, () => ({ decision: 'no' }))
      expect(asked.map(({ always }) => always)).toEqual([[]])
      expect(text).toBeUndefined()
    }
  })

  it.each(own)('is not %s', async (path) => {
    expect(findObeyer(path)).toBeUndefined()
    world = new SessionWorld()
    const { asked, text } = await write(path, { allow: ['write'] }, () => ({ decision: 'no' }))
    expect([asked, text]).toEqual([[], 'new\n'])
  })

  it('is refused where nobody is there, with the rule that names it; that one lets it through', async () => {
    world = new SessionWorld()
    const { refused, text } = await write('.envrc', { allow: ['write', 'edit'] })
    expect(refused).toMatchObject([
      { rules: ['write:.envrc'], reason: expect.stringContaining('.envrc') },
    ])
    expect(text).toBeUndefined()
    expect((await write('.envrc', { allow: refused[0]?.rules ?? [] })).text).toBe('new\n')
  })

  it('is asked about again after a yes that was meant for all', async () => {
    world = new SessionWorld()
    world.say([
      call('write', { path: '.gitignore', content: 'a' }),
      call('write', { path: '.gitignore', content: 'b' }),
      { text: 'done' },
    ])
    let asked = 0
    const onPermission = async (): Promise<PermissionAnswer> => {
      asked++
      return { decision: 'always' }
    }
    const session = await (await world.app()).code({}, { onPermission })
    await session.send('go')
    expect([asked, world.text('.gitignore')]).toEqual([2, 'b'])
    await session.finish()
  })

  it('is asked about also by the name of a link that leads to another', async () => {
    world = new SessionWorld({ 'setup.txt': 'old\n' })
    symlinkSync('setup.txt', join(world.workspace, '.envrc'))
    world.say([call('edit', { path: '.envrc', old: 'old', new: 'new' }), { text: 'done' }])
    const asked: PermissionRequest[] = []
    const onPermission = async (request: PermissionRequest): Promise<PermissionAnswer> => {
      asked.push(request)
      return { decision: 'no' }
    }
    const session = await (await world.app()).code(
      { settings: { allow: ['edit'] } },
      { onPermission },
    )
    await session.send('go')
    expect(asked).toHaveLength(1)
    expect(world.text('setup.txt')).toBe('old\n')
    await session.finish()
  })

  it('lies not in a workspace whose own folder begins with a dot', async () => {
    world = new SessionWorld()
    const workspace = join(world.workspace, '.cache/project')
    mkdirSync(workspace, { recursive: true })
    world.say([call('write', { path: join(workspace, 'a.txt'), content: 'x' }), { text: 'done' }])
    const app = await world.app()
    const session = await app.code({ workspace, settings: { allow: ['write'] } })
    await session.send({ kind: 'prompt', text: 'go', isUnattended: true })
    expect(world.text('.cache/project/a.txt')).toBe('x')
    await session.finish()
  })
})

describe('a change that was asked about', () => {
  afterEach(() => world.close())

  /** What somebody else does to the file while the person reads the question. */
  const meanwhile: readonly (readonly [
    what: string,
    path: string,
    input: object,
    then: () => void,
  ])[] = [
    [
      'another line comes before it',
      'edit',
      { path: 'a.txt', old: 'two', new: '2' },
      () => world.put({ 'a.txt': 'zero\none\ntwo\n' }),
    ],
    [
      'the text comes to stand in a string',
      'edit',
      { path: 'a.txt', old: 'two', new: '2' },
      () => world.put({ 'a.txt': 'eval("two")\n' }),
    ],
    [
      'something is put behind it',
      'edit',
      { path: 'a.txt', old: 'two', new: '2' },
      () => appendFileSync(join(world.workspace, 'a.txt'), 'three\n'),
    ],
    [
      'a new file is there now',
      'write',
      { path: 'new.txt', content: 'x' },
      () => world.put({ 'new.txt': 'y' }),
    ],
  ]

  it.each(meanwhile)('is not made where %s', async (_what, tool, input, then) => {
    world = new SessionWorld({ 'a.txt': 'one\ntwo\n' })
    world.say([call(tool, input), { text: 'done' }])
    let after: readonly (string | undefined)[] = []
    const files = () => [world.text('a.txt'), world.text('new.txt')]
    const onPermission = async (): Promise<PermissionAnswer> => {
      then()
      after = files()
      return { decision: 'once' }
    }
    const session = await (await world.app()).code({}, { onEvent: world.hear, onPermission })
    await session.send('go')
    expect(world.heard('tool.done')).toMatchObject([{ isError: true }])
    expect(files()).toEqual(after)
    await session.finish()
  })

  it('is made as it was shown, also where others of the same message come before it', async () => {
    world = new SessionWorld({ 'a.txt': 'one\ntwo\n' })
    const edits = [
      { name: 'edit', input: { path: 'a.txt', old: 'one', new: '1' } },
      { name: 'edit', input: { path: 'a.txt', old: 'two', new: '2' } },
    ]
    world.say([{ toolCalls: edits }, { text: 'done' }])
    const diffs: string[] = []
    const onPermission = async ({ preview }: PermissionRequest): Promise<PermissionAnswer> => {
      diffs.push(preview.diff ?? '')
      return { decision: 'once' }
    }
    const app = await world.app()
    const session = await app.code({}, { onPermission })
    await session.send('go')
    expect(world.text('a.txt')).toBe('1\n2\n')
    expect(diffs[1]).toContain(' 1\n-two\n+2')
    await session.finish()
    expect(await app.replay(session.runId)).toMatchObject({ isIdentical: true, unclaimed: [] })
  })
})

describe('an editor that accepts edits', () => {
  it('is asked about those of files that others obey', async () => {
    const editor = new Editor({ 'a.txt': 'one\n' })
    try {
      await editor.start()
      const replies = [
        call('edit', { path: 'a.txt', old: 'one', new: 'two' }),
        call('write', { path: '.vscode/tasks.json', content: '{}' }),
      ]
      editor.script = () => replies.shift() ?? { text: 'done' }
      const sessionId = await editor.open()
      await editor.agent.request('session/set_mode', { sessionId, modeId: 'accept-edits' })
      await editor.prompt(sessionId, 'go')
      expect(editor.asked.map(({ toolCall }) => toolCall.title)).toEqual([
        'create .vscode/tasks.json (+1 −0)',
      ])
      expect(editor.asked[0]?.options.map(({ optionId }) => optionId)).toEqual(['once', 'no'])
    } finally {
      await editor.close()
    }
  })
})
