import { configureGlobal } from 'fast-check';

// Fixed seed: a failing property fails on every machine. `ELBOWROOM_FUZZ=SEED` selects another seed.
configureGlobal({ seed: Number(process.env.ELBOWROOM_FUZZ ?? 20261121) });
