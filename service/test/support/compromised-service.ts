/** A compromised service: hands anything over to a real signer, on a real chain. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import type { OwnerStore } from '../../../signer/src/owner-store.ts';
import type { Report, SignedHead, TakenPayout } from '../../../signer/src/service-client.ts';
import { toCanonicalJson, writeOrder } from '../../src/payouts/document.ts';
import type { Engine } from './databases.ts';
import { useChainLab } from './payout-chain-lab.ts';
import { type CommonLab, ETH, HOT_WALLET, PAYEE } from './payout-chain-types.ts';
import { useUtxoLab } from './payout-utxo-lab.ts';
import type { SoftPasskey } from './soft-passkey.ts';

/** What it says about the ledger. */
export interface Lies {
  readonly shard0?: object;
  readonly body?: object;
  readonly key?: KeyObject;
}

export type Document = Record<string, unknown>;

export function writeForged(document: Document): { text: string; hash: string } {
  const text = toCanonicalJson(document);
  return { text, hash: createHash('sha256').update(text).digest('base64url') };
}

const keys = generateKeyPairSync('ed25519');
const ledger_keys = [{ kid: 'ledger', x: keys.publicKey.export({ format: 'jwk' }).x ?? '' }];

/** A head that covers the payouts, each by a step of the first shard. */
function writeHead(taken: readonly TakenPayout[], lies: Lies, seen?: number): SignedHead {
  const shard = { seals: 1, transfers: 1, steps: 1000, mac: 'aa' };
  const body = JSON.stringify({
    ...{ kind: 'payout-head', network: 'TESTNET', signed_at: new Date().toISOString() },
    shards: Array.from({ length: 16 }, (_, at) => ({
      ...{ shard: at, ...shard },
      ...(at === 0 && lies.shard0),
    })),
    decisions: {
      last: { position: 5, mac: 'dd' },
      ...(seen !== undefined && { seen: { position: seen, mac: 'dd' } }),
    },
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
    const readBody = <T>() => JSON.parse(String(init?.body)) as T;
    if (url.endsWith('/take')) {
      const { decision_position } = readBody<{ decision_position?: number }>();
      return answer({ payouts: taken, head: writeHead(taken, lies, decision_position) });
    }
    if (!url.endsWith('/reports')) return fetch(url, init);
    reports.push(...readBody<{ reports: Report[] }>().reports);
    return new Response(null, { status: 204 });
  }) as typeof fetch;
}

interface Signer {
  readonly deps: { readonly state: { readonly owners: OwnerStore } };
  start(): Promise<void>;
  cycle(): Promise<void>;
  close(): void;
}

/** What is attacked: a signer of one kind of chain. */
interface Target {
  readonly lab: CommonLab;
  readonly currency: string;
  /** A whole coin. */
  readonly unit: bigint;
  /** Members of a document that depend on the chain. */
  facts(): object;
  /** An address of another user. */
  otherAddress(): Promise<string>;
  open(send: typeof fetch, changes: object): Signer;
  /** Transactions of the hot wallet in this test. */
  countSent(): Promise<number>;
}

function createForger<T extends Target>(target: T) {
  const { lab, unit } = target;
  const forger = {
    ...target,
    lies: {} as Lies,
    makeDocument(changes: object = {}): Document {
      const now = new Date().toISOString();
      return {
        ...{ version: 1, payout_id: 7, user_id: lab.user, network: 'TESTNET', contract: null },
        ...{ request_id: 'request-7', chain_id: null, address_prefix: null, ...target.facts() },
        ...{ currency: target.currency, amount: String(2n * unit), attempt: 1 },
        ...{ requested_at: now, issued_at: now, ...changes },
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
    /** What the owner of a document signs with a passkey. */
    signAsOwner(document: Document, passkey: SoftPasskey): Required<Pick<TakenPayout, 'owner'>> {
      const { version, payout_id, requested_at, attempt, issued_at, ...facts } = document;
      const { hash } = writeOrder(facts as unknown as Parameters<typeof writeOrder>[0]);
      const public_key = passkey.publicKey.toString('base64url');
      return { owner: { public_key, passkey_credential: passkey.assert(hash) } };
    },
    /** Runs a signer that gets these; returns its reports. */
    async handOver(taken: readonly TakenPayout[], changes: object = {}): Promise<Report[]> {
      const reports: Report[] = [];
      const send = createSend(taken, forger.lies, reports);
      const signer = target.open(send, { ledger_keys, ...changes });
      try {
        await signer.start();
        await signer.cycle();
        await signer.cycle();
      } finally {
        signer.close();
      }
      return reports;
    },
    async expectRefused(taken: TakenPayout, reason: RegExp, changes = {}): Promise<void> {
      const before = await target.countSent();
      const [report] = await forger.handOver([taken], changes);
      expect(report).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(reason) });
      expect(await target.countSent()).toBe(before);
    },
  };
  beforeEach(() => {
    forger.lies = {};
  });
  return forger;
}
export type Forger = ReturnType<typeof createForger<Target>>;

/** Registers the hooks; each test has a new state of the signer. */
export function useCompromisedService(engine: Engine) {
  const lab = useChainLab(engine, { isShared: true });
  let [state, before] = [0, 0];
  const countNonces = async (): Promise<number> =>
    Number(await lab.anvil.call('eth_getTransactionCount', [HOT_WALLET, 'pending']));
  beforeEach(async () => {
    state++;
    before = await countNonces();
  });
  return createForger({
    ...{ lab, currency: 'ETH', unit: ETH },
    facts: () => ({ chain_id: 31337, address: PAYEE }),
    otherAddress: async () => '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    open(send: typeof fetch, changes: object) {
      const state_file = join(lab.folder, `${state}.sqlite`);
      const documents_since = '2000-01-01T00:00:00Z';
      return lab.open({ send, config: lab.config({ state_file, documents_since, ...changes }) });
    },
    countSent: async () => (await countNonces()) - before,
    /** The signer loses its state. */
    loseState: () => void state++,
  });
}

/** Registers the hooks; each test has a new hot wallet with three coins. */
export function useCompromisedUtxoService() {
  const lab = useUtxoLab();
  /** Blocks from before this test hold its funds only. */
  let start = 0;
  beforeEach(async () => {
    await lab.fund(10, 10, 10);
    start = await lab.node.height();
  });
  return createForger({
    ...{ lab, currency: 'LTC', unit: 100_000_000n },
    facts: () => ({ address_prefix: 'rltc', address: lab.payee }),
    otherAddress: () => lab.node.call<string>('getnewaddress', ['', 'bech32']),
    open: (send: typeof fetch, changes: object) => lab.open({ send, config: lab.config(changes) }),
    /** Each leaves a coin of change. */
    async countSent() {
      await lab.node.mine();
      const scan = await lab.node.call<{ unspents: { height: number }[] }>('scantxoutset', [
        'start',
        [`addr(${lab.hotWallet})`],
      ]);
      return scan.unspents.filter(({ height }) => height > start).length;
    },
  });
}
