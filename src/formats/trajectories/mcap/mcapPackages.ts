import { InputError } from '../../../errors.ts';

/** Loads the two optional packages that write MCAP files. Throws `InputError` if one is not installed. */
export async function mcapPackages() {
  try {
    const [core, schemas] = await Promise.all([import('@mcap/core'), import('@foxglove/schemas/jsonschema.js')]);
    return { core, schemas };
  } catch (error) {
    throw absent(error);
  }
}

/** Loads the package that reads MCAP files. Throws `InputError` if it is not installed. */
export async function mcapCore() {
  try {
    return await import('@mcap/core');
  } catch (error) {
    throw absent(error);
  }
}

function absent(error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') return error;
  return new InputError(
    'MCAP files need two packages that are not installed',
    'Install them with: npm install @mcap/core @foxglove/schemas',
  );
}
