// The model of the question team, as a process of its own.
import { serveModel } from './serve-model.ts'
import { shapes, teamOf } from './team-answers.ts'

/** What the server is told: to begin a question's shape anew, or to tell the calls since. */
export type Order = { readonly shape: string } | 'calls'

const answerMs = Number(process.argv[2] ?? 100)

let team = teamOf(shapes[0] as (typeof shapes)[number])

const { takeCalls } = serveModel(
  answerMs,
  (request) => team(request),
  (port) => process.send?.({ port }),
)

process.on('message', (order: Order) => {
  if (order === 'calls') {
    process.send?.({ calls: takeCalls() })
    return
  }
  const shape = shapes.find(({ name }) => name === order.shape)
  if (shape === undefined) throw new Error(`There is no shape "${order.shape}".`)
  team = teamOf(shape)
  takeCalls()
  process.send?.({})
})
