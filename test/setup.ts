import { configureGlobal } from 'fast-check';

// Equal runs on every machine: a property that fails does so for everybody. `ELBOWROOM_FUZZ=SEED` looks elsewhere.
configureGlobal({ seed: Number(process.env.ELBOWROOM_FUZZ ?? 20261121) });
