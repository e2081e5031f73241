#!/usr/bin/env node
/**
 * `edge-signer CONFIG`: pays approved payouts. The key and the secret of the client come from the
 * environment, the rest from the configuration.
 */
import { parseConfig } from './config.ts';
import { loadKey, writeKeyFile } from './key-file.ts';
import { createLog } from './log.ts';
import { openByConfig, readJson } from './open-by-config.ts';
import { runSigner } from './open-signer.ts';
import { parseUtxoConfig } from './utxo/config.ts';
import { useCoin } from './utxo/use-coin.ts';
import { voidNonce } from './void-nonce.ts';

const USAGE = `edge-signer CONFIG
  pays approved payouts. Environment: SIGNER_CLIENT_SECRET; SIGNER_KEY_FILE and SIGNER_PASSPHRASE,
  or SIGNER_KEY
edge-signer encrypt-key FILE
  encrypts the key SIGNER_KEY with SIGNER_PASSPHRASE into a new file
edge-signer use-nonce CONFIG NONCE
  uses a nonce of a lost state by a transaction that pays nothing; the signer is stopped
edge-signer use-coin CONFIG HASH:NUMBER
  the same on a UTXO chain: gives a coin of a lost state back to the wallet
edge-signer forget-passkey CONFIG USER_ID
  the next passkey with which this user signs a payout is trusted; the signer is stopped`;

const { env } = process;

const log = createLog(console.log, () => new Date());

async function run(path: string): Promise<void> {
  const { SIGNER_CLIENT_SECRET: clientSecret } = env;
  if (clientSecret === undefined) throw new Error('set SIGNER_CLIENT_SECRET');
  const signer = openByConfig(path, { key: loadKey(env), clientSecret, log });
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  const { wallet, state } = signer.deps;
  log('started', { address: wallet.address, signer: state.name });
  await runSigner(signer, controller.signal);
  signer.close();
}

async function main([first, second, third]: readonly string[]): Promise<void> {
  if (first === 'encrypt-key' && second !== undefined)
    return writeKeyFile(second, env.SIGNER_KEY ?? '', env.SIGNER_PASSPHRASE ?? '');
  if (first === 'use-nonce' && second !== undefined && /^\d{1,15}$/.test(third ?? '')) {
    const order = {
      config: parseConfig(readJson(second)),
      key: loadKey(env),
      nonce: Number(third),
    };
    log('nonce_used', { tx_hash: await voidNonce(order) });
    return;
  }
  if (first === 'use-coin' && second !== undefined && /^[0-9a-f]{64}:\d{1,6}$/.test(third ?? '')) {
    const order = { config: parseUtxoConfig(readJson(second)), key: loadKey(env) };
    log('coin_used', { tx_hash: await useCoin({ ...order, coin: third ?? '' }) });
    return;
  }
  if (first === 'forget-passkey' && second !== undefined && /^[1-9]\d{0,14}$/.test(third ?? '')) {
    const { state } = openByConfig(second, { key: loadKey(env), clientSecret: '', log }).deps;
    const was_known = state.owners.forget(Number(third));
    state.close();
    log('passkey_forgotten', { user_id: Number(third), was_known });
    return;
  }
  if (first === undefined || first.startsWith('-')) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  await run(first);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
