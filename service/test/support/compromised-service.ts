/** A compromised service: hands anything over to a real signer, on a real chain. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import type { Report, SignedHead, TakenPayout } from '../../../signer/src/service-client.ts';
import { toCanonicalJson } from '../../src/payouts/document.ts';
import type { Engine } from './databases.ts';
import { useChainLab } from './payout-chain-lab.ts';
import { type ChainLab, ETH, HOT_WALLET, PAYEE } from './payout-chain-types.ts';

/** What it says about the ledger. */
export interface Lies {
  readonly shard0?: object;
  readonly body?: object;
  readonly key?: KeyObject;
}

type Document = Record<string, unknown>;

export function writeForged(document: Document): { text: string; hash: string } {
  const text = toCanonicalJson(document);
  return { text, hash: createHash('sha256').update(text).digest('base64url') };
}

const keys = generateKeyPairSync('ed25519');
export const ledger_keys = [{ kid: 'ledger', x: keys.publicKey.export({ format: 'jwk' }).x ?? '' }];

/** A head that covers the payouts, each by a step of the first shard. */
export function writeHead(taken: readonly TakenPayout[], lies: Lies = {}): SignedHead {
  const shard = { seals: 1, transfers: 1, steps: 1000, mac: 'aa' };
  const body = JSON.stringify({
    ...{ kind: 'payout-head', network: 'TESTNET', signed_at: new Date().toISOString() },
    shards: Array.from({ length: 16 }, (_, at) => ({
      ...{ shard: at, ...shard },
      ...(at === 0 && lies.shard0),
    })),
    holds: taken.map(({ payout_id, document_hash }) => ({
      ...{ payout_id, document_hash, step: payout_id * 16 + 1 },
    })),
    ...lies.body,
  });
  const signature = sign(null, Buffer.from(body), lies.key ?? keys.privateKey);
  return { body, kid: 'ledger', signature: signature.toString('base64url') };
}

/** Answers the signer's calls; what it reports is added to `reports`. */
function createSend(taken: readonly TakenPayout[], lies: Lies, reports: Report[]): typeof fetch {
  const answer = (body: unknown) => new Response(JSON.stringify(body));
  return (async (url: string, init?: RequestInit) => {
    if (url.endsWith('/oauth2/token')) return answer({ access_token: 'x', expires_in: 3600 });
    if (url.endsWith('/take')) return answer({ payouts: taken, head: writeHead(taken, lies) });
    if (!url.endsWith('/reports')) return fetch(url, init);
    reports.push(...(JSON.parse(String(init?.body)) as { reports: Report[] }).reports);
    return new Response(null, { status: 204 });
  }) as typeof fetch;
}

const countNonces = async ({ anvil }: ChainLab): Promise<number> =>
  Number(await anvil.call('eth_getTransactionCount', [HOT_WALLET, 'pending']));

function createDocuments(lab: ChainLab) {
  return {
    makeDocument(changes: object = {}): Document {
      const now = new Date().toISOString();
      return {
        ...{ version: 1, payout_id: 7, user_id: lab.user, network: 'TESTNET', chain_id: 31337 },
        ...{ address_prefix: null, currency: 'ETH', contract: null, address: PAYEE },
        ...{ amount: String(2n * ETH), requested_at: now, attempt: 1, issued_at: now, ...changes },
      };
    },
    /** A payout as it is handed over, approved by operators of the lab. */
    make(document: Document, approvers: readonly number[] = [0]): TakenPayout {
      const { text, hash } = writeForged(document);
      return {
        payout_id: document.payout_id as number,
        document: text,
        document_hash: hash,
        approvals: approvers.map((at) => {
          const { userId, passkey } = lab.operators[at === 0 ? 0 : 1];
          return { user_id: userId, passkey_credential: passkey.assert(hash) };
        }),
      };
    },
  };
}

/** Registers the hooks; each test has a new state of the signer. */
export function useCompromisedService(engine: Engine) {
  const lab = useChainLab(engine, { isShared: true });
  let state = 0;
  let before = 0;
  const forger = {
    lab,
    lies: {} as Lies,
    ...createDocuments(lab),
    /** The signer loses its state. */
    loseState: () => void state++,
    /** Runs a signer that gets these; returns its reports. */
    async handOver(taken: readonly TakenPayout[], changes: object = {}): Promise<Report[]> {
      const reports: Report[] = [];
      const state_file = join(lab.folder, `${state}.sqlite`);
      const documents_since = '2000-01-01T00:00:00Z';
      const config = lab.config({ state_file, documents_since, ledger_keys, ...changes });
      const signer = lab.open({ send: createSend(taken, forger.lies, reports), config });
      try {
        await signer.start();
        await signer.cycle();
        await signer.cycle();
      } finally {
        signer.close();
      }
      return reports;
    },
    /** Transactions of the hot wallet in this test. */
    countSent: async (): Promise<number> => (await countNonces(lab)) - before,
    async expectRefused(taken: TakenPayout, reason: RegExp, changes = {}): Promise<void> {
      const [report] = await forger.handOver([taken], changes);
      expect(report).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(reason) });
      expect(await forger.countSent()).toBe(0);
    },
  };
  beforeEach(async () => {
    forger.lies = {};
    forger.loseState();
    before = await countNonces(lab);
  });
  return forger;
}
