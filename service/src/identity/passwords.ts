/**
 * Passwords. By contract a client sends the MD5 of the password, so the MD5 is the password: stored
 * as argon2id over HMAC-SHA256(pepper, lower-case hex). argon2 runs in worker threads.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseOptions } from '@node-rs/argon2';
import type { Config } from '../config.ts';
import { fieldError } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { type Argon2, type Argon2Cost, createHashThreads } from './hashing/hash-worker-pool.ts';
import {
  createPepper,
  isImportedPassword,
  keyMd5,
  verifyImportedPassword,
} from './imported-passwords.ts';

/** Cost of a hash by the configuration. One lane: a login takes one core. */
export function readHashCost(
  config: Pick<Config, 'PASSWORD_HASH_MEMORY' | 'PASSWORD_HASH_PASSES'>,
): Argon2Cost {
  return {
    memoryCost: config.PASSWORD_HASH_MEMORY,
    timeCost: config.PASSWORD_HASH_PASSES,
    parallelism: 1,
  };
}

export interface Passwords {
  hash(md5: string): Promise<string>;
  /** Without a stored hash it does the same work, so that time does not show who exists. */
  verify(stored: string | undefined, md5: string): Promise<boolean>;
  /** True when a stored hash is imported, or has another cost than the configured one. */
  isOutdated(stored: string): boolean;
}

let threads: Argon2 | undefined;

/** One pool per process, because the cores are shared. */
function sharedThreads(): Argon2 {
  threads ??= createHashThreads();
  return threads;
}

export function createPasswords(
  masterKey: MasterKey,
  cost: Argon2Cost,
  argon2: Argon2 = sharedThreads(),
): Passwords {
  const pepper = createPepper(masterKey);
  const keyed = (md5: string): string => keyMd5(pepper, md5);
  let dummy: Promise<string> | undefined;
  function dummyHash(): Promise<string> {
    dummy ??= argon2.hash(keyed('dummy'), cost).catch((error: unknown) => {
      dummy = undefined;
      throw error;
    });
    return dummy;
  }
  return {
    hash: (md5) => argon2.hash(keyed(md5), cost),
    async verify(stored, md5) {
      const isImported = stored !== undefined && isImportedPassword(stored);
      const own = isImported ? undefined : stored;
      // Of an imported hash, too: a fast one must not show by its time whose account was moved.
      const isSame = await argon2.verify(own ?? (await dummyHash()), keyed(md5));
      if (isImported) return verifyImportedPassword(argon2, pepper, stored, md5);
      return own !== undefined && isSame;
    },
    isOutdated(stored) {
      if (isImportedPassword(stored)) return true;
      const { memoryCost, timeCost } = parseOptions(stored);
      return memoryCost !== cost.memoryCost || timeCost !== cost.timeCost;
    },
  };
}

let common: Set<string> | undefined;

function commonPasswords(): Set<string> {
  common ??= new Set(
    readFileSync(new URL('./common-password-md5s.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n'),
  );
  return common;
}

function md5Of(text: string): string {
  return createHash('md5').update(text).digest('hex');
}

/**
 * Refuses common passwords and the user's own names, which attackers try first.
 * @throws `invalid_parameter`
 */
export function checkPasswordChoice(
  md5: string,
  own: readonly string[],
  field = 'login_password',
): void {
  const lower = md5.toLowerCase();
  if (commonPasswords().has(lower))
    throw fieldError(field, 'common_password', 'is the hash of a common password');
  const names = own.flatMap((name) => [name, name.toLowerCase(), name.split('@')[0] ?? name]);
  if (names.some((name) => md5Of(name) === lower))
    throw fieldError(
      field,
      'guessable_password',
      'is the hash of the user’s name or email address',
    );
}
