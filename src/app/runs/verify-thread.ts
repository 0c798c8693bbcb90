import { parentPort, workerData } from 'node:worker_threads'
import { verifyBundle } from './verify-bundle.ts'

// The thread that a stranger's bundle is verified in.
const { file, options } = workerData
parentPort?.postMessage(await verifyBundle(file, options))
