import { describe, expect, it } from 'vitest'
import type { AgentDocument } from '../../agents/document/agent-document.ts'
import { agentEnvironment, readSecretValues } from './agent-environment.ts'

const reading = (...texts: readonly string[]) =>
  [{ name: 'd', description: '', secrets: {}, nodes: texts }] as unknown as AgentDocument[]

describe('what a file reads of the environment', () => {
  const names =
    'DB_PASS MYSQL_PWD GITHUB_PAT API_KEYS SESSION_COOKIE SENTRY_DSN SLACK_WEBHOOK_URL HOME'
  const environment = Object.fromEntries(names.split(' ').map((name) => [name, 'x'.repeat(9)]))

  it('is nothing that the operator does not name, whatever its name is', () => {
    const documents = reading(...names.split(' ').map((name) => `\${${name}:-none}`))
    const given = agentEnvironment(environment, { environment: [], secrets: [] }, documents)
    expect(given).toEqual({ withheld: names.split(' ') })
    expect(readSecretValues(environment, [])).toEqual({})
  })

  it('is what the operator names, secrets by their names alone', () => {
    const asked = { environment: ['HOME', 'PLACE=a=b', 'DB_PASS'], secrets: ['DB_PASS'] }
    const documents = reading(`{{ env.HOME }} {{ env["API_KEYS"] }} \${DB_PASS} \${NOWHERE}`)
    expect(agentEnvironment(environment, asked, documents)).toEqual({
      environment: { HOME: 'xxxxxxxxx', PLACE: 'a=b' },
      secretNames: ['DB_PASS'],
      withheld: ['API_KEYS'],
    })
    expect(readSecretValues(environment, ['DB_PASS', 'NOWHERE'])).toEqual({ DB_PASS: 'xxxxxxxxx' })
  })

  it.each([
    [['a b'], [], '"a b" is not the name of an environment variable'],
    [['NOWHERE'], [], 'NOWHERE is not set'],
    [[], ['NOWHERE'], 'NOWHERE is not set'],
    [[], ['TOKEN=abc'], '"TOKEN" is not the name of an environment variable'],
  ])('must be named as it is: %j %j', (plain, secrets, message) => {
    const asked = { environment: plain, secrets }
    expect(() => agentEnvironment(environment, asked, [])).toThrow(message)
  })
})
