// Properties are tried with the same values every time, so that a run of the tests says something of the change and not of
// its luck. SCHOLIUM_PROPERTY_SEED=random looks further.
import fc from 'fast-check'

if (process.env.SCHOLIUM_PROPERTY_SEED !== 'random') fc.configureGlobal({ seed: 2026 })
