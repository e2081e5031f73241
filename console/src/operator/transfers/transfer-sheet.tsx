/** A transfer in full: both sides, what it was for, and how it is undone. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Amount } from '../../components/amount.tsx';
import { Button } from '../../components/button.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { QueryBoundary, SkeletonLines } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { Text } from '../../components/text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { businessText, rewardTypeText } from '../../i18n/labels.ts';
import { sentenceGapOf } from '../../i18n/sentences.ts';
import { EventTime } from '../../wallets/event-time.tsx';
import { AccountLink } from '../account-link.tsx';
import { ChangeButton } from '../allows.tsx';
import { FullPersonName } from '../person-name.tsx';
import { referenceText } from '../reference-text.ts';
import { ConfirmReversal } from './confirm-reversal.tsx';
import { type Transfer, type TransferSide, transferQuery } from './queries.ts';
import classes from './transfers.module.css';

interface SideProps {
  readonly side: TransferSide;
  readonly currency: string;
  readonly onFollow: () => void;
}

function Side({ side: { user_id, wallet = '', house = '' }, ...link }: SideProps) {
  const { t } = useTranslation('operator');
  if (user_id === undefined) return <AccountLink code={house} {...link} />;
  return (
    <>
      <FullPersonName userId={user_id} />
      {` · ${t.find('operator', `person.walletName.${wallet}`) ?? wallet}`}
    </>
  );
}

interface PartProps {
  readonly transfer: Transfer;
  readonly onShow: (id: number) => void;
  readonly onFollow: () => void;
}

function TransferFacts({ transfer, onShow, onFollow }: PartProps) {
  const { t } = useTranslation('operator');
  const { currency, reward_type: type, reverses, reversed_by, other_half } = transfer;
  const link = { currency, onFollow };
  const other = (id: number | undefined) =>
    id !== undefined && (
      <Button key={id} variant="default" size="xs" onClick={() => onShow(id)}>
        {t('transfers.number', { id })}
      </Button>
    );
  return (
    <Facts
      facts={[
        [
          t('money.amount'),
          <Amount key="amount" value={transfer.amount} currency={currency} digits="exact" />,
        ],
        [t('transfers.from'), <Side key="from" side={transfer.debit} {...link} />],
        [t('transfers.to'), <Side key="to" side={transfer.credit} {...link} />],
        [
          t('transfers.kind'),
          type === undefined
            ? businessText(t, transfer.business_id)
            : `${businessText(t, transfer.business_id)} · ${rewardTypeText(t, type)}`,
        ],
        [t('transfers.remark'), transfer.remark],
        [t('transfers.reference'), referenceText(t, transfer.reference)],
        [t('transfers.device'), transfer.node_id && <code key="node">{transfer.node_id}</code>],
        [t('transfers.happened'), <EventTime key="event" bill={transfer} />],
        [t('transfers.recorded'), <DateTime key="created" iso={transfer.created_at} />],
        [t('transfers.reverses'), other(reverses)],
        [t('transfers.reversedBy'), other(reversed_by)],
        [t('transfers.otherHalf'), other(other_half)],
      ]}
    />
  );
}

/** What undoes it, where a reversal does not. */
function Undoing({ transfer, onFollow }: Omit<PartProps, 'onShow'>) {
  const { t, language } = useTranslation('operator');
  const { reversal, purchase_id: purchase } = transfer;
  return (
    <Text isSmall isDimmed>
      {t(`transfers.reversal.${reversal}`)}
      {sentenceGapOf(language)}
      {purchase !== undefined && (
        <Link
          to="/operator"
          search={{ view: 'transfers', purchase: String(purchase) }}
          onClick={onFollow}
        >
          {t('transfers.openPurchase', { id: purchase })}
        </Link>
      )}
    </Text>
  );
}

interface Props {
  readonly id: number;
  readonly onClose: () => void;
}

export function TransferSheet({ id: first, onClose }: Props) {
  const { t } = useTranslation('operator');
  const [id, setId] = useState(first);
  const transfer = useQuery(transferQuery(id));
  const [isReversing, setReversing] = useState(false);
  return (
    <Sheet title={t('transfers.number', { id })} onClose={onClose}>
      <QueryBoundary query={transfer} skeleton={<SkeletonLines count={6} />}>
        {(data) => (
          <>
            <TransferFacts transfer={data} onShow={setId} onFollow={onClose} />
            <Undoing transfer={data} onFollow={onClose} />
            {data.reversal === 'possible' && (
              <div className={classes.ways}>
                <ChangeButton
                  scope="operator:transfers"
                  variant="default"
                  onClick={() => setReversing(true)}
                >
                  {t('transfers.reverse')}
                </ChangeButton>
              </div>
            )}
            {isReversing && <ConfirmReversal transfer={data} onClose={() => setReversing(false)} />}
          </>
        )}
      </QueryBoundary>
    </Sheet>
  );
}
