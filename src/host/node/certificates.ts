import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  INFEASIBILITY_FORMAT,
  type InfeasibilityCertificate,
  infeasibilityOf,
} from '../../core/certificate/cells/infeasibility.ts';
import {
  CERTIFICATE_FORMAT,
  type Certificate,
  certificateOf,
  isRecord,
  parseCertificate,
  readCertificate,
} from '../../core/certificate/certificate.ts';
import {
  COORDINATION_CERTIFICATE_FORMAT,
  type CoordinationCertificate,
  coordinationCertificateOf,
} from '../../core/certificate/coordination/cellCertificate.ts';
import {
  isMoveCertificate,
  type MoveCertificate,
  moveCertificateOf,
} from '../../core/certificate/moves/moveCertificate.ts';
import { readInputText, readText, unreadable } from './readFiles.ts';

/**
 * Limit in bytes. Certificates may be larger than other texts: they hold a plane for each pair and span, and clouds
 * have thousands of pairs.
 */
const MAX_CERTIFICATE_SIZE = 256 * 1024 * 1024;

const textOf = (file: string): Promise<string> => readText(file, MAX_CERTIFICATE_SIZE);

/** Reads a certificate. Throws `InputError` if the file cannot be read or is not a certificate. */
export async function loadCertificate(file: string): Promise<Certificate> {
  return readCertificate(await readInputText(file, MAX_CERTIFICATE_SIZE), file);
}

/** A certificate that `verify` reads. */
export type AnyCertificate = Certificate | CoordinationCertificate | InfeasibilityCertificate | MoveCertificate;

/**
 * Reads a certificate of a motion, a program or a coordination, or a proof that no motion exists. Throws `InputError`
 * if it is none of them.
 */
export async function loadAnyCertificate(file: string): Promise<AnyCertificate> {
  const data = parseCertificate(await readInputText(file, MAX_CERTIFICATE_SIZE), file);
  if (isMoveCertificate(data)) return moveCertificateOf(data, file);
  if (isRecord(data) && data.format === INFEASIBILITY_FORMAT) return infeasibilityOf(data, file);
  const isCoordination = isRecord(data) && data.format === COORDINATION_CERTIFICATE_FORMAT;
  return isCoordination ? coordinationCertificateOf(data, file) : certificateOf(data, file);
}

/** Returns the certificate of the motion with this hash; undefined if there is none. */
export type CertificateSource = (hash: string) => Promise<Certificate | undefined>;

/**
 * Finds certificates by the hash of their motion, independently of file names: in one file, or in all JSON files of a
 * folder and its subfolders. Other files of a folder are skipped. Certificates of a folder are read again at each
 * query, so that a library may be larger than memory.
 * @throws InputError if a file cannot be read, or if the only file is not a certificate
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

/** Lists all files, sorted, so that their order does not depend on the file system. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  } catch (error) {
    throw unreadable(error, folder);
  }
}

/** Returns the hash of the motion of a certificate; undefined if the text is not a certificate. */
function hashIn(text: string): string | undefined {
  try {
    const data = parseCertificate(text, '') as Partial<Certificate> | null;
    return data?.format === CERTIFICATE_FORMAT && typeof data.trajectory === 'string' ? data.trajectory : undefined;
  } catch {
    return undefined;
  }
}
