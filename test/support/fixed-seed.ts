import fc from 'fast-check';

/** With FUZZ_SEED each property draws the same cases in every run; without it, others each time. */
const seed = process.env.FUZZ_SEED;
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
