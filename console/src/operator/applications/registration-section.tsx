/** Tokens by which programs register applications by themselves (dynamic registration). */
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { TextInput } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { Section } from '../../components/layout.tsx';
import { Sheet } from '../../components/sheet.tsx';
import { fieldText } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Allowed } from '../allows.tsx';
import { useOperation } from '../use-operator-mutation.ts';
import { wordsOf } from '../words-of.ts';
import { Secret } from './application-form.tsx';
import { createRegistrationToken } from './queries.ts';

const DAY_S = 86_400;
const COMMON = { required: true, autoComplete: 'off' } as const;

function TokenSheet({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('operator');
  const operation = useOperation();
  const [token, setToken] = useState('');
  const submit = (form: HTMLFormElement): void =>
    operation.run(async () => {
      const made = await createRegistrationToken({
        uses: Number(fieldText(form, 'uses')),
        lifetime_s: Math.round(Number(fieldText(form, 'days')) * DAY_S),
        scopes: wordsOf(fieldText(form, 'scopes')),
      });
      setToken(made.token);
    });
  return (
    <Sheet title={t('registration.issue')} onClose={onClose}>
      {token === '' ? (
        <Form submission={operation} submitLabel={t('registration.issue')} onSubmit={submit}>
          <TextInput
            name="uses"
            label={t('registration.uses')}
            defaultValue={1}
            inputMode="numeric"
            {...COMMON}
          />
          <TextInput
            name="days"
            label={t('registration.days')}
            defaultValue={1}
            inputMode="decimal"
            {...COMMON}
          />
          <TextInput
            name="scopes"
            label={t('applications.scopes')}
            description={t('registration.scopesLead')}
            defaultValue="openid profile email offline_access"
            spellCheck={false}
            {...COMMON}
          />
        </Form>
      ) : (
        <Secret secret={token} onKept={onClose} />
      )}
    </Sheet>
  );
}

/** Only their hashes are stored, so there is no list of them. */
export function RegistrationSection() {
  const { t } = useTranslation('operator');
  const [isOpen, setOpen] = useState(false);
  return (
    <Allowed scope="operator:clients">
      <Section title={t('registration.title')} lead={t('registration.lead')}>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('registration.issue')}
        </Button>
        {isOpen && <TokenSheet onClose={() => setOpen(false)} />}
      </Section>
    </Allowed>
  );
}
