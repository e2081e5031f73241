/**
 * Limits that are exceeded, as in `deploy/prometheus/alerts.yml` (a test compares them), and what a
 * verification of the books found.
 */
import type { Alert, AlertName, NetworkState } from './schemas.ts';

const HOUR_S = 3600;
/** The books are verified daily; one day may be missed. */
const VERIFIED_WITHIN_MS = 2 * 24 * HOUR_S * 1000;

/** The limits of the alerts that have one. */
export const LIMITS = {
  EdgeAccountCodesLate: 60,
  EdgeAccountSettlementLate: HOUR_S,
  EdgeAccountSettlementFailed: 0,
  EdgeAccountWebhooksLate: HOUR_S,
  EdgeAccountPushesLate: 600,
  EdgeAccountCommunityQueue: 10_000,
  EdgeAccountRetentionLate: HOUR_S,
  EdgeAccountPayoutMismatch: 0,
  EdgeAccountHotWalletSmall: 0,
  EdgeAccountPayoutsLate: HOUR_S,
} as const satisfies Partial<Record<AlertName, number>>;

/** Reasons for which the signer is waited for. */
const SIGNER_REASONS = /^(approved_by_.*|taken_by_signer|in_pool)$/;

export interface Measured {
  readonly now: Date;
  readonly networks: readonly NetworkState[];
  readonly codesOldest_s: number;
  readonly webhooksOldest_s: number;
  readonly pushesOldest_s: number;
  /** By table. */
  readonly retentionOverdue_s: Readonly<Record<string, number>>;
  readonly settlementLag_s: number;
  readonly failedSettlements: number;
  readonly communityQueue: number;
  readonly payouts: readonly {
    readonly reason_code: string;
    readonly count: number;
    readonly oldest_at: Date;
  }[];
  /** The last one that was recorded; the page says so when there is none. */
  readonly verification?: { readonly at: Date; readonly findings: number } | undefined;
}

function judgeVerification({ now, verification }: Measured): Alert[] {
  if (!verification) return [];
  const { at, findings } = verification;
  const isOld = now.getTime() - at.getTime() > VERIFIED_WITHIN_MS;
  return [
    ...(findings > 0 ? [{ alert: 'EdgeAccountBooksDiffer' } as const] : []),
    ...(isOld ? [{ alert: 'EdgeAccountBooksUnverified' } as const] : []),
  ];
}

export function findAlerts(measured: Measured): Alert[] {
  const { now, payouts } = measured;
  const countOf = (reason: string): number =>
    payouts.find(({ reason_code }) => reason_code === reason)?.count ?? 0;
  const signerWaits_s = payouts
    .filter(({ reason_code }) => SIGNER_REASONS.test(reason_code))
    .map(({ oldest_at }) => (now.getTime() - oldest_at.getTime()) / 1000);
  const values: Record<keyof typeof LIMITS, number> = {
    EdgeAccountCodesLate: measured.codesOldest_s,
    EdgeAccountSettlementLate: measured.settlementLag_s,
    EdgeAccountSettlementFailed: measured.failedSettlements,
    EdgeAccountWebhooksLate: measured.webhooksOldest_s,
    EdgeAccountPushesLate: measured.pushesOldest_s,
    EdgeAccountCommunityQueue: measured.communityQueue,
    EdgeAccountRetentionLate: Math.max(0, ...Object.values(measured.retentionOverdue_s)),
    EdgeAccountPayoutMismatch: countOf('transaction_mismatch'),
    EdgeAccountHotWalletSmall: countOf('waits_for_hot_wallet'),
    EdgeAccountPayoutsLate: Math.max(0, ...signerWaits_s),
  };
  const names = Object.keys(LIMITS) as (keyof typeof LIMITS)[];
  const ofState = (state: NetworkState['state'], alert: AlertName): Alert[] =>
    measured.networks
      .filter((network) => network.state === state)
      .map(({ network }) => ({ alert, network }));
  return [
    ...judgeVerification(measured),
    ...ofState('halted', 'EdgeAccountChainHalted'),
    ...ofState('stalled', 'EdgeAccountChainStalled'),
    ...names.filter((name) => values[name] > LIMITS[name]).map((alert) => ({ alert })),
  ];
}
