/** The service does not start with a private key in its stored configuration. */
import { ConfigError } from '../config.ts';
import type { Db } from '../db/index.ts';
import { findPrivateKey } from '../lib/detect-private-key.ts';
import { Failure } from '../lib/failures.ts';
import type { MasterKey } from '../master-key.ts';
import { decryptUrls } from './encrypted-urls.ts';
import { readPublicKey } from './validate-chain-config.ts';

/** True for a private key with any version prefix. */
async function isPrivate(xpub: string): Promise<boolean> {
  try {
    await readPublicKey(xpub);
    return false;
  } catch (error) {
    if (error instanceof Failure) return error.details.fields?.[0]?.code === 'private_key';
    throw error;
  }
}

interface StoredRow {
  place: string;
  texts: (string | null)[];
  sealed: string | null;
}

/** Every text of the configuration that operators write. */
const STORED = `select 'network ' || code as place,
    array[name, explorer_url, address_prefix, uri_scheme] as texts, rpc_urls_sealed as sealed
  from network
  union all
  select 'token ' || currency || ' of ' || network, array[contract, currency], null from token`;

/**
 * Looks through all stored networks, tokens and wallets, switched off or not.
 * @throws ConfigError that names the place, never the key
 */
export async function refuseStoredPrivateKeys(db: Db, masterKey: MasterKey): Promise<void> {
  const refuse = (place: string): never => {
    throw new ConfigError([
      `the stored ${place} holds a private key: remove it, the service only watches chains ` +
        'and must not be given the means to spend',
    ]);
  };
  const { rows: wallets } = await db.query<{ id: number; xpub: string }>(
    'select id, xpub from deposit_wallet order by id',
  );
  for (const { id, xpub } of wallets) if (await isPrivate(xpub)) refuse(`deposit wallet ${id}`);
  const { rows } = await db.query<StoredRow>(STORED);
  for (const { place, texts, sealed } of rows) {
    const urls = sealed === null ? [] : decryptUrls(masterKey, sealed);
    if ([...texts, ...urls].some((text) => text !== null && findPrivateKey(text))) refuse(place);
  }
}
