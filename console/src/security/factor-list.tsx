/** The second factors of the user, with a button for each change. */
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { DateTime } from '../components/date-time.tsx';
import { Switch } from '../components/segmented-control.tsx';
import { Text } from '../components/text.tsx';
import { showToast } from '../components/toaster.tsx';
import { useTranslation } from '../i18n/index.ts';
import { ConfirmChange } from './confirm-change.tsx';
import {
  removeAuthenticator,
  removePasskey,
  renewRecoveryCodes,
  type SecondFactors,
  setEmailFactor,
} from './queries.ts';
import type { Proof } from './reauthentication.tsx';
import { Row } from './row.tsx';
import classes from './security.module.css';
import { type Change, useChange } from './use-security-mutation.ts';

/** A change that needs a confirmation. */
type Asking =
  | { readonly what: 'authenticator' | 'codes' }
  | { readonly what: 'passkey'; readonly id: number; readonly name: string };

/** A sheet above the section. */
export type Open =
  | { readonly sheet: 'authenticator' | 'passkey' }
  | { readonly sheet: 'recovery'; readonly codes: readonly string[] };

interface RowsProps {
  readonly factors: SecondFactors;
  readonly onAsk: (asking: Asking) => void;
  readonly onOpen: (open: Open) => void;
}

function AuthenticatorRow({ factors, onAsk, onOpen }: RowsProps) {
  const { t } = useTranslation('security');
  return (
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
            onClick={() => onAsk({ what: 'authenticator' })}
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
  );
}

function PasskeyRows({ factors, onAsk, onOpen }: RowsProps) {
  const { t } = useTranslation('security');
  const isStrong = hasStrongFactor(factors);
  return (
    <>
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
              onClick={() => onAsk({ what: 'passkey', id: passkey.id, name: passkey.name })}
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
    </>
  );
}

/** What only accounts with a strong factor have. */
function RecoveryRows({ factors, onAsk, change }: RowsProps & { readonly change: Change }) {
  const { t } = useTranslation('security');
  return (
    <>
      <Row
        icon="copy"
        title={t('recovery')}
        lead={t('recoveryLeft', { count: factors.recovery_codes_left })}
        action={
          <Button variant="default" size="sm" onClick={() => onAsk({ what: 'codes' })}>
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
  );
}

function hasStrongFactor(factors: SecondFactors): boolean {
  return factors.has_authenticator || factors.passkeys.length > 0;
}

interface ConfirmProps {
  readonly asking: Asking;
  readonly factors: SecondFactors;
  readonly change: Change;
  readonly onOpen: (open: Open) => void;
  readonly onClose: () => void;
}

function Confirm({ asking, factors, change, onOpen, onClose }: ConfirmProps) {
  const { t } = useTranslation('security');
  const remove = (action: () => Promise<void>): void =>
    change.run(action, () => {
      onClose();
      showToast(t('saved'));
    });
  const renew = (): void =>
    change.run(renewRecoveryCodes, ({ recovery_codes: codes }) => {
      onClose();
      onOpen({ sheet: 'recovery', codes });
    });
  const isLast = factors.passkeys.length + (factors.has_authenticator ? 1 : 0) === 1;
  const removal = {
    lead: t(isLast ? 'removeLastFactorLead' : 'removeFactorLead'),
    confirmLabel: t('remove'),
    change,
    onClose,
  };
  switch (asking.what) {
    case 'authenticator':
      return (
        <ConfirmChange
          title={t('removeAuthenticatorTitle')}
          onConfirm={() => remove(removeAuthenticator)}
          {...removal}
        />
      );
    case 'passkey':
      return (
        <ConfirmChange
          title={t('removePasskeyTitle', { name: asking.name })}
          onConfirm={() => remove(() => removePasskey(asking.id))}
          {...removal}
        />
      );
    case 'codes':
      return (
        <ConfirmChange
          title={t('newCodesTitle')}
          lead={t('newCodesLead')}
          confirmLabel={t('newCodesConfirm')}
          change={change}
          onConfirm={renew}
          onClose={onClose}
        />
      );
  }
}

export function FactorList({
  factors,
  proof,
  onOpen,
}: {
  readonly factors: SecondFactors;
  readonly proof: Proof;
  readonly onOpen: (open: Open) => void;
}) {
  const change = useChange(proof);
  const [asking, setAsking] = useState<Asking>();
  const rows = { factors, onAsk: setAsking, onOpen };
  const close = (): void => setAsking(undefined);
  return (
    <>
      <ul className={classes.rows}>
        <AuthenticatorRow {...rows} />
        <PasskeyRows {...rows} />
        {hasStrongFactor(factors) && <RecoveryRows {...rows} change={change} />}
      </ul>
      <Text role="alert" isFailure>
        {asking === undefined && change.message}
      </Text>
      {asking && (
        <Confirm
          asking={asking}
          factors={factors}
          change={change}
          onOpen={onOpen}
          onClose={close}
        />
      )}
    </>
  );
}
