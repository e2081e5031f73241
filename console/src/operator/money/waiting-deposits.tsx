import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { TextInput } from '../../components/field.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { depositReasonText } from '../../i18n/message-code-text.ts';
import { ChangeButton } from '../allows.tsx';
import classes from '../operator.module.css';
import { FullPersonName, PersonName } from '../person-name.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { decideDeposit, type OperatorDeposit, waitingDepositsQuery } from './queries.ts';

interface Decision {
  readonly deposit: OperatorDeposit;
  readonly verb: 'release' | 'reject';
}

function ConfirmDecision({ deposit, verb, onClose }: Decision & { readonly onClose: () => void }) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [reason, setReason] = useState('');
  const keyOf = useRequestKeys();
  const decide = (): void => {
    if (verb === 'reject' && reason.trim() === '')
      operation.refuse({ reason: t('money.reasonNeeded') });
    else
      operation.run(
        () =>
          decideDeposit(deposit.id, verb, {
            reason: reason.trim(),
            key: keyOf([verb, reason.trim()]),
          }),
        onClose,
      );
  };
  return (
    <Confirm
      title={t(`money.${verb}Title`)}
      onClose={onClose}
      confirmLabel={t(`money.${verb}`)}
      isDanger={verb === 'reject'}
      outcome={operation}
      onConfirm={decide}
    >
      <p>
        <Amount value={deposit.amount} currency={deposit.currency} size="lg" digits="exact" />
      </p>
      <p>
        <FullPersonName userId={deposit.user_id} />
      </p>
      <p className={classes.address}>{deposit.tx_hash}</p>
      <p>{t(`money.${verb}Lead`)}</p>
      <TextInput
        name="reason"
        label={t('money.reason')}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirm>
  );
}

/** Deposits on hold: released to be credited, or rejected. */
export function WaitingDeposits() {
  const { t } = useTranslation('operator');
  const deposits = useQuery(waitingDepositsQuery);
  const [decision, setDecision] = useState<Decision>();
  return (
    <Section title={t('money.deposits')} lead={t('money.depositsLead')}>
      <QueryBoundary query={deposits} skeleton={<SkeletonLines count={2} />}>
        {({ records }) =>
          records.length === 0 ? (
            <EmptyState icon="check" title={t('money.noDeposits')} />
          ) : (
            <ul className={classes.list}>
              {records.map((deposit) => (
                <li key={deposit.id} className={classes.item}>
                  <span className={classes.text}>
                    <Amount value={deposit.amount} currency={deposit.currency} />
                    <span className={classes.small}>
                      <PersonName userId={deposit.user_id} /> · {deposit.network_name} ·{' '}
                      <DateTime iso={deposit.detected_at} isShort />
                    </span>
                    {deposit.reason !== undefined && (
                      <span className={classes.small}>{depositReasonText(t, deposit)}</span>
                    )}
                  </span>
                  <span className={classes.buttons}>
                    <ChangeButton
                      scope="operator:chains"
                      variant="default"
                      size="xs"
                      onClick={() => setDecision({ deposit, verb: 'release' })}
                    >
                      {t('money.release')}
                    </ChangeButton>
                    <ChangeButton
                      scope="operator:chains"
                      variant="default"
                      size="xs"
                      onClick={() => setDecision({ deposit, verb: 'reject' })}
                    >
                      {t('money.reject')}
                    </ChangeButton>
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {decision && <ConfirmDecision {...decision} onClose={() => setDecision(undefined)} />}
    </Section>
  );
}
