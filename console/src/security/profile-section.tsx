import { type FormEvent, useState } from 'react';
import { type Me, useMe } from '../api/me.ts';
import { useTranslation } from '../i18n/index.ts';
import { PASSWORD_LENGTH_MIN } from '../lib/password.ts';
import { Button } from '../parts/button.tsx';
import { Facts } from '../parts/facts.tsx';
import { PasswordInput, TextInput } from '../parts/field.tsx';
import form from '../parts/form.module.css';
import { Loaded, Section, SkeletonLines } from '../parts/layout.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { fieldText } from '../parts/submission.ts';
import { Text } from '../parts/text.tsx';
import { OnDay } from '../parts/when.tsx';
import type { Proof } from './proof.tsx';
import { changeNickname, changePassword, finishEmailChange, startEmailChange } from './queries.ts';
import classes from './security.module.css';
import { useChange } from './use-change.ts';

/** Stands for a password, which nobody can show. */
const HIDDEN = '••••••••';

type Editing = 'nickname' | 'password' | 'email';

interface EditProps {
  readonly me: Me;
  readonly proof: Proof;
  readonly onDone: () => void;
}

function NicknameForm({ me, proof, onDone }: EditProps) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const nickname = fieldText(event.currentTarget, 'nickname');
    change.run(() => changeNickname(nickname), onDone);
  };
  return (
    <form onSubmit={submit} className={form.form}>
      <TextInput name="nickname" label={t('signIn:register.nickname')} defaultValue={me.nickname} maxLength={64} autoComplete="nickname" required />
      <Saving change={change} />
    </form>
  );
}

function Saving({ change, label }: { readonly change: ReturnType<typeof useChange>; readonly label?: string }) {
  const { t } = useTranslation('security');
  return (
    <>
      <div role="alert" className={form.failure}>
        {change.message}
      </div>
      <Button type="submit" isBusy={change.isPending}>
        {label ?? t('save')}
      </Button>
    </>
  );
}

function PasswordForm({ proof, onDone }: EditProps) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const next = String(data.get('new') ?? '');
    if ([...next].length < PASSWORD_LENGTH_MIN) change.setMessage(t('signIn:register.passwordShort', { count: PASSWORD_LENGTH_MIN }));
    else change.run(() => changePassword(String(data.get('old') ?? ''), next), onDone);
  };
  return (
    <form onSubmit={submit} className={form.form}>
      <PasswordInput name="old" label={t('oldPassword')} autoComplete="current-password" required />
      <PasswordInput
        name="new"
        label={t('signIn:reset.newPassword')}
        description={t('signIn:register.passwordHint', { count: PASSWORD_LENGTH_MIN })}
        autoComplete="new-password"
        required
      />
      <Text isSmall isDimmed>
        {t('passwordEndsSessions')}
      </Text>
      <Saving change={change} />
    </form>
  );
}

function EmailForm({ me, proof, onDone }: EditProps) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const [asked, setAsked] = useState<{ email: string; ticket: string }>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const element = event.currentTarget;
    if (asked) {
      const codes = [fieldText(element, 'old_code'), fieldText(element, 'new_code')] as const;
      change.run(() => finishEmailChange(asked.ticket, ...codes), onDone);
    } else {
      const email = fieldText(element, 'email');
      change.run(
        async () => setAsked({ email, ticket: await startEmailChange(email) }),
        () => undefined,
      );
    }
  };
  return (
    <form onSubmit={submit} className={form.form}>
      {asked ? (
        <>
          <Text isSmall>{t('emailCodes')}</Text>
          <TextInput key="old" name="old_code" label={t('codeTo', { email: me.email })} inputMode="numeric" autoComplete="off" maxLength={6} required />
          <TextInput key="new" name="new_code" label={t('codeTo', { email: asked.email })} inputMode="numeric" autoComplete="off" maxLength={6} required />
        </>
      ) : (
        <TextInput name="email" type="email" label={t('newEmail')} autoComplete="email" inputMode="email" required />
      )}
      <Saving change={change} label={asked ? t('save') : t('sendCodes')} />
    </form>
  );
}

const FORMS = { nickname: NicknameForm, password: PasswordForm, email: EmailForm } as const;

export function ProfileSection({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation('security');
  const me = useMe();
  const [editing, setEditing] = useState<Editing>();
  const Form = editing && FORMS[editing];
  return (
    <Section title={t('profile')}>
      <Loaded query={me} skeleton={<SkeletonLines count={3} />}>
        {(data) => (
          <>
            <ul className={classes.rows}>
              {(['nickname', 'email', 'password'] as const).map((what) => (
                <li key={what} className={classes.row}>
                  <span className={classes.rowText}>
                    <span className={classes.small}>{t(what)}</span>
                    <span className={classes.value}>{what === 'password' ? HIDDEN : data[what]}</span>
                  </span>
                  <Button variant="default" size="sm" aria-label={t(`change.${what}`)} onClick={() => setEditing(what)}>
                    {t('changeIt')}
                  </Button>
                </li>
              ))}
            </ul>
            <Facts
              facts={[
                [t('accountNumber'), String(data.user_id)],
                [t('memberSince'), <OnDay key="since" iso={data.created_at} />],
              ]}
            />
            {editing && Form && (
              <Sheet title={t(`change.${editing}`)} onClose={() => setEditing(undefined)}>
                <Form me={data} proof={proof} onDone={() => setEditing(undefined)} />
              </Sheet>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
