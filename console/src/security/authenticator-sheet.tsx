import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { CopyButton } from '../components/copy.tsx';
import { GroupedAddress } from '../components/grouped-address.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { FormSheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { fieldText } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { isCode, readCode } from '../lib/parse-code.ts';
import { CodeField } from '../sign-in/code-field.tsx';
import { type AuthenticatorSecret, confirmAuthenticator, startAuthenticator } from './queries.ts';
import { type Proof, ProofDeclined } from './reauthentication.tsx';
import classes from './security.module.css';
import { useChange } from './use-security-mutation.ts';

interface Props {
  readonly proof: Proof;
  readonly onDone: (recoveryCodes: readonly string[] | undefined) => void;
  readonly onClose: () => void;
}

/**
 * Enrols an authenticator app: a secret to scan, then the first code of it. It begins by itself: a
 * secret is no factor before it is confirmed, and the next one replaces it. The button begins again
 * where that failed, or where the person did not confirm who they are.
 */
export function AuthenticatorSheet({ proof, onDone, onClose }: Props) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const [secret, setSecret] = useState<AuthenticatorSecret>();
  const isOpen = useRef(true);
  const start = async (): Promise<AuthenticatorSecret> => {
    try {
      return await startAuthenticator();
    } catch (error) {
      // Who has closed the sheet meanwhile is not asked for a proof.
      throw isOpen.current ? error : new ProofDeclined();
    }
  };
  const begin = (): void => change.run(start, setSecret);
  const beginAtOnce = useEffectEvent(begin);
  useEffect(() => {
    isOpen.current = true;
    beginAtOnce();
    return () => {
      isOpen.current = false;
    };
  }, []);
  const confirm = (form: HTMLFormElement): void => {
    const code = readCode(fieldText(form, 'code'));
    if (!isCode(code)) {
      change.refuse({ code: t('signIn:factor.codeInvalid') });
      return;
    }
    change.run(async () => (await confirmAuthenticator(code)).recovery_codes, onDone);
  };
  return (
    <FormSheet
      title={t('authenticator')}
      onClose={onClose}
      submission={change}
      submitLabel={t(secret ? 'confirm' : 'begin')}
      onSubmit={secret ? confirm : begin}
    >
      {secret ? (
        <>
          <Text>{t('scan')}</Text>
          <div className={classes.scanned}>
            <QrCode text={secret.otpauth_uri} label={t('scanLabel')} />
          </div>
          <div className={classes.secret}>
            <Text isSmall isDimmed>
              {t('typeSecret')}
            </Text>
            <GroupedAddress address={secret.secret} />
          </div>
          <CopyButton text={secret.secret} label={t('copySecret')} />
          <CodeField />
        </>
      ) : (
        <Text>{t('authenticatorIntro')}</Text>
      )}
    </FormSheet>
  );
}
