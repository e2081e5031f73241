/**
 * Verifies the signed head of the ledger that comes with payouts. The ledger only grows: a service
 * that was reset to an earlier state, or that hands over money which no hold covers, gets nothing.
 */
import { createPublicKey, verify } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { SignerConfig } from './config.ts';
import type { SignedHead, Taken, TakenPayout } from './service-client.ts';

/** Ids of the ledger's steps are n * 16 + shard + 1. */
const SHARDS = 16;
const Count = Type.Integer({ minimum: 0 });

/** A place in the audit log of decisions about payouts, with its seal. */
const Place = Type.Object({ position: Count, mac: Type.String() });

const HeadSchema = Type.Object({
  kind: Type.Literal('payout-head'),
  network: Type.String(),
  signed_at: Type.String(),
  shards: Type.Array(
    Type.Object({
      shard: Count,
      seals: Count,
      transfers: Count,
      steps: Count,
      mac: Type.String(),
    }),
    { minItems: SHARDS, maxItems: SHARDS },
  ),
  /** Absent in heads from before the audit log was part of them. */
  decisions: Type.Optional(Type.Object({ last: Place, seen: Type.Optional(Place) })),
  holds: Type.Array(
    Type.Object({ payout_id: Count, document_hash: Type.String(), step: Type.Optional(Count) }),
  ),
});
export type Head = Static<typeof HeadSchema>;
export type HeadConfig = Pick<SignerConfig, 'ledger_keys' | 'head_age_max_s' | 'network'>;

/** The head cannot be trusted: nothing that came with it is looked at. */
export class HeadError extends Error {}

function isSigned({ ledger_keys }: HeadConfig, { body, signature, kid }: SignedHead): boolean {
  const x = ledger_keys.find((key) => key.kid === kid)?.x;
  if (x === undefined) return false;
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(body), key, Buffer.from(signature, 'base64url'));
}

/** @throws HeadError for a text that is no head */
export function parseHead(body: string): Head {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new HeadError('the head of the ledger is not JSON');
  }
  if (!Value.Check(HeadSchema, value)) throw new HeadError('the head has another form');
  return value;
}

/** @throws HeadError when the ledger has lost something since the head before */
function checkGrowth(head: Head, before: Head): void {
  if (Date.parse(head.signed_at) < Date.parse(before.signed_at))
    throw new HeadError('the head of the ledger is older than the one before');
  for (const last of before.shards) {
    const now = head.shards.find(({ shard }) => shard === last.shard);
    const isBehind =
      !now ||
      now.seals < last.seals ||
      now.transfers < last.transfers ||
      now.steps < last.steps ||
      (now.seals === last.seals && now.mac !== last.mac);
    if (isBehind) throw new HeadError(`the ledger went back in its shard ${last.shard}`);
  }
  checkLog(head, before.decisions?.last);
}

/**
 * The log still has the last entry that was seen, with the same seal: nothing of it was removed or
 * changed, also when other entries have come since. @throws HeadError
 */
function checkLog({ decisions }: Head, last: Static<typeof Place> | undefined): void {
  if (!last) return;
  const seen = decisions?.seen;
  if (seen?.position !== last.position || seen.mac !== last.mac)
    throw new HeadError(`the log of decisions has lost its entry ${last.position}`);
}

export interface HeadContext {
  readonly config: HeadConfig;
  /** Body of the last one that was accepted. */
  readonly before: string | undefined;
  readonly now: number;
}

/**
 * The head of payouts that were handed over.
 * @throws HeadError unless a known key signed it lately, and it follows the one before
 */
export function verifyHead({ head: signed }: Taken, { config, before, now }: HeadContext): Head {
  if (!signed) throw new HeadError('the payouts came without a head of the ledger');
  if (!isSigned(config, signed)) throw new HeadError('no known key signed the head of the ledger');
  const head = parseHead(signed.body);
  if (head.network !== config.network) throw new HeadError('the head is for another network');
  const age_ms = Math.abs(now - Date.parse(head.signed_at));
  if (!(age_ms <= config.head_age_max_s * 1000)) throw new HeadError('the head is not of now');
  if (!head.decisions) throw new HeadError('the head says nothing of the log of decisions');
  if (before !== undefined) checkGrowth(head, parseHead(before));
  return head;
}

/** The step of the ledger that holds the money of a payout; undefined: the head covers none. */
export function findCoveredStep(
  head: Head,
  { payout_id, document_hash }: TakenPayout,
): number | undefined {
  const hold = head.holds.find((one) => one.payout_id === payout_id);
  if (hold?.step === undefined || hold.document_hash !== document_hash) return undefined;
  const [shard, n] = [(hold.step - 1) % SHARDS, Math.floor((hold.step - 1) / SHARDS)];
  const steps = head.shards.find((one) => one.shard === shard)?.steps ?? 0;
  return n < steps ? hold.step : undefined;
}
