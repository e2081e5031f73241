/** The signer of the demo: a process with a key, a funded hot wallet and limits of its own. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_NETWORK } from '../support/chains/demo-chain.ts';
import { CHILD_FLAGS, childCache } from '../support/child-node.ts';
import { HOT_KEY, HOT_WALLET } from '../support/payout-chain-types.ts';
import { expectOk } from './http-client.ts';
import type { PayoutOptions } from './make-payout.ts';

const MAIN = new URL('../../../signer/src/main.ts', import.meta.url).pathname;
const MILLION = '1000000000000';

interface Key {
  readonly kid: string;
  readonly x: string;
}

/** The keys of the ledger's heads; the first head makes one. */
async function readLedgerKeys({ baseUrl, operatorToken: token }: PayoutOptions): Promise<Key[]> {
  await expectOk(`${baseUrl}/operator/ledger/heads`, { method: 'POST', token });
  const { keys } = await expectOk<{ keys: Key[] }>(`${baseUrl}/.well-known/ledger-keys.json`);
  return keys.map(({ kid, x }) => ({ kid, x }));
}

async function makeConfig(
  options: PayoutOptions,
  clientId: string,
  folder: string,
): Promise<object> {
  const { baseUrl, chain } = options;
  const usdt = {
    currency: 'USDT',
    contract: chain.usdt.toLowerCase(),
    ...{ payout_max: MILLION, hour_max: MILLION, address_hour_max: MILLION },
    // Below, the policy of the service decides alone, within the limits of the hour.
    ...{ automatic_max: '50000000', four_eyes_above: '100000000' },
  };
  return {
    ...{ service_url: baseUrl, client_id: clientId, state_file: join(folder, 'signer.sqlite') },
    ...{ network: DEMO_NETWORK, chain_id: chain.chainId, rpc_url: chain.url },
    tokens: [usdt],
    operators: [],
    ledger_keys: await readLedgerKeys(options),
    ...{ rp_id: new URL(baseUrl).hostname, origins: [new URL(baseUrl).origin] },
    max_fee_per_gas: '100000000000',
    max_priority_fee_per_gas: '1000000000',
    gas_budget_day: '1000000000000000000',
    confirmations: chain.confirmations,
    poll_ms: 100,
  };
}

/** Starts the signer; returns what stops it. */
export async function runSigner(options: PayoutOptions): Promise<() => Promise<void>> {
  const { baseUrl, operatorToken, chain, print } = options;
  const { client_id, client_secret } = await expectOk<Record<string, string>>(
    `${baseUrl}/operator/clients`,
    {
      token: operatorToken,
      body: {
        client_name: 'Demo signer',
        type: 'confidential',
        redirect_uris: [],
        scopes: ['operator:payouts-sign'],
        grant_types: ['client_credentials'],
      },
    },
  );
  await chain.fund(HOT_WALLET, 1000);
  const folder = mkdtempSync(join(tmpdir(), 'edge-signer-'));
  const path = join(folder, 'config.json');
  writeFileSync(path, JSON.stringify(await makeConfig(options, client_id ?? '', folder)));
  const child = spawn(process.execPath, [...CHILD_FLAGS, MAIN, path], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      ...childCache(),
      SIGNER_KEY: HOT_KEY,
      SIGNER_CLIENT_SECRET: client_secret,
    },
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  print(`   edge-signer pays from ${HOT_WALLET}`);
  return async () => {
    child.kill('SIGTERM');
    await exited;
    rmSync(folder, { recursive: true });
  };
}
