/** Opens the signer of a configuration, by the kind of its chain. */
import { readFileSync } from 'node:fs';
import { parseConfig } from './config.ts';
import { openSigner, type SignerOptions } from './open-signer.ts';
import { parseUtxoConfig } from './utxo/config.ts';
import { openUtxoSigner } from './utxo/open.ts';

export const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** @throws Error for a configuration that is wrong */
export function openByConfig(path: string, options: Omit<SignerOptions, 'config'>) {
  const value = readJson(path) as { readonly kind?: unknown };
  return value.kind === 'utxo'
    ? openUtxoSigner({ ...options, config: parseUtxoConfig(value) })
    : openSigner({ ...options, config: parseConfig(value) });
}
