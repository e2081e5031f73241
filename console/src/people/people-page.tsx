import { useQuery } from '@tanstack/react-query';
import { useCurrencies } from '../api/currencies.ts';
import { useMe } from '../api/me.ts';
import { Amount } from '../components/amount.tsx';
import { CopyButton } from '../components/copy.tsx';
import {
  EmptyState,
  isPending,
  Page,
  QueryBoundary,
  Section,
  SkeletonLines,
} from '../components/layout.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { ShareButton } from '../components/share.tsx';
import { scheduleQuery } from '../home/queries.ts';
import { useTranslation } from '../i18n/index.ts';
import { MembersSection } from './members-section.tsx';
import classes from './people.module.css';
import { summaryQuery } from './queries.ts';

/** It promises rewards for inviting only where the rules pay them. */
function Invitation() {
  const { t } = useTranslation('people');
  const me = useMe();
  const schedule = useQuery(scheduleQuery);
  return (
    <Section
      title={t('invite')}
      lead={t(schedule.data?.has_referral ? 'inviteLeadPaid' : 'inviteLead')}
    >
      <QueryBoundary query={me} skeleton={<SkeletonLines count={1} height={180} />}>
        {({ referral_code }) => {
          const link = `${location.origin}/?ref=${encodeURIComponent(referral_code)}`;
          return (
            <div className={classes.invitation}>
              <QrCode text={link} label={t('linkQr')} />
              <div className={classes.link}>
                <span className={classes.label}>{t('code')}</span>
                <code className={classes.code}>{referral_code}</code>
                <span className={classes.label}>{t('link')}</span>
                <code className={classes.url}>{link}</code>
                <div className={classes.buttons}>
                  <CopyButton text={link} label={t('copyLink')} />
                  <ShareButton data={{ title: t('shareTitle'), url: link }} label={t('share')} />
                </div>
              </div>
            </div>
          );
        }}
      </QueryBoundary>
    </Section>
  );
}

function Summary({ currency }: { readonly currency: string }) {
  const { t } = useTranslation('people');
  const summary = useQuery(summaryQuery);
  return (
    <Section title={t('summary')} lead={t('definitions')}>
      <QueryBoundary query={summary} skeleton={<SkeletonLines count={3} />}>
        {(data) => (
          <>
            <dl className={classes.facts}>
              <div>
                <dt>{t('direct')}</dt>
                <dd>{data.direct_count}</dd>
              </div>
              <div>
                <dt>{t('community')}</dt>
                <dd>{data.team_count}</dd>
              </div>
              <div>
                <dt>{t('performance')}</dt>
                <dd>
                  <Amount value={data.team_performance} currency={currency} />
                </dd>
              </div>
            </dl>
            {data.levels.length > 0 && (
              <table className={classes.levels}>
                <thead>
                  <tr>
                    <th scope="col">{t('level')}</th>
                    <th scope="col">{t('members')}</th>
                    <th scope="col">{t('purchases', { currency })}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.levels.map((level) => (
                    <tr key={level.level}>
                      <th scope="row">{level.level}</th>
                      <td>{level.members}</td>
                      <td>
                        <Amount value={level.performance} isInColumn />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )}
          </>
        )}
      </QueryBoundary>
    </Section>
  );
}

function NobodyYet() {
  const { t } = useTranslation('people');
  return (
    <Section title={t('membersTitle')}>
      <EmptyState icon="people" title={t('none')}>
        {t('noneLead')}
      </EmptyState>
    </Section>
  );
}

/** The people one brought, and those they brought. */
export function PeoplePage() {
  const { t } = useTranslation('people');
  const me = useMe();
  const summary = useQuery(summaryQuery);
  const schedule = useQuery(scheduleQuery);
  const currencies = useCurrencies();
  const currency = currencies.data?.find((entry) => entry.is_reward_currency)?.code ?? '';
  return (
    <Page title={t('title')} isLoading={[me, summary, schedule, currencies].some(isPending)}>
      <Invitation />
      <Summary currency={currency} />
      {summary.data?.team_count === 0 ? <NobodyYet /> : <MembersSection currency={currency} />}
    </Page>
  );
}
