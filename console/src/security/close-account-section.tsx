import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isProblem } from '../api/problem.ts';
import { Button } from '../components/button.tsx';
import { PasswordInput } from '../components/field.tsx';
import { Section } from '../components/layout.tsx';
import { Switch } from '../components/segmented-control.tsx';
import { Confirm } from '../components/sheet.tsx';
import { useTranslation } from '../i18n/index.ts';
import { endSessionBy } from '../session/session-api.ts';
import { closeAccount, useHasPassword } from './queries.ts';
import type { Proof } from './reauthentication.tsx';
import { useChange } from './use-security-mutation.ts';

/** Closes the account, after a list of the consequences. */
export function CloseSection({ proof }: { readonly proof: Proof }) {
  const { t } = useTranslation('security');
  const change = useChange(proof);
  const hasPassword = useHasPassword();
  const [isOpen, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [abandonsBalance, setAbandonsBalance] = useState(false);
  const [isInDebt, setInDebt] = useState(false);
  const close = async (): Promise<void> => {
    try {
      await closeAccount(password, abandonsBalance);
    } catch (error) {
      setInDebt(
        isProblem(error, 'account_not_empty') && error.problem.owed_currencies !== undefined,
      );
      throw error;
    }
  };
  return (
    <Section title={t('close')} lead={t('closeLead')}>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('closeButton')}
      </Button>
      {isOpen && (
        <Confirm
          title={t('closeTitle')}
          onClose={() => setOpen(false)}
          confirmLabel={t('closeConfirm')}
          isDanger
          outcome={change}
          onConfirm={() =>
            change.run(
              () => endSessionBy('account_closed', close),
              () => undefined,
            )
          }
        >
          <p>
            {t('closeConsequences')} <Link to="/wallets/withdraw">{t('closeWithdraw')}</Link>
          </p>
          <Switch
            label={t(isInDebt ? 'closeInDebt' : 'closeAbandon')}
            isOn={abandonsBalance}
            onChange={setAbandonsBalance}
          />
          {!hasPassword && <p>{t('noPasswordLead')}</p>}
          <PasswordInput
            name="login_password"
            label={t('signIn:password')}
            autoComplete="current-password"
            required
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </Confirm>
      )}
    </Section>
  );
}
