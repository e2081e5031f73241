import { DateTime } from '../../components/date-time.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useNetworkName } from '../network-name.ts';
import classes from '../operator.module.css';
import { PersonName } from '../person-name.tsx';
import type { ReviewedPayout } from './queries.ts';

/** A person, or what else decides: `user:5`, `policy:3`, `chain:POLYGON`. */
function Decider({ code }: { readonly code: string }) {
  const { t } = useTranslation('operator');
  const nameOf = useNetworkName();
  const [, kind = '', id = ''] = /^(\w+):(.*)$/s.exec(code) ?? [];
  if (kind === 'user') return <PersonName userId={Number(id)} />;
  const named = kind === 'chain' ? nameOf(id) : id;
  return t.find('operator', `payouts.decider.${kind}`, { id: named }) ?? code;
}

/** What was decided about a payout so far, and by whom. */
export function Decisions({ payout: { decisions } }: { readonly payout: ReviewedPayout }) {
  const { t } = useTranslation('operator');
  if (decisions.length === 0) return null;
  return (
    <>
      <h3>{t('payouts.decisions')}</h3>
      <ul className={classes.list} aria-label={t('payouts.decisions')}>
        {decisions.map(({ decision, decided_by, created_at, details }) => (
          <li key={`${decided_by} ${created_at}`} className={classes.item}>
            <span className={classes.text}>
              {t.find('operator', `payouts.decision.${decision}`) ?? decision}
              <span className={classes.small}>
                <Decider code={decided_by} /> · <DateTime iso={created_at} isShort />
              </span>
              {[details.remark, details.reason].map(
                (words) =>
                  typeof words === 'string' && (
                    <span key={words} className={classes.small}>
                      {words}
                    </span>
                  ),
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
