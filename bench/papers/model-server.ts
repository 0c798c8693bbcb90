// The model of papers, as a process of its own.
import { serveModel } from '../ask/serve-model.ts'
import { answerTo } from './answers.ts'

const answerMs = Number(process.argv[2] ?? 100)
const { takeCalls } = serveModel(answerMs, answerTo, (port) => process.send?.({ port }))

process.on('message', () => process.send?.({ calls: takeCalls() }))
