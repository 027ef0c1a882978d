import fc from 'fast-check';

/** With FUZZ_SEED each property draws the same cases in every run; without it, others each time. */
const seed = process.env.FUZZ_SEED;
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  // Before the limit of a test, which would end a long search for the smallest case without showing any.
  interruptAfterTimeLimit: 200_000,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
});
