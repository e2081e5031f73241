/** A run of the settlement in full, and the way to close one that cannot continue. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useRewardCurrency } from '../../api/currencies.ts';
import { Amount } from '../../components/amount.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { TextInput } from '../../components/field.tsx';
import { Confirm, Sheet } from '../../components/sheet.tsx';
import { Text } from '../../components/text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { ChangeButton } from '../allows.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { closeSettlement, type Settlement } from './queries.ts';
import { useRunText } from './run-text.ts';
import classes from './settlements.module.css';

interface Props {
  readonly settlement: Settlement;
  readonly onClose: () => void;
}

function ConfirmClosing({ settlement: { id }, onClose }: Props) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [reason, setReason] = useState('');
  const close = (): void => {
    if (reason.trim() === '') operation.refuse({ reason: t('settlements.reasonNeeded') });
    else operation.run(() => closeSettlement(id, reason.trim()), onClose);
  };
  return (
    <Confirm
      title={t('settlements.closeTitle', { id })}
      onClose={onClose}
      confirmLabel={t('settlements.close')}
      isDanger
      outcome={operation}
      onConfirm={close}
    >
      <p>{t('settlements.closeLead')}</p>
      <TextInput
        name="reason"
        label={t('users.reason')}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </Confirm>
  );
}

function RunFacts({ settlement }: Pick<Props, 'settlement'>) {
  const { t, language } = useTranslation('operator');
  const { kindText, stateText } = useRunText();
  const currency = useRewardCurrency();
  const number = new Intl.NumberFormat(language);
  const { hour, state, lines, posted, refused, rule_version: version, settled_at } = settlement;
  return (
    <Facts
      facts={[
        [t('settlements.column.run'), kindText(settlement)],
        [t('settlements.column.hour'), <DateTime key="hour" iso={hour} />],
        [t('settlements.column.state'), stateText(settlement)],
        [t('settlements.column.lines'), number.format(lines)],
        [t('settlements.posted'), number.format(posted)],
        [t('settlements.refusedLines'), refused > 0 && number.format(refused)],
        [
          t('settlements.column.amount'),
          state === 'settled' ? (
            <Amount key="amount" value={settlement.amount} currency={currency} digits="exact" />
          ) : (
            '–'
          ),
        ],
        [
          t('settlements.column.version'),
          version > 0 && (
            <Link key="version" to="/operator" search={{ view: 'rules' }}>
              {t('rules.version', { version })}
            </Link>
          ),
        ],
        [t('settlements.root'), settlement.root && <code key="root">{settlement.root}</code>],
        [t('settlements.settledAt'), settled_at && <DateTime key="settled" iso={settled_at} />],
        [t('settlements.failure'), settlement.failure],
        [t('settlements.closeReason'), settlement.close_reason],
      ]}
    />
  );
}

export function SettlementSheet({ settlement, onClose }: Props) {
  const { t } = useTranslation('operator');
  const [isClosing, setClosing] = useState(false);
  const { id, state, failure, close_reason } = settlement;
  return (
    <Sheet title={t('settlements.number', { id })} onClose={onClose}>
      {failure !== undefined && <Text isSmall>{t('settlements.failureLead')}</Text>}
      <RunFacts settlement={settlement} />
      {/* One that only waits is paid by itself: closed, it would refuse good rewards. */}
      {state !== 'settled' && failure !== undefined && close_reason === undefined && (
        <div className={classes.ways}>
          <ChangeButton scope="operator:rules" variant="default" onClick={() => setClosing(true)}>
            {t('settlements.close')}
          </ChangeButton>
        </div>
      )}
      {isClosing && (
        <ConfirmClosing
          settlement={settlement}
          onClose={() => {
            setClosing(false);
            onClose();
          }}
        />
      )}
    </Sheet>
  );
}
