/** What every new account is asked for. */
import { TextInput } from '../components/field.tsx';
import { useTranslation } from '../i18n/index.ts';
import type { FieldTexts } from '../i18n/problem-text.ts';
import type { Translate } from '../i18n/translate.ts';
import { countCharacters, NICKNAME_LENGTH_MAX, NICKNAME_UNITS_MAX } from '../lib/characters.ts';
import { readReferralCode } from '../lib/parse-code.ts';

interface Props {
  readonly defaultValue: string;
  readonly autoFocus?: boolean;
}

/** The problem of a nickname that is not empty; no fields when there is none. */
export function checkNickname(t: Translate<'signIn'>, nickname: string): FieldTexts {
  if (countCharacters(nickname) <= NICKNAME_LENGTH_MAX) return {};
  return { nickname: t('common:fieldProblem.nickname.length') };
}

export function NicknameInput(props: Props) {
  const { t } = useTranslation('signIn');
  return (
    <TextInput
      name="nickname"
      label={t('register.nickname')}
      description={t('register.nicknameHint')}
      autoComplete="nickname"
      {...props}
      maxLength={NICKNAME_UNITS_MAX}
      required
    />
  );
}

export function ReferralInput({
  onText,
  ...props
}: Props & { readonly onText?: (text: string) => void }) {
  const { t } = useTranslation('signIn');
  return (
    <TextInput
      name="referral_code"
      label={t('register.referral')}
      description={t('register.referralHint')}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      {...props}
      onChange={(event) => onText?.(event.currentTarget.value)}
      onBlur={(event) => {
        event.currentTarget.value = readReferralCode(event.currentTarget.value);
      }}
    />
  );
}
