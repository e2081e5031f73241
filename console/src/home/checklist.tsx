import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMe } from '../api/me.ts';
import { Button } from '../components/button.tsx';
import { Icon } from '../components/icon.tsx';
import { Section } from '../components/layout.tsx';
import { useDevices } from '../devices/queries.ts';
import { useTranslation } from '../i18n/index.ts';
import { toUnits } from '../lib/money-text.ts';
import { summaryQuery } from '../people/queries.ts';
import classes from './checklist.module.css';
import { devicePay } from './device-pay.ts';
import { scheduleQuery, useOverview } from './queries.ts';

/** The last one comes by itself. */
const STEPS = [
  { name: 'device', to: '/devices/add' },
  { name: 'passkey', to: '/security' },
  { name: 'invite', to: '/people' },
  { name: 'reward', to: undefined },
] as const;

type StepName = (typeof STEPS)[number]['name'];
type FirstSteps = Readonly<Record<StepName, boolean>>;

/** What a new user has done so far; undefined until it is known. */
export function useFirstSteps(): FirstSteps | undefined {
  const devices = useDevices();
  const me = useMe();
  const summary = useQuery(summaryQuery);
  const overview = useOverview();
  if (!devices.data || !me.data || !summary.data || !overview.data) return undefined;
  return {
    device: devices.data.length > 0,
    passkey: me.data.two_factor_methods.includes('PASSKEY'),
    invite: summary.data.direct_count > 0,
    reward: overview.data.total_earnings.some(({ amount }) => toUnits(amount) !== 0n),
  };
}

interface Props {
  readonly done: FirstSteps;
  readonly onHide: () => void;
}

/** The first steps of a new user, until all are done or the user hides them. */
export function Checklist({ done, onHide }: Props) {
  const { t } = useTranslation('home');
  const schedule = useQuery(scheduleQuery);
  const pay = devicePay(schedule.data);
  const count = STEPS.filter(({ name }) => done[name]).length;
  return (
    <Section
      title={t('checklist.title')}
      // That nothing is paid yet stands above.
      {...(pay !== 'notPaying' && { lead: t(`checklist.lead.${pay}`) })}
      actions={
        <Button variant="default" size="sm" onClick={onHide}>
          {t('checklist.hide')}
        </Button>
      }
    >
      <p className={classes.progress}>{t('checklist.done', { count, total: STEPS.length })}</p>
      <ul className={classes.steps}>
        {STEPS.map(({ name, to }) => (
          <li key={name} data-done={done[name] || undefined}>
            <span className={classes.mark} aria-hidden="true">
              {done[name] && <Icon name="check" size={16} />}
            </span>
            {done[name] || to === undefined ? (
              <span>{t(`checklist.${name}`)}</span>
            ) : (
              <Link to={to}>{t(`checklist.${name}`)}</Link>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
