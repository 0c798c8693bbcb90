import { createJobs } from '../../src/tools/code/jobs.ts'

/** A session that starts a job and a grandchild of it, says their process ids, and is killed. */
const [folder = ''] = process.argv.slice(2)
const jobs = createJobs()
const id = jobs.start('sleep 300 & echo $$ $!; wait', folder, { PATH: '/usr/bin:/bin' })
const seen = await jobs.look(id, 5_000, new AbortController().signal)
process.stdout.write(seen?.output ?? '')
setInterval(() => {}, 1_000)
