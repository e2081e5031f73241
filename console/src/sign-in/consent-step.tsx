import { useState } from 'react';
import { Button, LinkButton } from '../components/button.tsx';
import { Failure } from '../components/form.tsx';
import { Heading } from '../components/heading.tsx';
import { SwitchGroup } from '../components/segmented-control.tsx';
import { Text } from '../components/text.tsx';
import { useTranslation } from '../i18n/index.ts';
import { trafficKindText } from '../i18n/labels.ts';
import { useProblemText } from '../i18n/problem-text.ts';
import { leadsToText } from '../i18n/redirect-target-text.ts';
import { scopeText } from '../i18n/scope-text.ts';
import { joinSentences } from '../i18n/sentences.ts';
import { useBrand } from '../theme/brand.ts';
import type { ConsentRequest } from './api.ts';
import classes from './sign-in.module.css';

export type Decision = 'allow' | 'deny';

interface Props {
  readonly request: ConsentRequest;
  readonly email: string;
  readonly onDecide: (decision: Decision, categories: readonly string[]) => Promise<void>;
  readonly onOtherAccount: () => void;
}

/** What the application says about itself, in a tab of its own: the decision stays open. */
function ApplicationLinks({ request }: { readonly request: ConsentRequest }) {
  const { t } = useTranslation('signIn');
  const links = [
    [request.policy_uri, t('consent.policy')],
    [request.tos_uri, t('consent.terms')],
  ] as const;
  if (links.every(([uri]) => uri === undefined)) return null;
  return (
    <div className={classes.links}>
      {links.map(
        ([uri, text]) =>
          uri !== undefined && (
            <a key={uri} href={uri} target="_blank" rel="noopener noreferrer">
              {text}
            </a>
          ),
      )}
    </div>
  );
}

interface DecisionButtonsProps {
  readonly pending: Decision | undefined;
  readonly onDecide: (decision: Decision) => void;
}

function DecisionButtons({ pending, onDecide }: DecisionButtonsProps) {
  const { t } = useTranslation('signIn');
  return (
    <div className={classes.pair}>
      <Button
        size="lg"
        variant="default"
        isBusy={pending === 'deny'}
        disabled={pending === 'allow'}
        onClick={() => onDecide('deny')}
      >
        {t('consent.deny')}
      </Button>
      <Button
        size="lg"
        isBusy={pending === 'allow'}
        disabled={pending === 'deny'}
        onClick={() => onDecide('allow')}
      >
        {t('consent.allow')}
      </Button>
    </div>
  );
}

/** Who asks for what, in words; allow or deny. */
export function ConsentStep({ request, email, onDecide, onOtherAccount }: Props) {
  const { t, language } = useTranslation('signIn');
  const textOf = useProblemText();
  const { name: brand } = useBrand();
  const [pending, setPending] = useState<Decision>();
  const [message, setMessage] = useState('');
  const [categories, setCategories] = useState<readonly string[]>(request.categories);
  const client = request.client_name || t('consent.theApplication');

  const decide = async (decision: Decision): Promise<void> => {
    setPending(decision);
    setMessage('');
    try {
      await onDecide(decision, decision === 'allow' ? categories : []);
    } catch (error) {
      setPending(undefined);
      setMessage(textOf(error));
    }
  };

  return (
    <>
      {request.logo !== undefined && (
        <img className={classes.logo} src={request.logo} alt="" width={56} height={56} />
      )}
      <Heading className={classes.title}>{t('consent.title', { client })}</Heading>
      <Text isDimmed className={classes.lead}>
        {request.scopes.length > 0
          ? t('consent.lead', { brand, client, email })
          : t('consent.nothing', { client })}
      </Text>
      <ul className={classes.scopes}>
        {request.scopes.map(({ name, description }) => (
          <li key={name}>{scopeText(t, name, description)}</li>
        ))}
      </ul>
      {request.categories.length > 0 && (
        <SwitchGroup
          legend={t('consent.categories')}
          options={request.categories}
          labelOf={(kind) => trafficKindText(t, kind)}
          chosen={categories}
          onChange={setCategories}
        />
      )}
      <div className={classes.form}>
        <Text isSmall isDimmed>
          {joinSentences(language, t('consent.revocable'), leadsToText(t, request.redirect_uri))}
        </Text>
        <ApplicationLinks request={request} />
        <Failure>{message}</Failure>
        <DecisionButtons pending={pending} onDecide={(decision) => void decide(decision)} />
      </div>
      <div className={classes.footer}>
        <LinkButton onClick={onOtherAccount}>{t('consent.notYou')}</LinkButton>
      </div>
    </>
  );
}
