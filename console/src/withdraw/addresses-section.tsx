import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { DateTime } from '../components/date-time.tsx';
import { GroupedAddress } from '../components/grouped-address.tsx';
import { EmptyState, QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { NARROW, useMedia } from '../components/use-media.ts';
import { useTranslation } from '../i18n/index.ts';
import { networkText } from '../lib/network-text.ts';
import { serverNow_ms } from '../lib/server-clock.ts';
import { ConfirmChange } from '../security/confirm-change.tsx';
import type { Proof } from '../security/reauthentication.tsx';
import { useChange } from '../security/use-security-mutation.ts';
import { AddAddress } from './add-address.tsx';
import { addressesQuery, type PayoutAddress, removeAddress } from './queries.ts';
import classes from './withdraw.module.css';

interface RemovalProps {
  readonly target: PayoutAddress;
  readonly proof: Proof;
  readonly onClose: () => void;
}

function ConfirmRemoval({ target, proof, onClose }: RemovalProps) {
  const { t } = useTranslation('withdraw');
  const client = useQueryClient();
  const change = useChange(proof);
  return (
    <ConfirmChange
      title={t('removeTitle', { label: target.label })}
      lead={t('removeLead')}
      confirmLabel={t('remove')}
      change={change}
      onConfirm={() =>
        change.run(
          () => removeAddress(target.id),
          () => {
            void client.invalidateQueries({ queryKey: ['payouts'] });
            onClose();
          },
        )
      }
      onClose={onClose}
    />
  );
}

function AddressItem({
  target,
  onRemove,
}: {
  readonly target: PayoutAddress;
  readonly onRemove: () => void;
}) {
  const { t } = useTranslation('withdraw');
  const isUsable = Date.parse(target.usable_at) <= serverNow_ms();
  return (
    <li className={classes.item}>
      <span className={classes.itemText}>
        <strong>{target.label}</strong>
        <span className={classes.label}>{networkText(target.network, target.network_name)}</span>
      </span>
      <span className={classes.itemAddress}>
        <GroupedAddress address={target.address} />
        {!isUsable && (
          <span className={classes.label}>
            {t('usableAt')} <DateTime iso={target.usable_at} />
          </span>
        )}
      </span>
      <Button
        variant="default"
        size="sm"
        aria-label={t('removeName', { label: target.label })}
        onClick={onRemove}
      >
        {t('remove')}
      </Button>
    </li>
  );
}

/** The user's address book. */
export function AddressesSection({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation('withdraw');
  const addresses = useQuery(addressesQuery);
  const isNarrow = useMedia(NARROW);
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<PayoutAddress>();
  return (
    <Section
      title={t('addresses')}
      lead={t('addressesLead')}
      actions={
        <Button
          size="sm"
          icon="plus"
          variant="default"
          aria-label={t('addAddress')}
          onClick={() => setAdding(true)}
        >
          {t(isNarrow ? 'addAddressShort' : 'addAddress')}
        </Button>
      }
    >
      <QueryBoundary query={addresses} skeleton={<SkeletonLines count={2} height={72} />}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState icon="wallet" title={t('noAddresses')} />
          ) : (
            <ul className={classes.list} aria-label={t('addresses')}>
              {list.map((target) => (
                <AddressItem key={target.id} target={target} onRemove={() => setRemoved(target)} />
              ))}
            </ul>
          )
        }
      </QueryBoundary>
      {isAdding && <AddAddress proof={proof} onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmRemoval target={removed} proof={proof} onClose={() => setRemoved(undefined)} />
      )}
    </Section>
  );
}
