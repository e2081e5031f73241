/** Ways to sign in with accounts of other providers. */
import { useEffect, useState } from 'react';
import { Button } from '../components/button.tsx';
import { Failure } from '../components/form.tsx';
import { useSubmission } from '../hooks/use-submission.ts';
import { useTranslation } from '../i18n/index.ts';
import classes from './sign-in.module.css';
import { leaveForProvider, listProviders, type Provider } from './upstream.ts';

interface Props {
  readonly interactionId: string;
  readonly referralCode: string;
}

export function UpstreamButtons({ interactionId, referralCode }: Props) {
  const { t } = useTranslation('signIn');
  const [providers, setProviders] = useState<readonly Provider[]>([]);
  const submission = useSubmission();
  useEffect(() => {
    // Without them the password is left.
    listProviders().then(setProviders, () => undefined);
  }, []);
  if (providers.length === 0) return null;
  return (
    <div className={classes.upstream}>
      <p className={classes.or}>{t('upstream.or')}</p>
      {submission.message !== '' && <Failure>{submission.message}</Failure>}
      {providers.map(({ id, label }) => (
        <Button
          key={id}
          variant="default"
          size="lg"
          isWide
          disabled={submission.isPending}
          onClick={() => submission.submit(() => leaveForProvider(id, interactionId, referralCode))}
        >
          {t('upstream.continueWith', { label })}
        </Button>
      ))}
    </div>
  );
}
