import { createJobs } from '../../src/code/tools/processes/jobs.ts'

/** A session that starts a job with a child and one that leaves its group, says their process ids, and is killed. */
const [folder = ''] = process.argv.slice(2)
const jobs = createJobs()
const line = 'sleep 300 & child=$!; env -i setsid sleep 300 & echo $$ $child $!; wait'
const id = jobs.start(line, folder, { PATH: '/usr/bin:/bin' })
const seen = await jobs.look(id, 5_000, new AbortController().signal)
process.stdout.write(seen?.output ?? '')
setInterval(() => {}, 1_000)
