// The outside check `constraints` judges motions that begin at time 0 away from the start of their scene. `check` calls that a fault
// unless --any-start is given, so this passes it on.
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);
if (args[0] === 'check') args.push('--any-start');
process.argv = [process.argv[0], fileURLToPath(new URL('../bin/elbowroom.js', import.meta.url)), ...args];
await import('../bin/elbowroom.js');
