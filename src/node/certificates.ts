import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CERTIFICATE_FORMAT, type Certificate, readCertificate } from '../certificate/certificate.ts';
import { readInputText, readText, unreadable } from './readFiles.ts';

/** A plane for each pair and span, and clouds have thousands of pairs: certificates may be larger than other texts. */
const LARGEST_CERTIFICATE = 256 * 1024 * 1024;

const textOf = (file: string): Promise<string> => readText(file, LARGEST_CERTIFICATE);

/** The certificate in a file. Throws InputError where it holds none or cannot be read. */
export async function loadCertificate(file: string): Promise<Certificate> {
  return readCertificate(await readInputText(file, LARGEST_CERTIFICATE), file);
}

/** The certificate of the motion with this hash; undefined where there is none. */
export type CertificateSource = (hash: string) => Promise<Certificate | undefined>;

/**
 * Certificates by the motion that they are of, whatever their files are called: one file, or all JSON files of a folder and the folders in
 * it. Of a folder, files that are no certificates are passed over, and each is read again when it is asked for, so that a library may be
 * larger than memory.
 * @throws InputError for a file that is no certificate or cannot be read
 */
export async function certificatesIn(path: string): Promise<CertificateSource> {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const only = await loadCertificate(path);
    return async (hash) => (only.trajectory === hash ? only : undefined);
  }
  const files = new Map<string, string>();
  for (const file of filesIn(path)) {
    const whole = join(path, file);
    if (!file.endsWith('.json') || !statSync(whole, { throwIfNoEntry: false })?.isFile()) continue;
    const hash = hashIn(await textOf(whole));
    if (hash !== undefined) files.set(hash, whole);
  }
  return async (hash) => {
    const file = files.get(hash);
    return file === undefined ? undefined : loadCertificate(file);
  };
}

/** In an order that does not depend on the file system. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch (error) {
    throw unreadable(error, folder);
  }
}

/** The motion that a text is a certificate of, if it is one. */
function hashIn(text: string): string | undefined {
  try {
    const data = JSON.parse(text);
    return data?.format === CERTIFICATE_FORMAT && typeof data.trajectory === 'string' ? data.trajectory : undefined;
  } catch {
    return undefined;
  }
}
