/// <reference types="vite/client" />

/** Number of random cases of a test, or a bound on them: all for `npm run test:long`, a quarter for `npm test`. */
export const cases = (all: number): number => (import.meta.env.MODE === 'long' ? all : Math.ceil(all / 4));
