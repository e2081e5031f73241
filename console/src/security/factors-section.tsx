import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Icon, type IconName } from '../components/icon.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { Switch } from '../components/segmented-control.tsx';
import { Text } from '../components/text.tsx';
import { showToast } from '../components/toaster.tsx';
import { useTranslation } from '../i18n/index.ts';
import { AuthenticatorSheet } from './authenticator-sheet.tsx';
import { ConfirmChange } from './confirm-change.tsx';
import { PasskeySheet } from './passkey-sheet.tsx';
import {
  factorsQuery,
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
  type SecondFactors,
  setEmailFactor,
} from './queries.ts';
import type { Proof } from './reauthentication.tsx';
import { RecoverySheet } from './recovery-sheet.tsx';
import classes from './security.module.css';
import { useChange } from './use-security-mutation.ts';

interface RowProps {
  readonly icon: IconName;
  readonly title: string;
  readonly lead: React.ReactNode;
  readonly action: React.ReactNode;
}

export function Row({ icon, title, lead, action }: RowProps) {
  return (
    <li className={classes.row}>
      <span className={classes.rowIcon}>
        <Icon name={icon} />
      </span>
      <span className={classes.rowText}>
        <span className={classes.rowTitle}>{title}</span>
        <span className={classes.small}>{lead}</span>
      </span>
      {action}
    </li>
  );
}

/** What asks before it is done. */
type Asking =
  | { readonly what: 'authenticator' | 'codes' }
  | { readonly what: 'passkey'; readonly id: number; readonly name: string };

type Open =
  | { readonly sheet: 'authenticator' | 'passkey' }
  | { readonly sheet: 'recovery'; readonly codes: readonly string[] };

function FactorList({
  factors,
  proof,
  onOpen,
}: {
  readonly factors: SecondFactors;
  readonly proof: Proof;
  readonly onOpen: (open: Open) => void;
}) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const isStrong = factors.has_authenticator || factors.passkeys.length > 0;
  const [asking, setAsking] = useState<Asking>();
  const stopAsking = (): void => setAsking(undefined);
  const remove = (action: () => Promise<void>): void =>
    change.run(action, () => {
      stopAsking();
      showToast(t('saved'));
    });
  const renew = (): void =>
    change.run(renewRecoveryCodes, ({ recovery_codes: codes }) => {
      stopAsking();
      onOpen({ sheet: 'recovery', codes });
    });
  return (
    <>
      <ul className={classes.rows}>
        <Row
          icon="shield"
          title={t('authenticator')}
          lead={t(factors.has_authenticator ? 'authenticatorOn' : 'authenticatorOff')}
          action={
            factors.has_authenticator ? (
              <Button
                variant="default"
                size="sm"
                aria-label={t('removeAuthenticator')}
                onClick={() => setAsking({ what: 'authenticator' })}
              >
                {t('remove')}
              </Button>
            ) : (
              <Button size="sm" onClick={() => onOpen({ sheet: 'authenticator' })}>
                {t('setUp')}
              </Button>
            )
          }
        />
        {factors.passkeys.map((passkey) => (
          <Row
            key={passkey.id}
            icon="key"
            title={passkey.name}
            lead={
              <>
                {t('addedOn')} <DateTime iso={passkey.created_at} />
              </>
            }
            action={
              <Button
                variant="default"
                size="sm"
                aria-label={t('removePasskey', { name: passkey.name })}
                onClick={() => setAsking({ what: 'passkey', id: passkey.id, name: passkey.name })}
              >
                {t('remove')}
              </Button>
            }
          />
        ))}
        <Row
          icon="key"
          title={t('passkey')}
          lead={t('passkeyLead')}
          action={
            <Button
              variant={isStrong ? 'default' : 'filled'}
              size="sm"
              aria-label={t('addPasskey')}
              onClick={() => onOpen({ sheet: 'passkey' })}
            >
              {t('add')}
            </Button>
          }
        />
        {isStrong && (
          <>
            <Row
              icon="copy"
              title={t('recovery')}
              lead={t('recoveryLeft', { count: factors.recovery_codes_left })}
              action={
                <Button variant="default" size="sm" onClick={() => setAsking({ what: 'codes' })}>
                  {t('newCodes')}
                </Button>
              }
            />
            <Row
              icon="mail"
              title={t('emailFactor')}
              lead={t('emailFactorLead')}
              action={
                <Switch
                  label={t('emailFactor')}
                  isLabelHidden
                  isOn={factors.is_email_factor_on}
                  onChange={(isOn) => change.run(() => setEmailFactor(isOn))}
                />
              }
            />
          </>
        )}
      </ul>
      <Text role="alert" isFailure>
        {asking === undefined && change.message}
      </Text>
      {asking?.what === 'authenticator' && (
        <ConfirmChange
          title={t('removeAuthenticatorTitle')}
          lead={t(factors.passkeys.length > 0 ? 'removeFactorLead' : 'removeLastFactorLead')}
          confirmLabel={t('remove')}
          change={change}
          onConfirm={() => remove(removeAuthenticator)}
          onClose={stopAsking}
        />
      )}
      {asking?.what === 'passkey' && (
        <ConfirmChange
          title={t('removePasskeyTitle', { name: asking.name })}
          lead={t(
            factors.has_authenticator || factors.passkeys.length > 1
              ? 'removeFactorLead'
              : 'removeLastFactorLead',
          )}
          confirmLabel={t('remove')}
          change={change}
          onConfirm={() => remove(() => removePasskey(asking.id))}
          onClose={stopAsking}
        />
      )}
      {asking?.what === 'codes' && (
        <ConfirmChange
          title={t('newCodesTitle')}
          lead={t('newCodesLead')}
          confirmLabel={t('newCodesConfirm')}
          change={change}
          onConfirm={renew}
          onClose={stopAsking}
        />
      )}
    </>
  );
}

/** The second factors, from the strongest down. */
export function FactorsSection({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation('security');
  const factors = useQuery(factorsQuery);
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const finish = (codes: readonly string[] | undefined): void =>
    setOpen(codes && codes.length > 0 ? { sheet: 'recovery', codes } : undefined);
  return (
    <Section title={t('factors')} lead={t('factorsLead')}>
      <QueryBoundary query={factors} skeleton={<SkeletonLines count={3} />}>
        {(data) => (
          <>
            {data.money_frozen_until !== undefined && (
              <p className={classes.warning}>
                {t('moneyFrozen')} <DateTime iso={data.money_frozen_until} />
              </p>
            )}
            <FactorList factors={data} proof={proof} onOpen={setOpen} />
          </>
        )}
      </QueryBoundary>
      {open?.sheet === 'authenticator' && (
        <AuthenticatorSheet proof={proof} onDone={finish} onClose={close} />
      )}
      {open?.sheet === 'passkey' && <PasskeySheet proof={proof} onDone={finish} onClose={close} />}
      {open?.sheet === 'recovery' && <RecoverySheet codes={open.codes} onClose={close} />}
    </Section>
  );
}
