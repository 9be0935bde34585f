import { InputError } from '../../errors.ts';

/** The two packages that MCAP files are made with; both are optional. */
export async function mcapPackages() {
  try {
    const [core, schemas] = await Promise.all([import('@mcap/core'), import('@foxglove/schemas/jsonschema.js')]);
    return { core, schemas };
  } catch (error) {
    throw absent(error);
  }
}

/** The one that is enough to read them. */
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
