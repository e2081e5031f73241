import type { FormEvent } from 'react';
import { isProblem } from '../api/problem.ts';
import { useTranslation } from '../i18n/index.ts';
import { Button } from '../parts/button.tsx';
import { TextInput } from '../parts/field.tsx';
import form from '../parts/form.module.css';
import { Sheet } from '../parts/sheet.tsx';
import { fieldText } from '../parts/submission.ts';
import { Text } from '../parts/text.tsx';
import type { Proof } from './proof.tsx';
import { addPasskey } from './queries.ts';
import { useChange } from './use-change.ts';

interface Props {
  readonly proof: Proof;
  readonly onDone: (recoveryCodes: readonly string[] | undefined) => void;
  readonly onClose: () => void;
}

export function PasskeySheet({ proof, onDone, onClose }: Props) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const add = async (name: string): Promise<readonly string[] | undefined> => {
    try {
      return (await addPasskey(name)).recovery_codes;
    } catch (error) {
      if (isProblem(error)) throw error;
      // The browser's own refusal: cancelled, timed out, or the passkey is there already.
      change.setMessage(t('passkeyFailed'));
      return undefined;
    }
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const name = fieldText(event.currentTarget, 'name') || t('passkeyName');
    let codes: readonly string[] | undefined;
    change.run(
      async () => {
        codes = await add(name);
      },
      () => onDone(codes),
    );
  };
  return (
    <Sheet title={t('addPasskey')} onClose={onClose}>
      <form onSubmit={submit} className={form.form}>
        <Text>{t('passkeyIntro')}</Text>
        <TextInput name="name" label={t('passkeyNameLabel')} placeholder={t('passkeyName')} maxLength={64} autoComplete="off" />
        <div role="alert" className={form.failure}>
          {change.message}
        </div>
        <Button type="submit" isBusy={change.isPending}>
          {t('createPasskey')}
        </Button>
      </form>
    </Sheet>
  );
}
