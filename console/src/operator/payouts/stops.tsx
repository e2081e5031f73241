import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useCurrencies } from '../../api/currencies.ts';
import { DateTime } from '../../components/date-time.tsx';
import { TextInput } from '../../components/field.tsx';
import { combineQueries, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import classes from '../operator.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { resumePayouts, stopPayouts, stopsQuery } from './queries.ts';

interface Change {
  readonly currency: string;
  readonly verb: 'stop' | 'resume';
}

function ConfirmChange({ currency, verb, onClose }: Change & { readonly onClose: () => void }) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [reason, setReason] = useState('');
  const change = (): void => {
    if (verb === 'resume') operation.run(() => resumePayouts(currency), onClose);
    else if (reason.trim() === '') operation.refuse({ reason: t('money.auditReasonNeeded') });
    else operation.run(() => stopPayouts(currency, reason.trim()), onClose);
  };
  return (
    <Confirm
      title={t(`payouts.${verb}Title`, { currency })}
      onClose={onClose}
      confirmLabel={t(`payouts.${verb}`)}
      isDanger={verb === 'stop'}
      outcome={operation}
      onConfirm={change}
    >
      {verb === 'resume' ? (
        <p>{t('payouts.resumeLead')}</p>
      ) : (
        <TextInput
          name="reason"
          label={t('money.auditReason')}
          value={reason}
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      )}
    </Confirm>
  );
}

/** The stop button of each currency that has a network. */
export function Stops() {
  const { t } = useTranslation('operator');
  const both = combineQueries(useCurrencies(), useQuery(stopsQuery));
  const [change, setChange] = useState<Change>();
  return (
    <Section title={t('payouts.stops')} lead={t('payouts.stopsLead')}>
      <QueryBoundary query={both} skeleton={<SkeletonLines count={2} />}>
        {([currencies, stops]) => (
          <ul className={classes.list} aria-label={t('payouts.stops')}>
            {currencies
              .filter(({ networks }) => networks.length > 0)
              .map(({ code: currency }) => {
                const stopped = stops.find((entry) => entry.currency === currency);
                const verb = stopped ? 'resume' : 'stop';
                return (
                  <li key={currency} className={classes.item}>
                    <span className={classes.text}>
                      <strong>{currency}</strong>
                      <span className={classes.small}>
                        {stopped
                          ? t('payouts.stopped', { reason: stopped.reason })
                          : t('payouts.running')}
                        {stopped && (
                          <>
                            {' '}
                            · <DateTime iso={stopped.stopped_at} isShort />
                          </>
                        )}
                      </span>
                    </span>
                    <ChangeButton
                      scope="operator:payouts"
                      variant="default"
                      size="xs"
                      aria-label={t(`payouts.${verb}Name`, { currency })}
                      onClick={() => setChange({ currency, verb })}
                    >
                      {t(`payouts.${verb}`)}
                    </ChangeButton>
                  </li>
                );
              })}
          </ul>
        )}
      </QueryBoundary>
      {change && <ConfirmChange {...change} onClose={() => setChange(undefined)} />}
    </Section>
  );
}
