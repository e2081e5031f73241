import { useEffect, useRef } from 'react';
import { Text } from '../../components/text.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from '../sign-in.module.css';
import { usePendingChallenge, type WidgetChallenge } from './challenge-state.ts';

function Widget({ challenge }: { readonly challenge: WidgetChallenge }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const container = ref.current;
    if (!container) return;
    void import('./load-widget.ts').then(({ showWidget }) => showWidget(container, challenge));
    // A user who leaves the form does not send it.
    return () => challenge.onFailed(new Error('the form was left'));
  }, [challenge]);
  return <div ref={ref} className={classes.widget} />;
}

/** Where a form shows that it waits for a challenge; empty else. */
export function ChallengePlace() {
  const { t } = useTranslation('signIn');
  const pending = usePendingChallenge();
  return (
    <>
      <div role="status" className={classes.challenge}>
        {pending !== undefined && (
          <Text isDimmed>
            {t(pending === 'working' ? 'challenge.working' : 'challenge.widget')}
          </Text>
        )}
      </div>
      {pending !== undefined && pending !== 'working' && <Widget challenge={pending} />}
    </>
  );
}
