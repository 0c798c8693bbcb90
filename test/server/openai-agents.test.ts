import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ScriptedModel, scriptTeam, startScriptedModel } from '../../src/testing/index.ts'
import { question, ServedApp } from './served-app.ts'

/** A model that answers questions as a team, and asks for the weather if it is offered a function for it. */
let scripted: ScriptedModel
const served = new ServedApp()
beforeAll(async () => {
  setTracingDisabled(true)
  const team = scriptTeam()
  scripted = await startScriptedModel((seen) => {
    if (!JSON.stringify(seen.body).includes('get_weather')) return team(seen)
    if (seen.lastRole !== 'tool')
      return { toolCalls: [{ name: 'get_weather', input: { city: 'Rome' } }] }
    const messages = seen.body.messages as readonly { readonly content: string }[]
    return { text: `I was told: ${messages.at(-1)?.content}.` }
  })
  const environment = { OPENAI_BASE_URL: scripted.url, OPENAI_API_KEY: 'key-of-the-tests' }
  await served.start({}, { models: { default: 'openai-compatible:scripted' }, environment })
})
afterAll(async () => {
  await served.close()
  await scripted.close()
})

describe.each([
  ['responses', true],
  ['chat completions', false],
])('an agent of @openai/agents over %s', (_, useResponses) => {
  const runner = () => {
    const openAIClient = new OpenAI({
      apiKey: 'token-of-the-tests',
      baseURL: `${served.url}/v1`,
      maxRetries: 0,
    })
    return new Runner({
      modelProvider: new OpenAIProvider({ openAIClient, useResponses }),
      tracingDisabled: true,
    })
  }
  const instructions = 'Be short.'

  it('gets an answer with its citations, whole and as a stream', async () => {
    const agent = new Agent({ name: 'Librarian', instructions, model: 'scholium/ask' })
    const { finalOutput } = await runner().run(agent, question)
    expect(finalOutput).toMatch(
      /412[\s\S]*\[1\]\(http:\/\/127\.0\.0\.1:\d+\/#\/runs\/[\w-]+\/1\/1\)/,
    )
    const stream = await runner().run(agent, question, { stream: true })
    const text = (await Array.fromAsync(stream.toTextStream())).join('')
    await stream.completed
    expect(text).toContain('412')
    expect(stream.finalOutput).toBe(text)
  })

  it('has its function called by the run, which waits for the result', async () => {
    const cities: string[] = []
    const weather = tool({
      name: 'get_weather',
      description: 'The weather of a city.',
      parameters: z.object({ city: z.string() }),
      execute: async ({ city }: { readonly city: string }) => {
        cities.push(city)
        return `${city}: 31`
      },
    })
    const agent = new Agent({
      name: 'Traveller',
      instructions,
      model: 'scholium/ask',
      tools: [weather],
    })
    const { finalOutput } = await runner().run(agent, 'How warm is it in Rome?')
    expect(finalOutput).toContain('I was told: Rome: 31.')
    expect(cities).toEqual(['Rome'])
    const { runs } = (await served.call('get', '/api/runs?workflow=client-functions&limit=1')).body
    expect(runs[0]).toMatchObject({ status: 'answered', title: 'How warm is it in Rome?' })
  })
})
