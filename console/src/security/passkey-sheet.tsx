import { isProblem } from '../api/problem.ts';
import { TextInput } from '../components/field.tsx';
import { FormSheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { fieldText } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { FactorInputError } from '../sign-in/factor-form.tsx';
import { addPasskey } from './queries.ts';
import type { Proof } from './reauthentication.tsx';
import { useChange } from './use-security-mutation.ts';

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
      // The browser's own refusal: cancelled, timed out, or the passkey is there already.
      throw isProblem(error) ? error : new FactorInputError(t('passkeyFailed'));
    }
  };
  const submit = (form: HTMLFormElement): void => {
    const name = fieldText(form, 'name') || t('passkeyName');
    change.run(() => add(name), onDone);
  };
  return (
    <FormSheet
      title={t('addPasskey')}
      onClose={onClose}
      submission={change}
      submitLabel={t('createPasskey')}
      onSubmit={submit}
    >
      <Text>{t('passkeyIntro')}</Text>
      <TextInput
        name="name"
        label={t('passkeyNameLabel')}
        placeholder={t('passkeyName')}
        maxLength={64}
        autoComplete="off"
      />
    </FormSheet>
  );
}
