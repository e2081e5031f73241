/** Limits that are exceeded, as in `deploy/prometheus/alerts.yml` (a test compares them). */
import type { Alert, AlertName, NetworkState } from './schemas.ts';

const HOUR_S = 3600;

/** The limits of the alerts that have one. */
export const LIMITS = {
  EdgeAccountCodesLate: 60,
  EdgeAccountSettlementLate: HOUR_S,
  EdgeAccountSettlementFailed: 0,
  EdgeAccountWebhooksLate: HOUR_S,
  EdgeAccountCommunityQueue: 10_000,
  EdgeAccountPayoutMismatch: 0,
  EdgeAccountHotWalletSmall: 0,
  EdgeAccountPayoutsLate: HOUR_S,
} as const satisfies Partial<Record<AlertName, number>>;

/** Reasons for which the signer is waited for. */
const SIGNER_REASONS = /^(approved_by_.*|taken_by_signer|in_pool)$/;

export interface Measured {
  readonly now: Date;
  readonly networks: readonly NetworkState[];
  /** False where codes wait in the mailbox of development, which is no delay. */
  readonly sendsMail: boolean;
  readonly codesOldest_s: number;
  readonly webhooksOldest_s: number;
  readonly settlementLag_s: number;
  readonly failedSettlements: number;
  readonly communityQueue: number;
  readonly payouts: readonly {
    readonly reason_code: string;
    readonly count: number;
    readonly oldest_at: Date;
  }[];
}

export function findAlerts(measured: Measured): Alert[] {
  const { now, payouts } = measured;
  const countOf = (reason: string): number =>
    payouts.find(({ reason_code }) => reason_code === reason)?.count ?? 0;
  const signerWaits_s = payouts
    .filter(({ reason_code }) => SIGNER_REASONS.test(reason_code))
    .map(({ oldest_at }) => (now.getTime() - oldest_at.getTime()) / 1000);
  const values: Record<keyof typeof LIMITS, number> = {
    EdgeAccountCodesLate: measured.sendsMail ? measured.codesOldest_s : 0,
    EdgeAccountSettlementLate: measured.settlementLag_s,
    EdgeAccountSettlementFailed: measured.failedSettlements,
    EdgeAccountWebhooksLate: measured.webhooksOldest_s,
    EdgeAccountCommunityQueue: measured.communityQueue,
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
    ...ofState('halted', 'EdgeAccountChainHalted'),
    ...ofState('stalled', 'EdgeAccountChainStalled'),
    ...names.filter((name) => values[name] > LIMITS[name]).map((alert) => ({ alert })),
  ];
}
