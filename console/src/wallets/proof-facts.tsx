import { type LineProof, type RewardProof, toLineProofs } from '@edge-account/sdk/reward-proof';
import { Amount } from '../components/amount.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Facts } from '../components/description-list.tsx';
import { useTranslation } from '../i18n/index.ts';
import { decimalOf } from '../lib/money-text.ts';
import classes from './wallets.module.css';

/** Millionths are a ten-thousandth of a percent. */
const PERCENT_SCALE = 4;

interface Basis {
  readonly what: 'online' | 'bytes' | 'implausible' | 'base';
  /** Decimals of the quantity as the line counts it. */
  readonly scale: number;
  readonly unit: string;
  /** What the rate is paid for. */
  readonly per: string;
}

function basisOf({ line, bill }: LineProof): Basis {
  if (line.level === 0 && line.reward_type === 'UPTIME')
    return { what: 'online', scale: 3, unit: 's', per: `${bill.currency} / h` };
  if (line.level === 0 && line.reward_type === 'TRAFFIC')
    return { what: 'bytes', scale: 9, unit: 'GB', per: `${bill.currency} / GB` };
  if (line.reward_type === 'PENALTY')
    return { what: 'implausible', scale: 0, unit: '', per: bill.currency };
  return { what: 'base', scale: bill.scale, unit: bill.currency, per: '%' };
}

/**
 * The calculation in the reader's words: the document's own sentence is English, for programs and
 * auditors. A bill of a day has one for each of its lines, by hour.
 */
export function ProofFacts({ proof }: { readonly proof: RewardProof }) {
  const lines = toLineProofs(proof);
  const [only] = lines;
  if (only && lines.length === 1) return <LineFacts proof={only} />;
  return (
    <div className={classes.hours}>
      {lines.map((given) => (
        <details key={`${given.line.batch}/${given.line.leaf}`}>
          <summary>
            <DateTime iso={given.line.hour} />
            <Amount
              value={decimalOf(BigInt(given.line.amount), given.bill.scale)}
              currency={given.bill.currency}
            />
          </summary>
          <LineFacts proof={given} />
        </details>
      ))}
    </div>
  );
}

function LineFacts({ proof }: { readonly proof: LineProof }) {
  const { t } = useTranslation('wallets');
  const { line, bill, reports } = proof;
  const { what, scale, unit, per } = basisOf(proof);
  const money = (minor: string) => decimalOf(BigInt(minor), bill.scale);
  return (
    <Facts
      facts={[
        [t('proof.hour'), <DateTime key="hour" iso={line.hour} />],
        [
          t(`proof.${what}`),
          <Amount
            digits="exact"
            key="quantity"
            value={decimalOf(BigInt(line.quantity), scale)}
            currency={unit}
          />,
        ],
        [
          t('proof.rate'),
          <Amount
            digits="exact"
            key="rate"
            value={per === '%' ? decimalOf(BigInt(line.rate), PERCENT_SCALE) : money(line.rate)}
            currency={per}
          />,
        ],
        [
          t('proof.before'),
          BigInt(line.settled_before) !== 0n && (
            <Amount digits="exact" value={money(line.settled_before)} currency={bill.currency} />
          ),
        ],
        [
          t('proof.makes'),
          <Amount digits="exact" key="makes" value={money(line.amount)} currency={bill.currency} />,
        ],
        [t('proof.rules'), String(line.rule_version)],
        [t('proof.device'), line.node_id],
        [t('proof.reports'), reports.length > 0 && String(reports.length)],
        [t('proof.batch'), String(line.batch)],
      ]}
    />
  );
}
