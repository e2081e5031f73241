/** Where there are no rules yet: an example that one can start from, or activate at once. */
import { useQueryClient } from '@tanstack/react-query';
import { useRewardCurrency } from '../../api/currencies.ts';
import { Failure } from '../../components/form.tsx';
import { EmptyState } from '../../components/layout.tsx';
import { Text } from '../../components/text.tsx';
import { showToast } from '../../components/toaster.tsx';
import { useSubmission } from '../../hooks/use-submission.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Allowed, ChangeButton } from '../allows.tsx';
import { activateRules, draftRules, rulesQuery } from '../queries.ts';
import { EXAMPLE, EXAMPLE_VALUES } from './example.ts';
import classes from './rules.module.css';

function Example({ onUse }: { readonly onUse: () => void }) {
  const { t } = useTranslation('operator');
  const client = useQueryClient();
  const currency = useRewardCurrency();
  const submission = useSubmission();
  const activate = (): void =>
    submission.submit(async () => {
      try {
        const { version } = await draftRules(EXAMPLE);
        await activateRules(version);
      } finally {
        // Also after a failure: the draft may be there, and is activated from the list then.
        await client.invalidateQueries({ queryKey: rulesQuery.queryKey });
      }
      showToast(t('rules.example.activated'));
    });
  const values = { ...EXAMPLE_VALUES, currency };
  return (
    <div className={classes.example}>
      <Text isSmall>{t('rules.example.lead')}</Text>
      <ul>
        <li>{t('rules.example.uptime', values)}</li>
        <li>{t('rules.example.traffic', values)}</li>
        <li>{t('rules.example.referral', values)}</li>
      </ul>
      <Failure>{submission.message}</Failure>
      <div className={classes.choices}>
        <ChangeButton scope="operator:rules" variant="default" size="sm" onClick={onUse}>
          {t('rules.example.use')}
        </ChangeButton>
        <ChangeButton
          scope="operator:rules"
          size="sm"
          isBusy={submission.isPending}
          onClick={activate}
        >
          {t('rules.example.activate')}
        </ChangeButton>
      </div>
    </div>
  );
}

export function NoRules({ onUse }: { readonly onUse: () => void }) {
  const { t } = useTranslation('operator');
  return (
    <EmptyState
      icon="gauge"
      title={t('rules.none')}
      action={
        <Allowed scope="operator:rules">
          <Example onUse={onUse} />
        </Allowed>
      }
    >
      {t('rules.noneLead')}
    </EmptyState>
  );
}
