// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is what agent files write
import { describe, expect, it } from 'vitest'
import { expandEnvironment, findEnvironmentNames } from './environment.ts'
import { createTemplates } from './templates.ts'

const environment = { HOST: 'localhost', EMPTY: '', NESTED: '${HOST}' }

describe('expandEnvironment', () => {
  it.each([
    ['http://${HOST}/', 'http://localhost/'],
    ['${PORT:-80}', '80'],
    ['${HOST:-other}', 'localhost'],
    ['${EMPTY}|${EMPTY:-set}', '|set'],
    ['${PORT:-}', ''],
    ['${PORT}', '${PORT}'],
    ['$${HOST} $HOST', '${HOST} $HOST'],
    ['${NESTED}', '${HOST}'],
    ['${__proto__} ${constructor}', '${__proto__} ${constructor}'],
    ['${not a name} ${', '${not a name} ${'],
  ])('%s becomes %s', (text, expanded) => {
    expect(expandEnvironment(text, environment)).toBe(expanded)
  })

  it('holds in templates for what the file says, and in texts within expressions', async () => {
    const templates = await createTemplates(environment)
    const scope = { state: { value: '${HOST}' } }
    expect(templates.render('${HOST} {{ state.value }}', scope)).toBe('localhost ${HOST}')
    expect(templates.render('{{ state.none | default("${PORT:-80}") }}', scope)).toBe('80')
    expect(templates.render('${PORT:-80}', scope)).toBe('80')
  })
})

describe('environmentNamesOf', () => {
  it('lists the names and whether they have a default', () => {
    expect(findEnvironmentNames('${A} ${B:-x} $${C}')).toEqual([
      { name: 'A', hasDefault: false },
      { name: 'B', hasDefault: true },
    ])
  })
})
