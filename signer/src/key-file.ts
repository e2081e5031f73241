/** The key of the hot wallet: from the environment, or from a file encrypted with a passphrase. */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const KEY = /^0x[0-9a-f]{64}$/;
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 };
const KEY_BYTES = 32;
const NONCE_BYTES = 12;

interface KeyFile {
  readonly version: 1;
  readonly salt: string;
  readonly iv: string;
  readonly tag: string;
  readonly data: string;
}

export type PrivateKey = `0x${string}`;

function checkKey(text: string): PrivateKey {
  if (!KEY.test(text)) throw new Error('the key must be 0x and 64 hexadecimal digits, lower case');
  return text as PrivateKey;
}

const derive = (passphrase: string, salt: Buffer): Buffer =>
  scryptSync(passphrase.normalize('NFKC'), salt, KEY_BYTES, COST);

/** Writes a key, mode 0600; never over a file that exists. */
export function writeKeyFile(path: string, key: string, passphrase: string): void {
  const salt = randomBytes(KEY_BYTES);
  const iv = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derive(passphrase, salt), iv);
  const data = Buffer.concat([cipher.update(checkKey(key), 'utf8'), cipher.final()]);
  const file: KeyFile = {
    version: 1,
    salt: salt.toString('hex'),
    iv: iv.toString('hex'),
    tag: cipher.getAuthTag().toString('hex'),
    data: data.toString('hex'),
  };
  writeFileSync(path, `${JSON.stringify(file)}\n`, { mode: 0o600, flag: 'wx' });
}

/** @throws Error for a wrong passphrase or a changed file */
export function readKeyFile(path: string, passphrase: string): PrivateKey {
  const file = JSON.parse(readFileSync(path, 'utf8')) as KeyFile;
  const bytes = (name: keyof Omit<KeyFile, 'version'>): Buffer => Buffer.from(file[name], 'hex');
  const key = derive(passphrase, bytes('salt'));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes('iv'));
  decipher.setAuthTag(bytes('tag'));
  try {
    const text = decipher.update(bytes('data'), undefined, 'utf8') + decipher.final('utf8');
    return checkKey(text);
  } catch {
    throw new Error('the passphrase is wrong, or the key file was changed');
  }
}

/** `SIGNER_KEY_FILE` with `SIGNER_PASSPHRASE`, or `SIGNER_KEY`. @throws Error without either */
export function loadKey(env: Readonly<Record<string, string | undefined>>): PrivateKey {
  const { SIGNER_KEY_FILE, SIGNER_PASSPHRASE, SIGNER_KEY } = env;
  if (SIGNER_KEY_FILE !== undefined) return readKeyFile(SIGNER_KEY_FILE, SIGNER_PASSPHRASE ?? '');
  if (SIGNER_KEY !== undefined) return checkKey(SIGNER_KEY);
  throw new Error('set SIGNER_KEY_FILE and SIGNER_PASSPHRASE, or SIGNER_KEY');
}
