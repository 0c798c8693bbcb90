import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests that keep nothing in modules and start few processes share what is loaded: it halves their time. */
const shared = [
  'src/**/*.test.ts',
  'test/{agents,ask,bundle,citations,config,docs,fork,history,limits,models,reasoning,sources,web}/**/*.test.ts',
  'test/papers/{workflow,search,seed,app,cache,report}*.test.ts',
]

/** What holds for the repository as a whole. */
const rules = ['test/{repo,kernel,contracts}/**/*.test.ts']

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', 'dist/**'],
    // One more than there are cores: many tests wait, for a process that they started or for a time to be over.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ['test/repo/property-seed.ts', 'test/repo/own-configuration.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'shared', include: shared, isolate: false } },
      { extends: true, test: { name: 'rules', include: rules } },
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', 'dist/**', ...shared, ...rules],
        },
      },
    ],
  },
})
