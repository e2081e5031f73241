/** Everything that operators see of one person, and what they can do for them. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DateOnly, DateTime } from '../../components/date-time.tsx';
import { Facts } from '../../components/description-list.tsx';
import { Email } from '../../components/email.tsx';
import { Icon } from '../../components/icon.tsx';
import layout from '../../components/layout.module.css';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { personName } from '../../i18n/labels.ts';
import type { Translate } from '../../i18n/translate.ts';
import { DEPOSITS, useReads } from '../allows.tsx';
import { PersonChanges } from '../audit/person-changes.tsx';
import { changesQuery } from '../audit/queries.ts';
import { PersonName } from '../person-name.tsx';
import { Together } from '../together.tsx';
import { withdrawalsQuery } from '../withdrawals/queries.ts';
import { WithdrawalsSection } from '../withdrawals/withdrawals-section.tsx';
import { PersonActions } from './actions.tsx';
import { DepositsSection } from './deposits-section.tsx';
import { DevicesSection } from './devices-section.tsx';
import { Groups, GroupsSheet } from './groups.tsx';
import { depositsOfQuery, payoutsOfQuery } from './money-queries.ts';
import { NotesSection } from './notes-section.tsx';
import { PayoutsSection } from './payouts-section.tsx';
import classes from './person.module.css';
import {
  devicesQuery,
  notesQuery,
  type Person,
  personQuery,
  referralsQuery,
  securityEventsQuery,
  sessionsQuery,
  teamQuery,
  walletsQuery,
} from './queries.ts';
import { ReferralTree } from './referral-tree.tsx';
import { SecurityLogSection, SessionsSection } from './sign-ins-section.tsx';
import { WalletsSection } from './wallets-section.tsx';

/** Roles in words, and scopes that were granted one by one as they are. */
function grantsText(
  t: Translate<'operator'>,
  { operator_roles, operator_scopes }: Person,
): string | undefined {
  const roles = operator_roles?.map((role) => t.find('operator', `person.role.${role}`) ?? role);
  return roles && [...roles, ...(operator_scopes ?? [])].join(t('devices:comma'));
}

/** Since when the money is frozen, by whom, and why. */
function Frozen({ person, since }: { readonly person: Person; readonly since: string }) {
  const { t } = useTranslation('operator');
  const { money_frozen_by: operatorId, money_frozen_reason: reason } = person;
  return (
    <>
      {t('person.moneyFrozenSince')} <DateTime iso={since} isShort />
      {operatorId !== undefined && (
        <>
          {' · '}
          <PersonName userId={operatorId} />
        </>
      )}
      {reason !== undefined && <div className={classes.small}>“{reason}”</div>}
    </>
  );
}

function Record({ person }: { readonly person: Person }) {
  const { t } = useTranslation('operator');
  const team = useQuery(teamQuery(person.user_id)).data;
  const [isGrouping, setGrouping] = useState(false);
  const name = personName(t, { nickname: person.nickname, isClosed: person.status === 'closed' });
  return (
    <Section title={name} actions={<PersonActions person={person} />}>
      <Facts
        isPaired
        facts={[
          [t('person.state'), t(`users.state.${person.status}`)],
          [t('person.email'), <Email key="email" address={person.email} />],
          [t('person.id'), String(person.user_id)],
          [t('person.joined'), <DateOnly key="joined" iso={person.created_at} />],
          [
            t('person.factors'),
            person.two_factor_methods
              ?.map((method) => t.find('operator', `person.factor.${method}`) ?? method)
              .join(t('devices:comma')),
          ],
          [
            t('person.money'),
            person.money_frozen_since !== undefined && (
              <Frozen key="money" person={person} since={person.money_frozen_since} />
            ),
          ],
          [t('person.operator'), grantsText(t, person)],
          [
            t('person.groups'),
            <Groups key="groups" person={person} onChange={() => setGrouping(true)} />,
          ],
          [
            t('person.referrer'),
            team?.referrer && (
              <Link
                key="referrer"
                to="/operator"
                search={{ view: 'users', person: String(team.referrer.user_id) }}
              >
                {team.referrer.nickname}
              </Link>
            ),
          ],
          [
            t('person.team'),
            team && t('person.teamCounts', { direct: team.direct_count, all: team.team_count }),
          ],
        ]}
      />
      {isGrouping && <GroupsSheet person={person} onClose={() => setGrouping(false)} />}
    </Section>
  );
}

/** Whether each section was asked for, and answered. */
function useSectionQueries(userId: number): Parameters<typeof Together>[0]['queries'] {
  const reads = useReads();
  return [
    useQuery(teamQuery(userId)),
    useQuery({ ...walletsQuery(userId), enabled: reads('operator:ledger') }),
    useInfiniteQuery({ ...depositsOfQuery(userId), enabled: reads(DEPOSITS) }),
    useInfiniteQuery({ ...payoutsOfQuery(userId), enabled: reads('operator:payouts') }),
    useQuery({ ...withdrawalsQuery(userId), enabled: reads('operator:withdrawals') }),
    useInfiniteQuery(referralsQuery(userId)),
    useQuery(devicesQuery(userId)),
    useQuery(sessionsQuery(userId)),
    useInfiniteQuery(notesQuery(userId)),
    useQuery({ ...changesQuery(userId), enabled: reads('operator:audit') }),
    useInfiniteQuery(securityEventsQuery(userId)),
  ];
}

function Sections({ person }: { readonly person: Person }) {
  const { user_id: userId } = person;
  const reads = useReads();
  return (
    <Together queries={useSectionQueries(userId)}>
      <Record person={person} />
      <div className={classes.pair}>
        <div className={classes.column}>
          {reads('operator:ledger') && <WalletsSection userId={userId} />}
          {reads(DEPOSITS) && <DepositsSection userId={userId} />}
          {reads('operator:payouts') && <PayoutsSection userId={userId} />}
          {reads('operator:withdrawals') && <WithdrawalsSection userId={userId} />}
          <ReferralTree userId={userId} />
          <DevicesSection userId={userId} />
          <SessionsSection userId={userId} />
        </div>
        <div className={classes.column}>
          <NotesSection userId={userId} />
          {reads('operator:audit') && <PersonChanges userId={userId} />}
          <SecurityLogSection userId={userId} />
        </div>
      </div>
    </Together>
  );
}

export function PersonView({ userId: text }: { readonly userId: string }) {
  const { t } = useTranslation('operator');
  const person = useQuery(personQuery(Number(text)));
  return (
    <>
      <Link to="/operator" search={{ view: 'users' }} className={layout.back}>
        <Icon name="chevron" size={16} />
        {t('view.users')}
      </Link>
      <QueryBoundary query={person} skeleton={<SkeletonLines count={3} height={180} />}>
        {(record) => <Sections person={record} />}
      </QueryBoundary>
    </>
  );
}
