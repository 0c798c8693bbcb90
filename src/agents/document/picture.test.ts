import { describe, expect, it } from 'vitest'
import { createTemplates } from '../templates/templates.ts'
import { drawDocument, pictureToDot, pictureToMermaid } from './picture.ts'
import { readAgentDocument } from './read-document.ts'

const checks = { actions: new Map(), refused: new Map(), templates: await createTemplates() }

async function pictureOf(text: string) {
  const outcome = await readAgentDocument(text, { path: 'a.yaml', checks })
  if (!outcome.ok) throw new Error('not read')
  return drawDocument(outcome.document)
}

const text = `name: say "hi"
nodes:
  - {name: a, run: "return {}", goto: [{if: 'state.x == "<1>"', to: b-2}, {to: __end__}]}
  - {name: b-2, steps: [{run: "return {}"}]}`

describe('a picture of a document', () => {
  it('has its nodes, its ways and what they depend on', async () => {
    expect(await pictureOf(text)).toEqual({
      name: 'say "hi"',
      start: 'a',
      nodes: ['a', 'b-2'],
      captions: { a: 'python', 'b-2': '1 step' },
      edges: [
        { from: 'a', to: 'b-2', isConditional: true, isParallel: false, label: 'state.x == "<1>"' },
        { from: 'a', to: '__end__', isConditional: true, isParallel: false, label: 'else' },
        { from: 'b-2', to: '__end__', isConditional: false, isParallel: false },
      ],
    })
  })

  it('says before and after which nodes a person is asked', async () => {
    const { captions } = await pictureOf(
      `${text}\nconfig: {interrupt_before: [a, b-2], interrupt_after: [b-2]}`,
    )
    expect(captions).toEqual({
      a: 'python, waits before',
      'b-2': '1 step, waits before, waits after',
    })
  })

  it('shows a start with conditions as a node', async () => {
    const { start, nodes, edges } = await pictureOf(
      `${text}\nedges: [{from: __start__, to: a, when: fast}, {from: __start__, to: b-2}]`,
    )
    expect([start, nodes[0], edges[0]?.label]).toEqual(['__start__', '__start__', 'fast'])
  })

  it('is a Mermaid flow chart, with quotes and brackets made harmless', async () => {
    expect(pictureToMermaid(await pictureOf(text)).split('\n')).toEqual([
      'flowchart TD',
      '  begin((start))',
      '  n0["a<br>python"]',
      '  n1["b-2<br>1 step"]',
      '  stop((end))',
      '  begin --> n0',
      '  n0 -.->|"state.x == #34;#60;1#62;#34;"| n1',
      '  n0 -.->|"else"| stop',
      '  n1 --> stop',
      '',
    ])
  })

  it('is a graph of Graphviz, with quotes made harmless', async () => {
    const dot = pictureToDot(await pictureOf(text))
    expect(dot).toContain('digraph "say \\"hi\\"" {')
    expect(dot).toContain('  "a" [label="a\\npython"];')
    expect(dot).toContain('  "a" -> "b-2" [style=dashed, label="state.x == \\"<1>\\""];')
    expect(dot).toContain('  "b-2" -> "__end__" [style=solid];')
  })

  it('draws branches as such', async () => {
    const parallel = await pictureOf(
      'name: p\nnodes: [{name: a, run: "return {}"}, {name: b, run: "return {}"}, {name: j, fan_in: true}]\nedges: [{from: a, to: b, type: parallel, fan_in: j}]',
    )
    expect(pictureToMermaid(parallel)).toContain('n0 ==> n1')
    expect(pictureToDot(parallel)).toContain('"a" -> "b" [style=bold];')
  })
})
