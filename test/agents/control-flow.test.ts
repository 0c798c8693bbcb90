import { describe, expect, it } from 'vitest'
import { loadDocument, runDocument } from './run-document.ts'

describe('a document of three nodes', () => {
  it('runs to its end', async () => {
    const { result, events } = await runDocument(await loadDocument('three-nodes'), { n: 5 })
    expect(result).toMatchObject({
      schema: 'scholium.agent/1',
      status: 'answered',
      stopReason: 'finished',
      state: { n: 5, twice: 10, text: 'Hello, 10', raw: 10, heard: 'HELLO, 10', length: 9 },
    })
    expect(events.map(({ type, key }) => `${type} ${key}`)).toEqual([
      'run.started ',
      'node.done agent/double[1]',
      'node.done agent/greet[1]',
      'step.done agent/read[1]/test.read/call',
      'node.done agent/read[1]',
      'run.finished ',
    ])
  })
})
