/** Whom a person referred, level by level: each branch is read when it is opened. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DateOnly } from '../../components/date-time.tsx';
import { QueryBoundary, Section, SkeletonLines } from '../../components/layout.tsx';
import { MoreButton } from '../../components/more-button.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { personName } from '../../i18n/labels.ts';
import classes from './person.module.css';
import { type Referral, referralsQuery, teamQuery } from './queries.ts';

function Branch({ referral }: { readonly referral: Referral }) {
  const { t } = useTranslation('operator');
  const [isOpen, setOpen] = useState(false);
  const { user_id: id, direct_count: direct, team_count: team } = referral;
  const name = personName(t, { nickname: referral.nickname, isClosed: referral.is_closed });
  return (
    <li>
      <span className={classes.apart}>
        <Link to="/operator" search={{ view: 'users', person: String(id) }}>
          {name}
        </Link>
        {direct > 0 && (
          <button
            type="button"
            className={classes.unfold}
            aria-expanded={isOpen}
            aria-label={t(isOpen ? 'person.closeBranch' : 'person.openBranch', { name })}
            onClick={() => setOpen(!isOpen)}
          >
            {t('person.teamCounts', { direct, all: team })}
          </button>
        )}
      </span>
      <span className={classes.small}>
        {t('payouts.ofPerson', { id: String(id) })} · <DateOnly iso={referral.joined_at} />
      </span>
      {isOpen && <Branches userId={id} />}
    </li>
  );
}

function Branches({ userId }: { readonly userId: number }) {
  const { t } = useTranslation('operator');
  const found = useInfiniteQuery(referralsQuery(userId));
  return (
    <QueryBoundary query={found} skeleton={<SkeletonLines count={2} />}>
      {({ pages }) => (
        <>
          <ul className={classes.tree}>
            {pages
              .flatMap(({ records }) => records)
              .map((referral) => (
                <Branch key={referral.user_id} referral={referral} />
              ))}
          </ul>
          {found.hasNextPage && <MoreButton query={found} label={t('payouts.more')} />}
        </>
      )}
    </QueryBoundary>
  );
}

export function ReferralTree({ userId }: { readonly userId: number }) {
  const { t, language } = useTranslation('operator');
  const team = useQuery(teamQuery(userId));
  const number = new Intl.NumberFormat(language);
  return (
    <Section title={t('person.team')}>
      <QueryBoundary query={team} skeleton={<SkeletonLines count={2} />}>
        {({ levels, team_count: all }) =>
          all === 0 ? (
            <p className={classes.none}>{t('person.noReferrals')}</p>
          ) : (
            <>
              <ul className={classes.levels} aria-label={t('person.levels')}>
                {levels.map(({ level, members }) => (
                  <li key={level}>
                    <span className={classes.small}>{t('person.level', { level })}</span>
                    {number.format(members)}
                  </li>
                ))}
              </ul>
              <Branches userId={userId} />
            </>
          )
        }
      </QueryBoundary>
    </Section>
  );
}
