import { useState } from 'react';
import { type Me, useMe } from '../api/me.ts';
import { Button } from '../components/button.tsx';
import { DateOnly } from '../components/date-time.tsx';
import { Facts } from '../components/description-list.tsx';
import { Email } from '../components/email.tsx';
import { EmailInput, PasswordInput, TextInput } from '../components/field.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../components/layout.tsx';
import { FormSheet } from '../components/sheet.tsx';
import { Text } from '../components/text.tsx';
import { showToast } from '../components/toaster.tsx';
import { fieldText } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import { NICKNAME_UNITS_MAX } from '../lib/characters.ts';
import { readCode } from '../lib/parse-code.ts';
import { PASSWORD_LENGTH_MIN } from '../lib/password.ts';
import { CodeField } from '../sign-in/code-field.tsx';
import {
  changeNickname,
  changePassword,
  finishEmailChange,
  startEmailChange,
  useHasPassword,
} from './queries.ts';
import type { Proof } from './reauthentication.tsx';
import classes from './security.module.css';
import { useChange } from './use-security-mutation.ts';

/** Stands for a password, which is never shown. */
const HIDDEN = '••••••••';

type Editing = 'nickname' | 'password' | 'email';

interface EditProps {
  readonly me: Me;
  readonly proof: Proof;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

function NicknameSheet({ me, proof, onClose, onSaved }: EditProps) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const submit = (form: HTMLFormElement): void => {
    const nickname = fieldText(form, 'nickname');
    change.run(() => changeNickname(nickname), onSaved);
  };
  return (
    <FormSheet
      title={t('change.nickname')}
      onClose={onClose}
      submission={change}
      submitLabel={t('save')}
      onSubmit={submit}
    >
      <TextInput
        name="nickname"
        label={t('signIn:register.nickname')}
        defaultValue={me.nickname}
        maxLength={NICKNAME_UNITS_MAX}
        autoComplete="nickname"
        required
      />
    </FormSheet>
  );
}

function PasswordSheet({ proof, onClose, onSaved }: EditProps) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const submit = (form: HTMLFormElement): void => {
    const data = new FormData(form);
    const next = String(data.get('new_login_password') ?? '');
    if ([...next].length < PASSWORD_LENGTH_MIN)
      change.refuse({
        new_login_password: t('signIn:register.passwordShort', { count: PASSWORD_LENGTH_MIN }),
      });
    else change.run(() => changePassword(String(data.get('login_password') ?? ''), next), onSaved);
  };
  return (
    <FormSheet
      title={t('change.password')}
      onClose={onClose}
      submission={change}
      submitLabel={t('save')}
      onSubmit={submit}
    >
      <PasswordInput
        name="login_password"
        label={t('oldPassword')}
        autoComplete="current-password"
        required
      />
      <PasswordInput
        name="new_login_password"
        label={t('signIn:reset.newPassword')}
        description={t('signIn:register.passwordHint', { count: PASSWORD_LENGTH_MIN })}
        autoComplete="new-password"
        required
      />
      <Text isSmall isDimmed>
        {t('passwordEndsSessions')}
      </Text>
    </FormSheet>
  );
}

function EmailSheet({ me, proof, onClose, onSaved }: EditProps) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const [asked, setAsked] = useState<{ email: string; ticket: string }>();
  const submit = (form: HTMLFormElement): void => {
    if (asked) {
      const codes = [
        readCode(fieldText(form, 'validate_code')),
        readCode(fieldText(form, 'new_validate_code')),
      ] as const;
      change.run(() => finishEmailChange(asked.ticket, ...codes), onSaved);
    } else {
      const email = fieldText(form, 'email');
      change.run(async () => ({ email, ticket: await startEmailChange(email) }), setAsked);
    }
  };
  return (
    <FormSheet
      title={t('change.email')}
      onClose={onClose}
      submission={change}
      submitLabel={t(asked ? 'save' : 'sendCodes')}
      onSubmit={submit}
    >
      {asked ? (
        <>
          <Text isSmall>{t('emailCodes')}</Text>
          <CodeField key="old" name="validate_code" label={t('codeTo', { email: me.email })} />
          <CodeField
            key="new"
            name="new_validate_code"
            label={t('codeTo', { email: asked.email })}
            autoFocus={false}
          />
        </>
      ) : (
        <EmailInput label={t('newEmail')} autoComplete="email" />
      )}
    </FormSheet>
  );
}

const SHEETS = { nickname: NicknameSheet, password: PasswordSheet, email: EmailSheet } as const;

export function ProfileSection({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation('security');
  const me = useMe();
  const hasPassword = useHasPassword();
  const [editing, setEditing] = useState<Editing>();
  const Edit = editing && SHEETS[editing];
  const close = (): void => setEditing(undefined);
  const finish = (): void => {
    close();
    showToast(t('saved'));
  };
  return (
    <Section title={t('profile')}>
      <QueryBoundary query={me} skeleton={<SkeletonLines count={3} />}>
        {(data) => (
          <>
            <ul className={classes.rows}>
              {(['nickname', 'email', 'password'] as const).map((what) => (
                <li key={what} className={classes.row}>
                  <span className={classes.rowText}>
                    <span className={classes.small}>{t(what)}</span>
                    <span className={classes.value}>
                      {what === 'email' ? (
                        <Email address={data.email} />
                      ) : what === 'nickname' ? (
                        data.nickname
                      ) : hasPassword ? (
                        HIDDEN
                      ) : (
                        t('noPasswordLead')
                      )}
                    </span>
                  </span>
                  {(what !== 'password' || hasPassword) && (
                    <Button
                      variant="default"
                      size="sm"
                      aria-label={t(`change.${what}`)}
                      onClick={() => setEditing(what)}
                    >
                      {t('changeIt')}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            <Facts
              facts={[
                [t('accountNumber'), String(data.user_id)],
                [t('memberSince'), <DateOnly key="since" iso={data.created_at} />],
              ]}
            />
            {Edit && <Edit me={data} proof={proof} onClose={close} onSaved={finish} />}
          </>
        )}
      </QueryBoundary>
    </Section>
  );
}
