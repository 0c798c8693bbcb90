import { describe, expect, it } from 'vitest'
import { telemetrySettings } from './destination.ts'

const keys = { LANGFUSE_PUBLIC_KEY: 'pk-lf-1', LANGFUSE_SECRET_KEY: 'sk-lf-1' }

describe('where traces are sent', () => {
  it('is Langfuse where its keys are set, at the address under either name', () => {
    const at = (more: object) =>
      telemetrySettings({ ...keys, ...more }).destinations.map(({ url }) => new URL(url).host)
    expect(at({})).toEqual(['cloud.langfuse.com'])
    expect(at({ LANGFUSE_HOST: 'https://us.cloud.langfuse.com' })).toEqual([
      'us.cloud.langfuse.com',
    ])
    expect(
      at({ LANGFUSE_BASE_URL: 'http://localhost:3000', LANGFUSE_HOST: 'https://other' }),
    ).toEqual(['localhost:3000'])
  })

  it.each(['false', 'False'])('is nowhere where LANGFUSE_ENABLED is %s', (LANGFUSE_ENABLED) => {
    expect(telemetrySettings({ ...keys, LANGFUSE_ENABLED }).destinations).toEqual([])
  })
})
