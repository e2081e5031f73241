import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Amount, amountText } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { TextInput } from '../../components/field.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { Confirm } from '../../components/sheet.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { depositStatusText } from '../../i18n/labels.ts';
import { operatorDepositReasonText } from '../../i18n/message-code-text.ts';
import { ChangeButton, DEPOSITS } from '../allows.tsx';
import classes from '../operator.module.css';
import { FullPersonName, PersonName } from '../person-name.tsx';
import rows from '../rows.module.css';
import { useOperation } from '../use-operator-mutation.ts';
import { useRequestKeys } from '../use-request-keys.ts';
import { DepositFilters } from './deposit-filters.tsx';
import {
  type DepositDecision,
  type DepositStatus,
  decideDeposit,
  depositsQuery,
  type OperatorDeposit,
  type OperatorDepositFilter,
} from './queries.ts';

/** What can be done with a deposit; in the order in which the statuses are offered. */
const VERBS: Readonly<Record<DepositStatus, readonly DepositDecision[]>> = {
  on_hold: ['release', 'reject'],
  confirming: ['hold', 'reject'],
  credited: [],
  rejected: ['release'],
  below_minimum: ['release', 'reject'],
  unsupported: ['hold', 'reject'],
  orphaned: ['hold', 'reject'],
  reversed: [],
};
/** What waits for a decision. */
export const FIRST_SHOWN = 'on_hold';
const STATUSES = Object.keys(VERBS) as DepositStatus[];

interface Decision {
  readonly deposit: OperatorDeposit;
  readonly verb: DepositDecision;
}

function ConfirmDecision({ deposit, verb, onClose }: Decision & { readonly onClose: () => void }) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const why = operatorDepositReasonText(t, deposit);
  const [reason, setReason] = useState('');
  const keyOf = useRequestKeys();
  const decide = (): void => {
    if (verb !== 'release' && reason.trim() === '')
      operation.refuse({ reason: t('money.reasonNeeded') });
    else
      operation.run(async () => {
        const key = keyOf([verb, reason.trim()]);
        await decideDeposit(deposit.id, verb, { reason: reason.trim(), key });
        const amount = amountText(deposit.amount, deposit.currency);
        showToast(t(`money.done.${verb}`, { amount }));
      }, onClose);
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
        {` · ${deposit.network_name}`}
      </p>
      <p>
        <FullPersonName userId={deposit.user_id} />
      </p>
      {why !== undefined && <p>{why}</p>}
      <p>
        <code className={classes.address}>{deposit.tx_hash}</code>
      </p>
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

interface ItemProps {
  readonly deposit: OperatorDeposit;
  readonly hasStatus: boolean;
  readonly onDecide: (decision: Decision) => void;
}

function DepositItem({ deposit, hasStatus, onDecide }: ItemProps) {
  const { t } = useTranslation('operator');
  return (
    <li className={classes.item}>
      <span className={classes.text}>
        <Amount value={deposit.amount} currency={deposit.currency} />
        <span className={classes.small}>
          <PersonName userId={deposit.user_id} /> · {deposit.network_name} ·{' '}
          <DateTime iso={deposit.detected_at} isShort />
          {hasStatus && <> · {depositStatusText(t, deposit.status)}</>}
        </span>
        {deposit.reason !== undefined && (
          <span className={classes.small}>{operatorDepositReasonText(t, deposit)}</span>
        )}
      </span>
      <span className={classes.buttons}>
        {VERBS[deposit.status].map((verb) => (
          <ChangeButton
            key={verb}
            scope={DEPOSITS}
            variant="default"
            size="xs"
            onClick={() => onDecide({ deposit, verb })}
          >
            {t(`money.${verb}`)}
          </ChangeButton>
        ))}
      </span>
    </li>
  );
}

interface ListProps {
  readonly filter: OperatorDepositFilter;
}

function DepositList({ filter }: ListProps) {
  const { t } = useTranslation('operator');
  const found = useInfiniteQuery(depositsQuery(filter));
  const [decision, setDecision] = useState<Decision>();
  const list = found.data?.pages.flatMap(({ records }) => records) ?? [];
  const { status, ...others } = filter;
  const isFirst = status === FIRST_SHOWN && Object.values(others).every((one) => one === undefined);
  return (
    <>
      <QueryBoundary query={found} skeleton={<SkeletonLines count={2} />}>
        {() =>
          list.length === 0 ? (
            <EmptyState icon="check" title={t(isFirst ? 'money.noDeposits' : 'deposits:noMatch')} />
          ) : (
            <>
              <ul className={classes.list}>
                {list.map((deposit) => (
                  <DepositItem
                    key={deposit.id}
                    deposit={deposit}
                    hasStatus={status === undefined}
                    onDecide={setDecision}
                  />
                ))}
              </ul>
              <div className={rows.more}>
                {found.hasNextPage && <MoreButton query={found} label={t('payouts.more')} />}
              </div>
            </>
          )
        }
      </QueryBoundary>
      {decision && <ConfirmDecision {...decision} onClose={() => setDecision(undefined)} />}
    </>
  );
}

/** Deposits by status: held before they are credited, released to be credited, or rejected. */
export function Deposits() {
  const { t } = useTranslation('operator');
  const [filter, setFilter] = useState<OperatorDepositFilter>({ status: FIRST_SHOWN });
  return (
    <Section title={t('money.deposits')} lead={t('money.depositsLead')}>
      <DepositFilters statuses={STATUSES} filter={filter} onChange={setFilter} />
      <DepositList key={JSON.stringify(filter)} filter={filter} />
    </Section>
  );
}
