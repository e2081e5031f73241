import { Link, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useMe } from '../api/me.ts';
import { DateOnly } from '../components/date-time.tsx';
import { Email } from '../components/email.tsx';
import form from '../components/form.module.css';
import { EmptyState, Section } from '../components/layout.tsx';
import { PagedList } from '../components/paged-list.tsx';
import { SearchForm } from '../components/search-form.tsx';
import { useFilterChange } from '../components/use-filter-change.ts';
import { useTranslation } from '../i18n/index.ts';
import { personName } from '../i18n/labels.ts';
import { ChangeButton } from './allows.tsx';
import classes from './operator.module.css';
import { ConfirmAction } from './person/actions.tsx';
import { fetchUsers, type User } from './queries.ts';

/** As much as an address of two lines on a phone takes. */
const ROW_HEIGHT = 96;

function ConfirmStatus({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  // What was asked for stays what is done, whatever becomes of the row below.
  const [action] = useState<'disable' | 'enable'>(user.status === 'active' ? 'disable' : 'enable');
  return <ConfirmAction person={user} action={action} onClose={onClose} />;
}

interface UserRowProps {
  readonly user: User;
  readonly isMe: boolean;
  readonly onOpen: (user: User) => void;
}

function UserRow({ user, isMe, onOpen }: UserRowProps) {
  const { t } = useTranslation('operator');
  return (
    <div className={classes.user}>
      <Link
        to="/operator"
        search={(all) => ({ ...all, person: String(user.user_id) })}
        className={classes.name}
      >
        {personName(t, { nickname: user.nickname, isClosed: user.status === 'closed' })}
      </Link>
      <span className={classes.address}>
        <Email address={user.email} />
      </span>
      <span className={classes.small}>
        {user.user_id} · {t(`users.state.${user.status}`)} · <DateOnly iso={user.created_at} />
      </span>
      {user.status !== 'closed' && !isMe && (
        <ChangeButton
          scope="operator:users"
          variant="default"
          size="xs"
          aria-label={t(user.status === 'active' ? 'users.disableName' : 'users.enableName', {
            name: user.nickname,
          })}
          onClick={() => onOpen(user)}
        >
          {t(user.status === 'active' ? 'users.disable' : 'users.enable')}
        </ChangeButton>
      )}
    </div>
  );
}

export function UsersSection() {
  const { t } = useTranslation('operator');
  const me = useMe().data?.user_id;
  const { keyword = '' } = useSearch({ from: '/operator' });
  const change = useFilterChange<{ readonly keyword: string | undefined }>();
  const queryKey = useMemo(() => ['operator', 'users', keyword], [keyword]);
  const fetchPage = useCallback(
    (current: number, signal: AbortSignal) => fetchUsers(keyword, current, signal),
    [keyword],
  );
  return (
    <Section title={t('view.users')}>
      <search className={form.filters}>
        <SearchForm
          label={t('users.keyword')}
          submitLabel={t('users.search')}
          value={keyword}
          onSearch={(next) => change({ keyword: next || undefined })}
        />
      </search>
      <PagedList
        label={t('view.users')}
        queryKey={queryKey}
        fetchPage={fetchPage}
        rowHeight={ROW_HEIGHT}
        keyOf={(user) => user.user_id}
        summary={(total) => <p className={classes.small}>{t('users.count', { count: total })}</p>}
        renderMissing={() => <span className={classes.user} aria-hidden="true" />}
        renderRow={(user, open) => <UserRow user={user} isMe={user.user_id === me} onOpen={open} />}
        renderSheet={(user, onClose) => <ConfirmStatus user={user} onClose={onClose} />}
        empty={<EmptyState icon="people" title={t('users.none')} />}
      />
    </Section>
  );
}
