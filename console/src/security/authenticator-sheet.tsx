import { type FormEvent, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy.tsx';
import form from '../parts/form.module.css';
import { QrCode } from '../parts/qr-code.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { fieldText } from '../parts/submission.ts';
import { Text } from '../parts/text.tsx';
import { CodeField, isCode, readCode } from '../sign-in/code-field.tsx';
import type { Proof } from './proof.tsx';
import { type AuthenticatorSecret, confirmAuthenticator, startAuthenticator } from './queries.ts';
import { useChange } from './use-change.ts';

interface Props {
  readonly proof: Proof;
  readonly onDone: (recoveryCodes: readonly string[] | undefined) => void;
  readonly onClose: () => void;
}

/** Enrols an authenticator app: a secret to scan, then the first code of it. */
export function AuthenticatorSheet({ proof, onDone, onClose }: Props) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const [secret, setSecret] = useState<AuthenticatorSecret>();
  const begin = (): void =>
    change.run(
      async () => setSecret(await startAuthenticator()),
      () => undefined,
    );
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const code = readCode(fieldText(event.currentTarget, 'code'));
    if (!isCode(code)) {
      change.setMessage(t('signIn:factor.codeInvalid'));
      return;
    }
    let codes: readonly string[] | undefined;
    change.run(
      async () => {
        codes = (await confirmAuthenticator(code)).recovery_codes;
      },
      () => onDone(codes),
    );
  };
  return (
    <Sheet title={t('authenticator')} onClose={onClose}>
      <form onSubmit={submit} className={form.form} noValidate>
        {secret ? (
          <>
            <Text>{t('scan')}</Text>
            <QrCode text={secret.otpauth_uri} label={t('scanLabel')} />
            <Text isSmall isDimmed>
              {t('typeSecret')} <code>{secret.secret}</code>
            </Text>
            <CopyButton text={secret.secret} label={t('copySecret')} />
            <CodeField />
          </>
        ) : (
          <Text>{t('authenticatorIntro')}</Text>
        )}
        <div role="alert" className={form.failure}>
          {change.message}
        </div>
        {secret ? (
          <Button type="submit" isBusy={change.isPending}>
            {t('confirm')}
          </Button>
        ) : (
          <Button type="button" isBusy={change.isPending} onClick={begin}>
            {t('begin')}
          </Button>
        )}
      </form>
    </Sheet>
  );
}
