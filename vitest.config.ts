import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    exclude: ['**/node_modules/**', 'dist/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    projects: [
      // Unit tests share a process and what it has loaded: they keep nothing in modules. It saves a quarter of the time.
      {
        extends: true,
        test: { name: 'src', include: ['src/**/*.test.ts'], isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: ['**/*.test.ts'],
          exclude: ['**/node_modules/**', 'dist/**', 'src/**'],
        },
      },
    ],
  },
})
