import { Amount } from '../components/amount.tsx';
import { DateOnly } from '../components/date-time.tsx';
import { Email } from '../components/email.tsx';
import unseen from '../components/visually-hidden.module.css';
import { useTranslation } from '../i18n/index.ts';
import classes from './members.module.css';
import { type Drafts, memberName, Note } from './note.tsx';
import type { Member } from './queries.ts';

/** Where rows have columns; narrower than that, everything of a person stands below each other. */
export const COLUMNS = '(min-width: 75em)';
export const ROW_HEIGHT = 116;
export const COLUMNS_ROW_HEIGHT = 72;

/** The names of the columns, for sighted readers: each row repeats them for screen readers. */
export function MemberColumns({ currency }: { readonly currency: string }) {
  const { t } = useTranslation('people');
  return (
    <div className={classes.head} aria-hidden="true">
      <span className={classes.name}>{t('member')}</span>
      <span className={classes.joined}>{t('joinedOn')}</span>
      <span className={classes.noteCell}>{t('note')}</span>
      <span className={classes.figures}>
        <span>{t('own', { currency })}</span>
        <span>{t('team', { currency })}</span>
      </span>
    </div>
  );
}

interface Props {
  readonly member: Member;
  readonly currency: string;
  readonly drafts: Drafts;
  readonly hasColumns: boolean;
}

export function MemberRow({ member, currency, drafts, hasColumns }: Props) {
  const { t } = useTranslation('people');
  // A column has its name above it for the eye.
  const label = hasColumns ? unseen.unseen : undefined;
  const figure = (value: string) => <Amount value={value} size="sm" isInColumn />;
  return (
    <div className={classes.member} data-columns={hasColumns || undefined}>
      <div className={classes.text}>
        <span className={classes.name}>{memberName(t, member)}</span>
        <span className={classes.email}>
          {!member.is_closed && <Email address={member.email} />}
        </span>
        <span className={classes.joined}>
          <span className={label}>{t('joined')} </span>
          <DateOnly iso={member.joined_at} />
        </span>
        <span className={classes.level}>
          {t('levelIs', { level: member.level })}
          {member.direct_count > 0 && ` · ${t('brought', { count: member.direct_count })}`}
        </span>
        <span className={classes.noteCell}>
          <Note member={member} drafts={drafts} />
        </span>
      </div>
      <dl className={classes.figures}>
        <div>
          <dt className={label}>{t('own', { currency })}</dt>
          <dd>{figure(member.package_amount)}</dd>
        </div>
        <div>
          <dt className={label}>{t('team', { currency })}</dt>
          <dd>{figure(member.team_performance)}</dd>
        </div>
      </dl>
    </div>
  );
}

export function MissingMemberRow() {
  return <div className={classes.member} aria-hidden="true" />;
}
