import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../components/button.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Failure } from '../components/form.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { showToast } from '../components/toaster.tsx';
import { useTranslation } from '../i18n/index.ts';
import { shortAddress } from '../lib/short-address.ts';
import { forgetWaiting, readWaiting } from '../sign-in/upstream.ts';
import { useWallets, type Wallet } from '../wallet-sign-in/detect-wallets.ts';
import { WalletRows } from '../wallet-sign-in/wallet-rows.tsx';
import { ConfirmChange } from './confirm-change.tsx';
import {
  type Identities,
  type Identity,
  identitiesQuery,
  leaveToLink,
  linkIdentity,
  unlinkIdentity,
} from './queries.ts';
import type { Proof } from './reauthentication.tsx';
import { Row } from './row.tsx';
import classes from './security.module.css';
import { type Change, useChange } from './use-security-mutation.ts';

/** Links the account with which a provider has sent the browser back. */
function useReturn(change: Change): void {
  const { t } = useTranslation('security');
  const isDone = useRef(false);
  useEffect(() => {
    const waiting = readWaiting();
    if (isDone.current || waiting?.purpose !== 'link' || waiting.callback === undefined) return;
    isDone.current = true;
    forgetWaiting();
    const { callback } = waiting;
    if (callback === null) showToast(t('linkCancelled'));
    else
      change.run(
        () => linkIdentity(callback),
        () => showToast(t('identityLinked')),
      );
  }, [change, t]);
}

interface ListProps {
  readonly data: Identities;
  readonly wallets: readonly Wallet[];
  readonly change: Change;
  readonly onUnlink: (identity: Identity) => void;
}

function List({ data: { identities, providers }, wallets, change, onUnlink }: ListProps) {
  const { t } = useTranslation('security');
  return (
    <ul className={classes.rows}>
      {identities.map((identity) => (
        <Row
          key={identity.id}
          icon={identity.address === undefined ? 'external' : 'wallet'}
          title={identity.name}
          lead={
            <>
              {identity.email !== undefined && `${identity.email} · `}
              {identity.address !== undefined && `${shortAddress(identity.address)} · `}
              {t('identityUsed')} <DateTime iso={identity.last_used_at} />
            </>
          }
          action={
            <Button
              variant="default"
              size="sm"
              aria-label={t('unlinkName', { name: identity.name })}
              onClick={() => onUnlink(identity)}
            >
              {t('unlink')}
            </Button>
          }
        />
      ))}
      {providers.map(({ id, label }) => (
        <Row
          key={id}
          icon="external"
          title={label}
          lead={t('linkLead', { label })}
          action={
            <Button
              variant="default"
              size="sm"
              aria-label={t('linkName', { label })}
              isBusy={change.isPending}
              onClick={() =>
                change.run(
                  () => leaveToLink(id),
                  () => undefined,
                )
              }
            >
              {t('link')}
            </Button>
          }
        />
      ))}
      <WalletRows wallets={wallets} change={change} />
    </ul>
  );
}

/** Accounts of other providers that sign in to this one. Hidden where there are none to link. */
export function IdentitiesSection({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation('security');
  const query = useQuery(identitiesQuery);
  const change = useChange(proof);
  const unlinking = useChange(proof);
  const [asking, setAsking] = useState<Identity>();
  useReturn(change);
  const wallets = useWallets();
  const { identities = [], providers = [] } = query.data ?? {};
  if (query.isSuccess && identities.length + providers.length + wallets.length === 0) return null;
  return (
    <Section title={t('identities')} lead={t('identitiesLead')}>
      {change.message !== '' && <Failure>{change.message}</Failure>}
      <QueryBoundary query={query} skeleton={<SkeletonLines count={1} height={56} />}>
        {(data) => <List data={data} wallets={wallets} change={change} onUnlink={setAsking} />}
      </QueryBoundary>
      {asking && (
        <ConfirmChange
          title={t('unlinkTitle', { name: asking.name })}
          lead={t('unlinkText')}
          confirmLabel={t('unlink')}
          change={unlinking}
          onConfirm={() =>
            unlinking.run(
              () => unlinkIdentity(asking.id),
              () => setAsking(undefined),
            )
          }
          onClose={() => setAsking(undefined)}
        />
      )}
    </Section>
  );
}
